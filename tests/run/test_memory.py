"""The command `optimus-gym memory` through real processes: what it says, writes and refuses."""

import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PIL import Image as Picture

from optimus_gym.core.deliberation import Judgement
from optimus_gym.knowledge.cheapest import Unobtainable
from optimus_gym.knowledge.graph_folder import read_knowledge
from optimus_gym.knowledge.knowledge_graph import full_graph
from optimus_gym.memory.experience import Case, Experience, Image, PastPursuit
from optimus_gym.memory.pictures import packed
from optimus_gym.memory.pool import ExperiencePool
from optimus_gym.vision.mini_aligner import MiniAligner

ROOT = Path(__file__).resolve().parents[2]
WHERE: tuple[str, ...] = ("forest", "desert")


def optimus(*arguments, cwd=ROOT):
    return subprocess.run(
        [sys.executable, "-m", "optimus_gym.run.cli", "memory", *map(str, arguments)],
        cwd=cwd,
        env={**os.environ, "PYTHONPATH": str(ROOT), "COLUMNS": "200"},
        capture_output=True,
        text=True,
        timeout=300,
    )


def coloured(red, green, blue):
    frame = np.zeros((128, 128, 3), np.uint8)
    frame[:] = red, green, blue
    frame[64:] //= 2
    return frame


GRASS, SAND = coloured(90, 160, 60), coloured(220, 210, 150)


def seen(pool, frame, tick=0):
    return Image(tick, packed(frame), pool.picture(frame))


def an_experience(pool, key, goal, item, frame, status="success", label: Judgement = "COMPLETE"):
    image = seen(pool, frame)
    failure = "" if status == "success" else f"timeout: 1 {item}"
    end = "failed" if failure else "reached"
    pursuit = PastPursuit(f"craft 1 {item}", end, failure, 40, 40, (image,), 0.5, image.vector)
    predicament = "stuck" if failure else ""
    case = Case(0, pursuit.text, "forest", image, seen(pool, frame, 40), predicament, label, label)
    return Experience(
        key, "Task", goal, WHERE[frame is SAND], {"inventory": {"oak_log": 2}}, (pursuit.text,),
        (pursuit,), (case,), status, 40, image, {"protocol": "vanilla"},
    )  # fmt: skip


@pytest.fixture
def memory(tmp_path):
    folder = tmp_path / "memory"
    with ExperiencePool(folder, MiniAligner()) as pool:
        pool.add(an_experience(pool, "a", "Craft a wooden pickaxe", "wooden pickaxe", GRASS))
        pool.add(an_experience(pool, "b", "Craft a furnace", "furnace", SAND, "budget", "REPLAN"))
        pool.add(an_experience(pool, "c", "Craft a wooden pickaxe", "wooden pickaxe", SAND))
    return folder


def test_it_counts(memory):
    run = optimus(memory)
    assert run.returncode == 0, run.stderr
    rows = [line.split() for line in run.stdout.splitlines()]
    assert ["Task", "2", "1", "0"] in rows
    for told in ("experiences: 3", "sub-goals: 3", "reflections: 3", "pictures: 6", "texts: 4"):
        assert told in run.stdout
    assert MiniAligner().name in run.stdout


def test_it_shows_a_contact_sheet(memory, tmp_path):
    run = optimus(memory, "show", 2, cwd=tmp_path)
    assert run.returncode == 0, run.stderr
    with Picture.open(tmp_path / "experience-2.png") as picture:
        assert picture.format == "PNG"
        pixels = np.array(picture)
    near_sand = np.abs(pixels.astype(int) - (220, 210, 150)).max(-1) < 12
    assert near_sand.sum() > 3 * 112 * 20
    assert (pixels.reshape(-1, 3) == (232, 100, 88)).all(1).any()


def numbers(run):
    return [int(line.split()[0]) for line in run.stdout.splitlines()[1:] if line.strip()]


def test_it_searches(memory, tmp_path):
    run = optimus(memory, "search", "make a pickaxe of wood", "--count", 1)
    assert run.returncode == 0, run.stderr
    assert numbers(run) == [3, 2]
    assert numbers(optimus(memory, "search", "make a pickaxe of wood", "--which", "failure")) == [2]
    sand = numbers(optimus(memory, "search", "wooden pickaxe", "--environment", "forest"))
    assert sand == [1]
    Picture.fromarray(GRASS).save(tmp_path / "look.png")
    run = optimus(memory, "search", "wooden pickaxe", "--image", tmp_path / "look.png")
    assert numbers(run)[0] == 1


def test_it_compacts_and_merges(memory, tmp_path):
    assert "1 experiences have gone" in optimus(memory, "compact", "--keep", 1).stdout
    assert "2 of 2 experiences are new" in optimus(tmp_path / "other", "merge", memory).stdout
    assert "0 of 2 experiences are new" in optimus(tmp_path / "other", "merge", memory).stdout


