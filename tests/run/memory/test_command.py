"""The command `optimus-gym memory` prints, writes and refuses as its page says."""

import argparse
import io
import shlex
import sqlite3
from contextlib import ExitStack, chdir, closing, redirect_stderr, redirect_stdout
from dataclasses import replace
from pathlib import Path
from subprocess import CompletedProcess

import numpy as np
import pytest
from PIL import Image as Picture

from optimus_gym.core.deliberation import Judgement
from optimus_gym.knowledge.cheapest import Unobtainable
from optimus_gym.knowledge.graph_folder import read_knowledge
from optimus_gym.knowledge.knowledge_graph import full_graph
from optimus_gym.memory.database import MEMORY_FILE
from optimus_gym.memory.experience import Case, Experience, Image, PastPursuit
from optimus_gym.memory.pictures import packed
from optimus_gym.memory.pool import ExperiencePool
from optimus_gym.run.cli import main
from optimus_gym.run.memory.command import add_arguments
from optimus_gym.terminal.parser import Parser
from optimus_gym.vision.mini_aligner import MiniAligner
from tests.memory.making import Tinted, pictured

ROOT = Path(__file__).resolve().parents[3]
WHERE: tuple[str, ...] = ("forest", "desert")


def optimus(*arguments, cwd=ROOT):
    """Run the command in this process and return its exit status and output."""
    out, err = io.StringIO(), io.StringIO()
    with ExitStack() as stack:
        for context in (redirect_stdout(out), redirect_stderr(err), chdir(cwd)):
            stack.enter_context(context)
        stack.enter_context(pytest.MonkeyPatch.context()).setenv("COLUMNS", "200")
        try:
            status = main(["memory", *map(str, arguments)])
        except SystemExit as stop:
            status = stop.code
    return CompletedProcess(arguments, status, out.getvalue(), err.getvalue())


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


def test_info_prints_the_memorys_counts(memory):
    run = optimus("info", memory)
    assert run.returncode == 0, run.stderr
    rows = [line.split() for line in run.stdout.splitlines()]
    assert ["Task", "2", "1", "0"] in rows
    for told in ("experiences: 3", "sub-goals: 3", "reflections: 3", "pictures: 6", "texts: 4"):
        assert told in run.stdout
    assert MiniAligner().name in run.stdout


def test_show_writes_a_contact_sheet(memory, tmp_path):
    run = optimus("show", memory, 2, cwd=tmp_path)
    assert run.returncode == 0, run.stderr
    with Picture.open(tmp_path / "experience-2.png") as picture:
        assert picture.format == "PNG"
        pixels = np.array(picture)
    near_sand = np.abs(pixels.astype(int) - (220, 210, 150)).max(-1) < 12
    assert near_sand.sum() > 3 * 112 * 20
    assert (pixels.reshape(-1, 3) == (232, 100, 88)).all(1).any()


def numbers(run):
    return [int(line.split()[0]) for line in run.stdout.splitlines()[1:] if line.strip()]


def test_search_lists_experiences_by_task_outcome_and_biome(memory, tmp_path):
    run = optimus("search", memory, "make a pickaxe of wood", "--count", 1)
    assert run.returncode == 0, run.stderr
    assert numbers(run) == [3, 2]
    assert numbers(optimus("search", memory, "make a pickaxe of wood", "--outcome", "failure")) == [
        2
    ]
    sand = numbers(optimus("search", memory, "wooden pickaxe", "--biome", "forest"))
    assert sand == [1]
    Picture.fromarray(GRASS).save(tmp_path / "look.png")
    run = optimus("search", memory, "wooden pickaxe", "--image", tmp_path / "look.png")
    assert numbers(run)[0] == 1


def test_compact_deletes_and_merge_adds_experiences(memory, tmp_path):
    assert "deleted 1 experiences" in optimus("compact", memory, "--keep", 1).stdout
    assert "added 2 of 2 experiences" in optimus("merge", tmp_path / "other", memory).stdout
    assert "added 0 of 2 experiences" in optimus("merge", tmp_path / "other", memory).stdout


