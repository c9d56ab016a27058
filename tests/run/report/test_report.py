"""Page, plots and tables show the rows, even with hostile texts."""

import base64
import csv
import gzip
import html
import json
import re
import sys
import time
import xml.etree.ElementTree as ElementTree
from io import BytesIO

import pytest
from PIL import Image

from optimus_gym.core.errors import BadValue, MissingExtra
from optimus_gym.core.intervals import wilson
from optimus_gym.run.report.command import write_report
from optimus_gym.run.report.curves import curve, milestone_curves
from optimus_gym.run.report.episodes import key_frames
from optimus_gym.run.report.failures import failings
from optimus_gym.run.results.results_folder import read_results
from optimus_gym.run.results.row import OVERTIME, Death, Pursued
from tests.run.report.folders import a_folder, many_rows, recounted
from tests.run.results.making import a_row

PACKED = re.compile(r'id="packed">([^<]*)<')


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    home = tmp_path_factory.mktemp("report")
    first = a_folder(home / "first", many_rows(670))
    second = a_folder(home / "second", many_rows(670, seed=1), code="e" * 64)
    files = write_report([str(first), str(second)], home / "page.html")
    return home, {file.name: file for file in files}


def test_the_table_agrees_with_counts_of_the_rows(made):
    home, files = made
    lines = list(csv.DictReader(files["table.csv"].read_text().splitlines()))
    for name in ("first", "second"):
        for level, field in (("group", "group"), ("task", "task")):
            counted = recounted(home / name, field)
            own = {
                row["name"]: row for row in lines if (row["folder"], row["level"]) == (name, level)
            }
            assert own.keys() == counted.keys()
            for key, (episodes, successes, ticks) in counted.items():
                row = own[key]
                assert (int(row["episodes"]), int(row["successes"])) == (episodes, successes)
                assert float(row["rate"]) == pytest.approx(successes / episodes)
                assert float(row["ticks"]) == pytest.approx(ticks)
                assert float(row["game_s"]) == pytest.approx(ticks / 20)
                assert (float(row["low"]), float(row["high"])) == pytest.approx(
                    wilson(successes, episodes)
                )
                assert row["privileged"] == "1"
        (whole,) = (row for row in lines if (row["folder"], row["level"]) == (name, "overall"))
        groups = recounted(home / name, "group")
        rates = [
            groups[g][1] / groups[g][0] for g in ("iron", "gold", "diamond", "redstone", "armor")
        ]
        assert float(whole["rate"]) == pytest.approx(sum(rates) / 5)


def test_latex_agrees_with_the_rows_and_marks_privileged_lines(made):
    home, files = made
    text = files["table.tex"].read_text()
    for name, (episodes, successes, _) in recounted(home / "first", "group").items():
        assert re.search(rf"^{name} & {100 * successes / episodes:.1f} \(", text, re.MULTILINE)
    assert r"first$^\dagger$" in text
    assert "privileged: the controller reads the world itself" in text.split(r"\bottomrule")[1]
    assert text.count(r"\begin{tabular}") == text.count(r"\end{tabular}") == 1


def test_page_and_latex_name_an_agent_that_reads_the_world(tmp_path):
    agent = str({"name": "optimus-1", "labels": "truth"})
    folder = a_folder(tmp_path / "truth", [a_row(agent=agent, controller="random")])
    files = {file.name: file for file in write_report([str(folder)], tmp_path / "page.html")}
    words = "privileged: the agent (labels='truth') reads the world itself"
    assert words in files["table.tex"].read_text()
    assert words in html.unescape(files["page.html"].read_text())


def test_plots_are_valid_svg_and_png_files(made):
    _, files = made
    names = {"groups", "ticks", "milestones_0", "milestones_1"}
    assert {name for name in files if name.endswith(".svg")} == {f"{name}.svg" for name in names}
    for name in names:
        assert ElementTree.fromstring(files[f"{name}.svg"].read_text()).tag.endswith("svg")
        with Image.open(BytesIO(files[f"{name}.png"].read_bytes())) as picture:
            assert len(picture.convert("L").getcolors(65_536)) > 20
    for name in ("groups", "ticks"):
        assert files[f"{name}.svg"].read_text().count("(privileged)") >= 2


def test_axes_and_legends_are_labelled_in_plain_words(made):
    _, files = made
    for name, wanted in (
        ("ticks", ("wood", "stone", "iron", "gold", "diamond", "redstone", "armor")),
        ("milestones_0", ("any log", "crafting table", "wooden pickaxe", "furnace", "iron ingot")),
    ):
        tree = ElementTree.fromstring(files[f"{name}.svg"].read_text())
        told = [element.text for element in tree.iter() if element.tag.endswith("}text")]
        assert {*wanted, "ticks", "10", "100", "1,000", "0%", "100%"} <= set(told)
        assert not any("$" in text for text in told)