def test_it_exports_and_imports(memory, tmp_path):
    assert "3 experiences" in optimus(memory, "export", tmp_path / "all").stdout
    assert "3 experiences are new" in optimus(tmp_path / "other", "import", tmp_path / "all").stdout
    sheets = [optimus(folder, "show", 1, "--out", tmp_path / f"{n}.png") for n, folder in
              enumerate((memory, tmp_path / "other"))]  # fmt: skip
    assert [run.returncode for run in sheets] == [0, 0]
    assert (tmp_path / "0.png").read_bytes() == (tmp_path / "1.png").read_bytes()


def test_it_teaches_a_part(tmp_path):
    made = optimus(tmp_path / "new", "teach", "--task", "iron_pickaxe")
    assert made.returncode == 0, made.stderr
    known = read_knowledge(tmp_path / "new")
    assert f"{len(known.sources)} known ways" in made.stdout
    steps = [step.item for step in known.requirements("iron_pickaxe").steps]
    assert steps == [step.item for step in full_graph().requirements("iron_pickaxe").steps]
    with pytest.raises(Unobtainable):
        known.requirements("diamond_sword")
    wrong = optimus(tmp_path / "new", "teach", "--task", "iron_pikaxe")
    assert wrong.returncode == 2
    assert "did you mean 'iron_pickaxe'" in wrong.stderr


def test_it_teaches(tmp_path):
    assert "known ways" in optimus(tmp_path / "new", "teach").stdout
    assert (tmp_path / "new" / "hdkg.json").is_file()


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("show", 9), "expected the number of an experience, got 9"),
        (("show", 1, "--out", "sheet.jpg"), "expected a file that ends in .png"),
        (("search", ""), "expected a text with words, got ''"),
        (("show", 10**30), "too large"),
        (("search", "stick", "--count", 0), "count"),
        (("search", "stick", "--image", "nothing.png"), "'nothing.png' cannot be read"),
        (("search", "stick", "--reason", "whale"), "unknown item 'whale'; did you mean 'wheat'"),
        (("compact", "--keep", 0), "keep"),
        (("merge", "nowhere"), "expected a folder that holds experience.sqlite"),
        (("import", "nowhere"), "nowhere"),
        (("--aligner", "nobody", "search", "stick"), "nobody"),
    ],
)
def test_bad_input_is_told_and_changes_nothing(memory, arguments, told):
    before = {path.name: path.read_bytes() for path in memory.iterdir() if path.suffix == ".sqlite"}
    run = optimus(memory, *arguments)
    assert run.returncode == 2, run.stdout
    assert told in run.stderr
    assert "Traceback" not in run.stderr
    after = {path.name: path.read_bytes() for path in memory.iterdir() if path.suffix == ".sqlite"}
    assert after == before


def test_a_folder_that_is_no_memory_is_told(tmp_path):
    for arguments in ((), ("show", 1), ("search", "stick")):
        run = optimus(tmp_path, *arguments)
        assert run.returncode == 2
        assert "expected a folder that holds experience.sqlite" in run.stderr
    assert list(tmp_path.iterdir()) == []


def test_names_are_printed_as_they_are(tmp_path):
    with ExperiencePool(tmp_path, MiniAligner()) as pool:
        odd = an_experience(pool, "a", "Craft a stick", "stick", GRASS)
        pool.add(replace(odd, task="[bold]Do[/it]", environment="[/]"))
    for arguments in ((), ("search", "stick")):
        run = optimus(tmp_path, *arguments)
        assert run.returncode == 0, run.stderr
        assert "[bold]Do[/it]" in run.stdout


def test_a_memory_may_know_ways_alone(tmp_path):
    taught = optimus(tmp_path / "one", "teach").stdout.split()[0]
    assert f"known ways: {taught}" in optimus(tmp_path / "one").stdout
    assert taught in optimus(tmp_path / "other", "merge", tmp_path / "one").stdout
    assert f"known ways: {taught}" in optimus(tmp_path / "other").stdout


def test_what_cannot_be_imported_makes_no_memory(tmp_path):
    assert optimus(tmp_path / "new", "import", tmp_path / "nothing").returncode == 2
    assert not (tmp_path / "new").exists()


def test_damaged_files_of_a_public_memory_are_left_out_where_that_is_asked_for(tmp_path):
    public, new = tmp_path / "public", tmp_path / "new"
    for name, text in (
        ("Craft_a_stick", '{"plan": [{"id": "a", "planning": []}]}'),
        ("Cut", '{"plan": ['),
    ):
        path = public / "plan" / "success" / f"{name}.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    run = optimus(new, "import", public)
    assert run.returncode == 2
    assert "Cut.json" in run.stderr
    assert "--skip-damaged leaves out what is damaged" in run.stderr
    assert not new.exists()
    run = optimus(new, "import", public, "--skip-damaged")
    assert run.returncode == 0, run.stderr
    assert "1 experiences are new; 1 damaged ones were left out" in run.stdout
    assert "left out: '" in run.stdout
    assert "Cut.json" in run.stdout
    (public / "plan" / "success" / "Craft_a_stick.json").unlink()
    run = optimus(tmp_path / "other", "import", public, "--skip-damaged")
    assert (run.returncode, (tmp_path / "other").exists()) == (2, False)
    assert "expected something whole, got 1 damaged" in run.stderr