def test_merge_adds_a_memory_of_another_aligner(memory, tmp_path):
    other = tmp_path / "other"
    with ExperiencePool(other, Tinted()) as pool:
        pool.add_all([pictured("x"), pictured("y")])
    run = optimus("merge", memory, other)
    assert run.returncode == 0, run.stderr
    assert "added 2 of 2 experiences" in run.stdout
    assert "reading" in run.stderr
    assert "writing" in run.stderr
    run = optimus("search", memory, "craft a wooden axe", "--outcome", "success", "--count", 2)
    assert numbers(run) == [5, 4]
    assert MiniAligner().name in optimus("info", memory).stdout
    wrong = optimus("merge", memory, other, "--aligner", "tests.memory.making:Tinted")
    assert wrong.returncode == 2
    assert "expected vectors of aligner 'tinted' with 8 numbers" in wrong.stderr
    right = optimus("merge", tmp_path / "new", other, "--aligner", "tests.memory.making:Tinted")
    assert "added 2 of 2 experiences" in right.stdout


def test_a_damaged_experience_stops_a_merge_or_is_skipped(memory, tmp_path):
    with closing(sqlite3.connect(memory / MEMORY_FILE)) as connection, connection:
        connection.execute("UPDATE image SET picture = x'00' WHERE experience = 2")
    new = tmp_path / "new"
    run = optimus("merge", new, memory)
    assert run.returncode == 2
    assert (
        f"experience 2: memory: '{memory / MEMORY_FILE}' is damaged at the frame of tick"
        in run.stderr
    )
    assert "--skip-damaged skips damaged entries" in run.stderr
    assert not new.exists()
    run = optimus("merge", new, memory, "--skip-damaged")
    assert run.returncode == 0, run.stderr
    assert "experience 2: " in run.stdout
    assert "added 2 of 3 experiences; skipped 1 damaged ones" in run.stdout
    with closing(sqlite3.connect(memory / MEMORY_FILE)) as connection, connection:
        connection.execute("UPDATE image SET picture = x'00'")
    run = optimus("merge", tmp_path / "other", memory, "--skip-damaged")
    assert (run.returncode, (tmp_path / "other").exists()) == (2, False)
    assert "expected at least one undamaged entry, got 3 damaged ones" in run.stderr


@pytest.mark.parametrize("damaged", ["memory", "other"])
def test_a_damaged_graph_stops_a_merge_before_it_writes(memory, tmp_path, damaged):
    with ExperiencePool(tmp_path / "other", MiniAligner()) as pool:
        pool.add(pictured("x", first=None, pursuits=(), cases=()))
    (tmp_path / damaged / "hdkg.json").write_text("{")
    assert optimus("merge", memory, tmp_path / "other").returncode == 2
    with ExperiencePool(memory, MiniAligner(), writes=False) as pool:
        assert len(pool) == 3


def test_import_refuses_a_memory_of_this_package(memory, tmp_path):
    run = optimus("import", tmp_path / "new", memory)
    assert run.returncode == 2
    assert "`optimus-gym memory merge` adds it" in run.stderr


def verbs():
    parser = Parser(prog="optimus-gym memory")
    add_arguments(parser)
    return next(one for one in parser._actions if one.nargs == argparse.PARSER).choices


@pytest.mark.parametrize(("verb", "parser"), verbs().items())
def test_each_verb_has_an_example_that_begins_with_the_folder(verb, parser):
    (line,) = parser.examples
    program, command, *rest = shlex.split(line)
    assert (program, command, rest[:2]) == ("optimus-gym", "memory", [verb, "DIR"])
    assert str(parser.parse_args(rest[1:]).folder) == "DIR"


def test_a_missing_or_unknown_verb_is_rejected(memory):
    for arguments, why in (
        ((), "expected VERB, got none"),
        ((memory,), "unknown verb"),
        ((memory, "show", 1), "unknown verb"),
    ):
        run = optimus(*arguments)
        assert run.returncode == 2
        assert run.stderr.startswith(f"optimus-gym: {why}")


def test_teach_with_an_item_adds_the_items_ways_only(tmp_path):
    made = optimus("teach", tmp_path / "new", "--item", "iron_pickaxe")
    assert made.returncode == 0, made.stderr
    known = read_knowledge(tmp_path / "new")
    assert f"{len(known.sources)} known ways" in made.stdout
    steps = [step.item for step in known.requirements("iron_pickaxe").steps]
    assert steps == [step.item for step in full_graph().requirements("iron_pickaxe").steps]
    with pytest.raises(Unobtainable):
        known.requirements("diamond_sword")
    wrong = optimus("teach", tmp_path / "new", "--item", "iron_pikaxe")
    assert wrong.returncode == 2
    assert "did you mean 'iron_pickaxe'" in wrong.stderr