def test_equal_rows_give_equal_files(made, tmp_path):
    home, files = made
    again = write_report([str(home / "first"), str(home / "second")], home / "other.html")
    for file in again:
        former = files["page.html" if file.name == "other.html" else file.name]
        assert file.read_bytes() == former.read_bytes()


def test_the_page_says_how_many_shards_have_episodes(tmp_path):
    shards = tmp_path / "results" / "shards"
    shards.mkdir(parents=True)
    for number, told in ((1, "1 of 3 shards have"), (3, "2 of 3 shards have"), (2, "")):
        a_folder(shards / f"{number}-of-3", [a_row(episode=number)])
        text = write_report([str(tmp_path / "results")], tmp_path / "page.html")[0].read_text()
        assert told in text
        assert ("shards have episodes" in text) == bool(told)


def test_texts_of_rows_are_escaped(tmp_path):
    bad = "<script>alert(1)</script>"
    rows = [
        a_row(task=bad, group=bad, episode=k, success=False, status="crashed", reason=bad)
        for k in range(3)
    ]
    folder = a_folder(tmp_path / "first", [*rows, a_row(task="<script>")], note=bad)
    (folder / "frames").mkdir()
    (folder / "frames/<script>_0.webp").write_bytes(b"a picture")
    page = write_report([str(folder)], tmp_path / "page.html")[0].read_text()
    assert "alert(1)" in page
    assert bad not in page
    assert "script>/0" in page
    assert page.count("<script") == page.count("</script>") == 4


def test_page_and_tables_report_plans_made_in_the_models_place(tmp_path):
    lost = {
        "backbone": "openai",
        "calls": 3,
        "rules_plans": 2,
        "unanswered": 1,
        "fault": "a <b> fault",
    }
    rows = [a_row(**lost), a_row(episode=1, backbone="openai", goal_plans=1, own_plans=1)]
    folder = a_folder(tmp_path / "first", rows)
    other = a_folder(tmp_path / "other", [a_row()])
    made = write_report([str(folder), str(other)], tmp_path / "page.html")
    files = {file.name: file.read_text() for file in made if file.suffix != ".png"}
    place = "in the backbone's place: 2 plans of the rules, 1 plan of the bare goal"
    page = html.unescape(re.sub(r"<(?!b> fault)[^>]*>", "", files["page.html"]))
    said = (
        "backbone asked 4 times, failed once; plans: 1 its own, 2 of the rules, 1 of the bare goal"
    )
    assert page.count(said) == 1
    assert "first fault: 'a <b> fault'" in page
    assert page.count(place) == 3  # in title, group and task
    (line,) = (line for line in files["table.tex"].splitlines() if "footnotesize first" in line)
    assert place in line
    assert "footnotesize other" not in files["table.tex"]
    lines = csv.DictReader(files["table.csv"].splitlines())
    (one,) = (row for row in lines if (row["folder"], row["level"]) == ("first", "task"))
    assert [one[name] for name in ("calls", "unanswered", "own_plans")] == ["4", "1", "1"]
    assert [one[name] for name in ("rules_plans", "goal_plans", "complete_wrong")] == [
        "2",
        "1",
        "0",
    ]
    packed = json.loads(gzip.decompress(base64.b64decode(PACKED.search(files["page.html"])[1])))
    told = [packed["words"][k] for k in packed["folders"][0]["replies"]]
    assert told[0].startswith("backbone asked 3 times, failed once; plans: 0 its own, 2 of the ru")
    assert packed["words"][packed["folders"][1]["replies"][0]] == ""


def test_the_page_lists_failures_of_all_kinds(tmp_path):
    rows = [
        a_row(episode=0, success=False, status="crashed", reason="Traceback\n  x\nValueError: no"),
        a_row(episode=1, success=False, status="impossible", reason="cannot", subgoals=()),
        a_row(episode=2, success=False, status="died"),
        a_row(episode=3, success=False, status="died"),
        a_row(
            episode=4,
            success=False,
            status="gave_up",
            reason="tired",
            deaths=(),
            subgoals=(
                Pursued("mine 1 coal", "failed", "timeout", "coal", "", 9, 9),
                *a_row().subgoals,
            ),
        ),
        a_row(episode=5),
        a_row(
            episode=6,
            success=False,
            status="died",
            deaths=(Death("zombie", 9), Death("falling", 30)),
        ),
    ]
    told = {(way.status, way.why, way.where): (way.count, way.example) for way in failings(rows)}
    assert told == {
        ("crashed", "ValueError: no", "mine diamond"): (1, 0),
        ("impossible", "nobody there can do it", ""): (1, 1),
        ("died", "killed by zombie", "mine diamond"): (2, 2),
        ("gave_up", "not found: diamond ore", "mine diamond"): (1, 4),
        ("died", "killed by falling", "mine diamond"): (1, 6),
    }
    write_report([str(a_folder(tmp_path / "a", rows))], tmp_path / "page.html")


