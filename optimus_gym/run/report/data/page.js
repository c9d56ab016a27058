"use strict";
(async () => {
  const PAGE = 24; // episodes that are listed at once
  const COLUMNS = 8, WIDTH = 160, HEIGHT = 90; // of a sheet of key frames (run/results/sheets.py)
  const at = (id) => document.getElementById(id);
  const made = (tag, text, name) => {
    const element = document.createElement(tag);
    if (text !== undefined) element.textContent = text;
    if (name) element.className = name;
    return element;
  };
  const grouped = (n) => Number(n).toLocaleString("en-US");
  const read = (id) => JSON.parse(at(id).textContent);

  at("theme").addEventListener("change", (event) => {
    document.documentElement.dataset.theme = event.target.value;
  });

  const unpacked = async (text) => {
    const bytes = Uint8Array.from(atob(text), (sign) => sign.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    return JSON.parse(await new Response(stream).text());
  };
  const { folders, words } = await unpacked(at("packed").textContent);
  const frames = read("frames"), kept = read("moments");

  const choices = { folder: at("by-folder"), group: at("by-group"), task: at("by-task"), status: at("by-status") };
  const lists = { list: at("list"), found: at("found"), page: at("page"), back: at("back"), on: at("on") };
  let folder = 0, chosen = [], page = 0, shown = null;

  const fill = (select, values, all) => {
    const before = select.value;
    select.replaceChildren();
    if (all) select.append(new Option(all, ""));
    for (const [value, text] of values) select.append(new Option(text, value));
    if ([...select.options].some((option) => option.value === before)) select.value = before;
  };
  const distinct = (numbers) => [...new Set(numbers)].map((n) => [String(n), words[n].replaceAll("_", " ")]);

  const offer = () => {
    const own = folders[folder];
    fill(choices.group, distinct(own.group), "all");
    const group = choices.group.value;
    fill(choices.task, distinct(own.task.filter((_, k) => !group || String(own.group[k]) === group)), "all");
    fill(choices.status, distinct(own.status), "any way");
  };

  const select = () => {
    const own = folders[folder];
    const fits = (k, name) => !choices[name].value || String(own[name][k]) === choices[name].value;
    chosen = own.task.map((_, k) => k).filter((k) => fits(k, "group") && fits(k, "task") && fits(k, "status"));
    page = 0;
    list();
  };

  const outcome = (own, k) => words[own.status[k]].replaceAll("_", " ");

  const list = () => {
    const own = folders[folder], pages = Math.max(1, Math.ceil(chosen.length / PAGE));
    lists.found.textContent = `${grouped(chosen.length)} episodes`;
    lists.page.textContent = `${page + 1} of ${grouped(pages)}`;
    lists.back.disabled = page === 0;
    lists.on.disabled = page >= pages - 1;
    lists.list.replaceChildren(...chosen.slice(page * PAGE, (page + 1) * PAGE).map((k) => {
      const button = made("button");
      const success = words[own.status[k]] === "success";
      button.append(made("span", success ? "✓ " : "✗ ", success ? "good" : "bad"));
      button.append(`${words[own.task[k]]} ${own.episode[k]}: ${outcome(own, k)}, ${grouped(own.ticks[k])} ticks`);
      button.type = "button";
      button.dataset.place = k;
      button.setAttribute("aria-current", String(k === shown));
      button.addEventListener("click", () => show(k, true));
      const item = made("li");
      item.append(button);
      return item;
    }));
  };

  const subgoals = (own, k) => {
    const flat = own.subgoals[k], found = [];
    let before = 0;
    for (let place = 0; place < flat.length; place += 4) {
      const tick = flat[place + 3];
      found.push({ text: words[flat[place]], end: words[flat[place + 1]], why: words[flat[place + 2]], tick, ticks: tick - before });
      before = tick;
    }
    return found;
  };

  const timeline = (own, k, parts) => {
    const bar = made("div", undefined, "timeline");
    bar.setAttribute("role", "img");
    bar.setAttribute("aria-label", `${parts.length} sub-goals in ${grouped(own.ticks[k])} ticks; they are listed below`);
    for (const part of parts) {
      const piece = made("span", undefined, part.why || part.end === "failed" || part.end === "replan" ? "failed" : "");
      piece.style.flex = `${Math.max(part.ticks, 0)} 0 2px`;
      piece.title = `${part.text}: ${part.why || part.end}, ${grouped(part.ticks)} ticks`;
      bar.append(piece);
    }
    return bar;
  };

  // the address of a picture in one of an evaluation's folders; "" if there is none
  const beside = (own, kinds, name, ending) => {
    const place = Object.keys(kinds).find((key) => kinds[key].includes(name));
    if (place === undefined) return "";
    return [...own.path.split("/"), ...place.split("/"), `${name}.${ending}`].map(encodeURIComponent).join("/");
  };

  const sheet = (own, k) => {
    const name = `${words[own.task[k]]}_${own.episode[k]}`;
    const inside = frames[`${folder}/${words[own.task[k]]}/${own.episode[k]}`];
    if (inside) return `data:image/webp;base64,${inside}`;
    return beside(own, own.sheets, name, "webp");
  };

  const frame = (source, cell, cells, label) => {
    const picture = made("span", undefined, "frame");
    picture.setAttribute("role", "img");
    picture.setAttribute("aria-label", label);
    picture.style.backgroundImage = `url("${source}")`;
    picture.style.backgroundPosition = `-${(cell % COLUMNS) * WIDTH}px -${Math.floor(cell / COLUMNS) * HEIGHT}px`;
    return picture;
  };

  const moments = (own, k, parts) => {
    const source = sheet(own, k), rows = made("ol", undefined, "moments");
    const places = kept[String(parts.length)] || [...Array(parts.length + 1).keys()];
    const all = [{ text: "the beginning", end: "", why: "", tick: 0, ticks: 0 }, ...parts];
    all.forEach((part, place) => {
      const row = made("li"), cell = places.indexOf(place);
      if (source && cell >= 0) row.append(frame(source, cell, places.length, `what was seen at tick ${part.tick}`));
      row.append(made("b", place ? `${place}. ${part.text.replaceAll("_", " ")}` : part.text));
      if (place) {
        const good = !part.why && (part.end === "reached" || part.end === "complete");
        row.append(made("span", part.why || part.end, good ? "good" : "bad"));
        row.append(` · ${grouped(part.ticks)} ticks, to tick ${grouped(part.tick)}`);
      }
      rows.append(row);
    });
    return [rows, source];
  };

  const pairs = (flat) => {
    const found = [];
    for (let place = 0; place < flat.length; place += 2) found.push(`${words[flat[place]]} ${grouped(flat[place + 1])}`);
    return found.join(", ");
  };

  const show = (k, focus) => {
    const own = folders[folder], box = at("episode"), parts = subgoals(own, k);
    shown = k;
    const task = words[own.task[k]], success = words[own.status[k]] === "success";
    box.hidden = false;
    box.replaceChildren(made("h3", `${task}, episode ${own.episode[k]}`));
    const line = made("p");
    line.append(made("b", outcome(own, k), success ? "good" : "bad"));
    line.append(` after ${grouped(own.ticks[k])} of ${grouped(own.budget[k])} ticks · seed ${own.seed[k]} · ${own.replans[k]} replans · ${own.calls[k]} calls, ${own.faults[k]} faults, ${grouped(own.tokens[k])} tokens · ${own.wall[k]} s of a process`);
    box.append(line);
    const why = words[own.why[k]];
    if (why) box.append(made(why.includes("\n") ? "pre" : "p", why));
    const replies = words[own.replies[k]];
    if (replies) box.append(made("p", replies));
    if (own.deaths[k].length) box.append(made("p", `Deaths, at ticks: ${pairs(own.deaths[k])}`));
    if (own.milestones[k].length) box.append(made("p", `First held, at ticks: ${pairs(own.milestones[k])}`));
    if (parts.length) box.append(timeline(own, k, parts));
    const [rows, source] = moments(own, k, parts);
    box.append(rows);
    if (!source && parts.length) box.append(made("p", "No key frames of this episode were kept.", "quiet"));
    const filmed = beside(own, own.films, `${task}_${own.episode[k]}`, "mp4");
    if (filmed) {
      const film = made("video");
      film.controls = true;
      film.src = filmed;
      box.append(film);
    }
    list();
    if (focus) {
      box.focus({ preventScroll: true });
      box.scrollIntoView({ block: "start" });
    }
    history.replaceState(null, "", `#episode/${folder}/${task}/${own.episode[k]}`);
  };

  const use = (number) => {
    folder = number;
    choices.folder.value = String(number);
    shown = null;
    at("episode").hidden = true;
    for (const name of ["group", "task", "status"]) choices[name].value = "";
    offer();
    select();
  };

  const open = (number, k) => {
    if (number !== folder) use(number);
    for (const name of ["group", "task", "status"]) choices[name].value = "";
    offer();
    select();
    page = Math.floor(k / PAGE);
    show(k, true);
  };

  fill(choices.folder, folders.map((own, k) => [String(k), own.name]));
  choices.folder.addEventListener("change", () => use(Number(choices.folder.value)));
  choices.group.addEventListener("change", () => { offer(); select(); });
  choices.task.addEventListener("change", select);
  choices.status.addEventListener("change", select);
  at("filters").addEventListener("submit", (event) => event.preventDefault());
  lists.back.addEventListener("click", () => { page -= 1; list(); });
  lists.on.addEventListener("click", () => { page += 1; list(); });
  lists.list.addEventListener("keydown", (event) => {
    const step = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[event.key];
    const buttons = [...lists.list.querySelectorAll("button")], place = buttons.indexOf(document.activeElement);
    if (!step || place < 0) return;
    event.preventDefault();
    buttons[Math.min(Math.max(place + step, 0), buttons.length - 1)].focus();
  });
  for (const button of document.querySelectorAll("#failures button"))
    button.addEventListener("click", () => open(Number(button.dataset.folder), Number(button.dataset.place)));

  use(0);
  const [, number, task, episode] = decodeURIComponent(location.hash).match(/^#episode\/(\d+)\/([^/]+)\/(\d+)$/) || [];
  if (task && folders[number]) {
    const own = folders[number];
    const k = own.task.findIndex((n, place) => words[n] === task && own.episode[place] === Number(episode));
    if (k >= 0) open(Number(number), k);
  }
  document.documentElement.dataset.ready = "true";
})();