def test_teach_writes_all_known_ways(tmp_path):
    assert "known ways" in optimus("teach", tmp_path / "new").stdout
    assert (tmp_path / "new" / "hdkg.json").is_file()


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("show", 9), "no experience has the number 9"),
        (("show", 1, "--out", "sheet.jpg"), "expected a file that ends in .png"),
        (("search", ""), "expected a text with words, got ''"),
        (("show", 10**30), "too large"),
        (("search", "stick", "--count", 0), "count"),
        (("search", "stick", "--image", "nothing.png"), "'nothing.png' cannot be read"),
        (("search", "stick", "--item", "whale"), "unknown item 'whale'; did you mean 'wheat'"),
        (("compact", "--keep", 0), "keep"),
        (("merge", "nowhere"), "expected a folder that holds experience.sqlite"),
        (("import", "nowhere"), "nowhere"),
        (("search", "stick", "--aligner", "nobody"), "nobody"),
    ],
)
def test_bad_input_is_refused_and_changes_nothing(memory, arguments, told):
    before = {path.name: path.read_bytes() for path in memory.iterdir() if path.suffix == ".sqlite"}
    verb, *rest = arguments
    run = optimus(verb, memory, *rest)
    assert run.returncode == 2, run.stdout
    assert told in run.stderr
    assert "Traceback" not in run.stderr
    after = {path.name: path.read_bytes() for path in memory.iterdir() if path.suffix == ".sqlite"}
    assert after == before


def test_a_folder_without_a_memory_is_refused(tmp_path):
    for verb, *rest in (("info",), ("show", 1), ("search", "stick")):
        run = optimus(verb, tmp_path, *rest)
        assert run.returncode == 2
        assert "expected a folder that holds experience.sqlite" in run.stderr
    assert list(tmp_path.iterdir()) == []


def test_names_are_printed_without_markup(tmp_path):
    with ExperiencePool(tmp_path, MiniAligner()) as pool:
        odd = an_experience(pool, "a", "Craft a stick", "stick", GRASS)
        pool.add(replace(odd, task="[bold]Do[/it]", environment="[/]"))
    for verb, *rest in (("info",), ("search", "stick")):
        run = optimus(verb, tmp_path, *rest)
        assert run.returncode == 0, run.stderr
        assert "[bold]Do[/it]" in run.stdout


def test_a_memory_may_hold_ways_without_experiences(tmp_path):
    taught = optimus("teach", tmp_path / "one").stdout.split()[0]
    assert f"known ways: {taught}" in optimus("info", tmp_path / "one").stdout
    assert taught in optimus("merge", tmp_path / "other", tmp_path / "one").stdout
    assert f"known ways: {taught}" in optimus("info", tmp_path / "other").stdout


def test_a_failed_import_makes_no_memory(tmp_path):
    assert optimus("import", tmp_path / "new", tmp_path / "nothing").returncode == 2
    assert not (tmp_path / "new").exists()


def test_import_skips_damaged_files_on_request(tmp_path):
    public, new = tmp_path / "public", tmp_path / "new"
    for name, text in (
        ("Craft_a_stick", '{"plan": [{"id": "a", "planning": []}]}'),
        ("Cut", '{"plan": ['),
    ):
        path = public / "plan" / "success" / f"{name}.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    run = optimus("import", new, public)
    assert run.returncode == 2
    assert "Cut.json" in run.stderr
    assert "--skip-damaged skips damaged entries" in run.stderr
    assert not new.exists()
    run = optimus("import", new, public, "--skip-damaged")
    assert run.returncode == 0, run.stderr
    assert "added 1 of 1 experiences; skipped 1 damaged ones" in run.stdout
    assert "Cut.json" in run.stdout
    (public / "plan" / "success" / "Craft_a_stick.json").unlink()
    run = optimus("import", tmp_path / "other", public, "--skip-damaged")
    assert (run.returncode, (tmp_path / "other").exists()) == (2, False)
    assert "expected at least one undamaged entry, got 1 damaged" in run.stderr