def test_a_small_page_keeps_the_key_frames_of_failures_first(tmp_path):
    """The folders take turns, and failures come first."""
    folders = []
    for name in ("first", "second"):
        rows = [a_row(episode=k, success=k < 2) for k in range(4)]
        folders.append(a_folder(tmp_path / name, rows))
        (folders[-1] / "frames").mkdir()
        for row in rows:
            (folders[-1] / "frames" / f"Diamond_{row.episode}.webp").write_bytes(bytes(300))
    read = [read_results(folder) for folder in folders]
    wanted = [f"{folder}/Diamond/{k}" for k in (2, 3, 0, 1) for folder in range(2)]
    for count in (3, 8):
        room = count * (len("0/Diamond/0") + 400 + len('"":"",'))
        assert [name for name, _ in key_frames(read, room)] == wanted[:count]
        assert len(list(key_frames(read, room - 1))) == count - 1


def test_reports_of_no_success_and_of_one_row_are_written(tmp_path):
    for name, rows in (
        ("none", [a_row(success=False, ticks=0, milestones={})]),
        ("one", [a_row()]),
    ):
        folder = a_folder(tmp_path / name, rows)
        write_report([str(folder)], tmp_path / f"{name}.html")
    write_report([str(tmp_path / "none"), str(tmp_path / "one")], tmp_path / "both.html")


def test_curves_end_at_the_final_share_and_have_at_most_200_points():
    thinned = curve("x", range(1000, 0, -1), 2000)
    assert len(thinned.ticks) <= 200
    assert (thinned.ticks[0], thinned.shares[0]) == (1, 1 / 2000)
    assert (thinned.ticks[-1], thinned.shares[-1]) == (1000, 0.5)
    assert all(
        share == tick / 2000 for tick, share in zip(thinned.ticks, thinned.shares, strict=True)
    )
    rows = [
        a_row(episode=0, milestones={"birch_log": 30, "oak_log": 20}),
        a_row(episode=1, milestones={"birch_log": 10}),
        a_row(episode=2, milestones={}),
    ]
    (logs,) = milestone_curves(rows)["diamond"]
    assert (logs.name, logs.ticks.tolist()) == ("any log", [10, 20])
    assert logs.shares.tolist() == [1 / 3, 2 / 3]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"out": "page.pdf"}, "a file name ending in .html"),
        ({"out": "nowhere/page.html"}, "a folder that exists"),
        ({"megabytes": 0}, "megabytes: expected an integer of at least 1"),
        ({"folders": ["first", "first"]}, "each folder once"),
        ({"folders": ["empty"]}, "expected a folder with episodes"),
        ({"folders": ["none"]}, "expected a folder of an evaluation"),
    ],
)
def test_bad_input_is_refused_and_no_file_written(tmp_path, monkeypatch, change, message):
    monkeypatch.chdir(tmp_path)
    a_folder(tmp_path / "first", [a_row()])
    a_folder(tmp_path / "empty", [])
    before = sorted(tmp_path.rglob("*"))
    given = {"folders": ["first"], "out": "page.html", "megabytes": 5, **change}
    with pytest.raises(BadValue, match=message):
        write_report(given["folders"], given["out"], given["megabytes"])
    assert sorted(tmp_path.rglob("*")) == before


@pytest.mark.parametrize("name", ["matplotlib", "jinja2"])
def test_the_error_names_a_missing_extra(tmp_path, monkeypatch, name):
    folder = a_folder(tmp_path / "first", [a_row()])
    monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(MissingExtra, match=r"\"\.\[report\]\""):
        write_report([str(folder)], tmp_path / "page.html")
    assert not (tmp_path / "page.html").exists()


@pytest.mark.slow
def test_a_report_of_20_000_rows_is_quick_and_small(tmp_path):
    folder = a_folder(tmp_path / "many", many_rows(20_000))
    begun = time.process_time()
    page, *_ = write_report([str(folder)], tmp_path / "page.html")
    assert time.process_time() - begun < 10
    assert page.stat().st_size < 5_000_000


def test_a_folder_of_overtime_episodes_alone_has_a_page(tmp_path):
    late = [a_row(episode=k, success=False, status=OVERTIME) for k in range(2)]
    folders = [str(a_folder(tmp_path / "late", late)), str(a_folder(tmp_path / "one", [a_row()]))]
    for chosen in (folders[:1], folders):
        files = write_report(chosen, tmp_path / "page.html")
        assert "page.html" in {file.name for file in files}
