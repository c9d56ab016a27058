"""Self-evolution fills one memory, the same one whatever is killed, resumed, and however many play."""

import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest
from filelock import FileLock

from optimus_gym.agents.optimus1.agent import Optimus1
from optimus_gym.core.errors import BadMemory, BadValue, OptimusError, UnknownName
from optimus_gym.knowledge.graph_file import dumps
from optimus_gym.knowledge.graph_folder import read_knowledge
from optimus_gym.knowledge.knowledge_graph import KnowledgeGraph, full_graph
from optimus_gym.memory.store import ExperienceStore
from optimus_gym.run.evaluate.evaluation import Evaluation
from optimus_gym.run.learn.epochs import learned
from optimus_gym.run.learn.learning_setup import Learning, Round
from optimus_gym.run.learn.school import MEMORY
from optimus_gym.run.learn.taking_over import known_share
from optimus_gym.seeds import TRAIN

ROOT = Path(__file__).resolve().parents[3]
COUNTS = {"explore": 5, "teach": 2, "round": 4}


def learning(**other):
    tasks = ("CraftCraftingTable", "Stone")
    parts = {"world": "symbolic", "tasks": tasks, "episodes": 1, "seed": 10_000}
    given = {name: other.pop(name) for name in ("world", "memory", "agent") if name in other}
    evaluation = Evaluation(**{"suite": "optimus-ablation-18", **parts, **given})
    return Learning(**{"evaluation": evaluation, **COUNTS, **other})


def content(folder):
    """Return all that a run's memory holds: its ways, and its episodes in their order."""
    memory = folder / MEMORY
    with ExperienceStore(memory, None, writes=False) as store:
        told = [repr(store.get(number)) for number in store.numbers()]
    return dumps(read_knowledge(memory)), told


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """Return the steps and the folder of an undisturbed run of two epochs by one process."""
    folder = tmp_path_factory.mktemp("learned") / "whole"
    return list(learned(learning(), folder, 2)), folder


def test_epochs_have_rounds_and_end_with_an_evaluation(whole):
    steps, folder = whole
    kinds = [one.kind if isinstance(one, Round) else one.number for one in steps]
    epoch = ["explore", "explore", "teach"]
    assert kinds == [0, *epoch, 1, *epoch, 2]
    assert [len(one.tasks) for one in steps if isinstance(one, Round)] == [4, 1, 2, 4, 1, 2]
    first, *_, last = (one for one in steps if not isinstance(one, Round))
    assert (first.size.experiences, first.size.ways, first.size.share) == (0, 0, 0.0)
    assert not any(row.success for row in first.results.rows)
    assert last.size.experiences == len(content(folder)[1]) == 14
    assert all(row.success for row in last.results.rows)
    assert last.size.ways == len(read_knowledge(folder / MEMORY).sources)
    assert 0 < last.size.share < 0.2


def test_lessons_are_reached_by_plans_of_the_recipe_data(whole):
    taught = [one for one in whole[0] if isinstance(one, Round) and one.kind == "teach"]
    assert all(one.reached == one.tasks for one in taught)


def test_a_finished_run_is_read_without_playing(whole):
    steps, folder = whole
    files = {path: path.stat().st_mtime_ns for path in folder.rglob("*.json*")}
    assert list(learned(learning(), folder, 2)) == steps
    assert {path: path.stat().st_mtime_ns for path in folder.rglob("*.json*")} == files


def test_any_number_of_processes_and_rows_fills_the_same_memory(whole, tmp_path):
    steps = list(learned(learning(), tmp_path / "two", 1, workers=2, rows=3))
    again = list(learned(learning(), tmp_path / "two", 2, rows=2))
    assert rounds_of(again)[:3] == rounds_of(steps)
    assert content(tmp_path / "two") == content(whole[1])


def rounds_of(steps):
    return [one for one in steps if isinstance(one, Round)]


KILLED = """
import sys
from pathlib import Path
from tests.run.learn.test_epochs import learning
from optimus_gym.run.learn.epochs import learned
if __name__ == "__main__":
    list(learned(learning(), Path(sys.argv[1]), 2, evaluates=False))
"""


@pytest.mark.parametrize("kills", [2, pytest.param(10, marks=pytest.mark.slow)])
def test_a_driver_that_is_killed_leaves_the_same_memory(whole, tmp_path, kills):
    script = tmp_path / "driver.py"
    script.write_text(KILLED)
    command = [sys.executable, str(script), str(tmp_path / "killed")]
    where = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    draws = random.Random(kills)
    for _ in range(kills):
        process = subprocess.Popen(command, env=where, start_new_session=True)
        time.sleep(draws.uniform(2.5, 9.0))
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
    subprocess.run(command, env=where, check=True)
    assert content(tmp_path / "killed") == content(whole[1])


def test_an_interrupted_merge_goes_on(whole, tmp_path, monkeypatch):
    from optimus_gym.run.learn import taking_over as module

    real, calls = module.merge, []

    def dying(*given, **named):
        calls.append(given)
        if len(calls) == 3:
            raise KeyboardInterrupt
        return real(*given, **named)

    monkeypatch.setattr(module, "merge", dying)
    with pytest.raises(KeyboardInterrupt):
        list(learned(learning(), tmp_path / "cut", 2, evaluates=False))
    assert not (tmp_path / "cut" / "epoch-1" / "round-001" / "round.json").exists()
    assert len(content(tmp_path / "cut")[1]) == 2
    list(learned(learning(), tmp_path / "cut", 2, evaluates=False))
    assert content(tmp_path / "cut") == content(whole[1])


def test_another_configuration_is_refused_by_its_fields(whole, tmp_path):
    with pytest.raises(BadValue, match=r"explore: there 5, asked for 6") as told:
        next(learned(learning(explore=6, seed=TRAIN.start + 1), whole[1]))
    assert "seed: there 100000, asked for 100001" in str(told.value)
    assert "round" not in str(told.value)
    (tmp_path / "strange").write_text("")
    with pytest.raises(BadValue, match="expected a new or empty folder"):
        next(learned(learning(), tmp_path))


@pytest.mark.parametrize("given", [{"tasks": ("Stone", "Iron")}, {"episodes": 2}])
def test_another_evaluation_is_refused_by_its_fields(whole, given):
    evaluation = replace(learning().evaluation, **given)
    with pytest.raises(BadValue, match=f"evaluated.{next(iter(given))}: there"):
        next(learned(learning(evaluation=evaluation), whole[1], 2))


def test_a_run_without_evaluations_refuses_one_later(tmp_path):
    assert list(learned(learning(), tmp_path, 1, evaluates=False))
    with pytest.raises(BadValue, match=r"evaluated.episodes: there 0, asked for 1"):
        next(learned(learning(), tmp_path, 1))


@pytest.mark.parametrize("lost", ["memory", "memory/hdkg.json", "epoch-2"])
def test_a_run_reports_a_lost_part_of_its_memory(whole, tmp_path, lost):
    folder = tmp_path / "run"
    shutil.copytree(whole[1], folder)
    place = folder / lost
    shutil.rmtree(place) if place.is_dir() else place.unlink()
    with pytest.raises(BadMemory, match=r"memory: expected .* episodes and .* ways in"):
        list(learned(learning(), folder, 2))


@pytest.mark.parametrize("lost", ["epoch.json", "evaluation"])
def test_an_evaluation_is_not_made_with_a_later_memory(whole, tmp_path, lost):
    folder = tmp_path / "run"
    shutil.copytree(whole[1], folder)
    place = folder / "epoch-1" / lost
    shutil.rmtree(place) if place.is_dir() else place.unlink()
    with pytest.raises(BadValue, match="expected the whole evaluation after epoch 1"):
        list(learned(learning(), folder, 2))


@pytest.mark.parametrize("name", ["round.json", "tasks.json"])
def test_a_run_reports_a_damaged_round(whole, tmp_path, name):
    folder = tmp_path / "run"
    shutil.copytree(whole[1], folder)
    (folder / "epoch-1" / "round-001" / "round.json").unlink()
    (folder / "epoch-1" / "round-001" / name).write_text("{}")
    with pytest.raises(BadValue, match=f"{name}: expected the fields"):
        list(learned(learning(), folder, 2))


def test_a_failed_start_leaves_nothing(tmp_path):
    with pytest.raises(UnknownName, match="did you mean 'self'"):
        learning(curriculum="slef")
    foreign = tmp_path / "foreign"
    foreign.mkdir()
    (foreign / "notes.txt").write_text("no memory")
    folder = tmp_path / "run"
    with pytest.raises(BadValue, match=r"memory: expected a folder with experience.sqlite or hdkg"):
        next(learned(learning(memory=foreign), folder, 1))
    (foreign / "hdkg.json").write_text("{")
    with pytest.raises(BadValue, match=r"hdkg\.json"):
        next(learned(learning(memory=foreign), folder, 1))
    assert {one.name for one in folder.iterdir()} == {".lock"}
    next(learned(learning(), folder, 1))


def test_a_run_below_its_first_memory_copies_the_memory_alone(whole, tmp_path):
    first = tmp_path / "memory"
    shutil.copytree(whole[1] / MEMORY, first)
    begun = learned(learning(memory=first), first / "next", 1)
    next(begun)
    begun.close()
    assert {one.name for one in (first / "next" / MEMORY).iterdir()} <= {
        one.name for one in (whole[1] / MEMORY).iterdir()
    }


def test_a_run_stops_if_all_its_episodes_crash(tmp_path):
    agent = {"name": "tests.run.learn.test_epochs:Broken"}
    with pytest.raises(BadValue, match=r"learn: all 2 episodes of .* crashed: .*no mind"):
        list(learned(learning(agent=agent), tmp_path / "run", 1))


class Broken(Optimus1):
    """An agent that fails as it begins to think."""

    def begin_episodes(self, *given, **named):
        raise RuntimeError("no mind")


def test_two_drivers_do_not_learn_in_one_folder(whole):
    with FileLock(whole[1] / ".lock"), pytest.raises(BadValue, match="another process learns"):
        next(learned(learning(), whole[1]))


@pytest.mark.parametrize(
    ("given", "match"),
    [
        ({"explore": 0, "teach": 0}, "expected explorations or lessons"),
        ({"round": 0}, "round: expected an integer of at least 1"),
        ({"seed": 5}, "seed 5 is a test seed"),
        ({"pool": ("Stoen",)}, "unknown task of suite 'optimus-ablation-18' 'Stoen'"),
    ],
)
def test_bad_numbers_are_refused(given, match):
    with pytest.raises(OptimusError, match=match):
        learning(**given)


def test_a_run_takes_training_seeds_alone():
    with pytest.raises(BadValue, match="seed: expected a training seed, from 100000, got 99999"):
        learning(seed=TRAIN.start - 1)


def test_no_epochs_and_no_processes_are_refused(tmp_path):
    with pytest.raises(BadValue, match="epochs: expected an integer of at least 1"):
        next(learned(learning(), tmp_path / "a", 0))
    with pytest.raises(BadValue, match="workers: expected an integer"):
        next(learned(learning(), tmp_path / "b", workers=0))


def test_a_run_may_begin_with_a_copy_of_a_memory(whole, tmp_path):
    given = {"memory": whole[1] / MEMORY, "explore": 2, "teach": 0, "seed": TRAIN.start + 9}
    steps = list(learned(learning(**given), tmp_path / "more", 1))
    assert steps[0].size.experiences == 14
    assert steps[-1].size.experiences == 16
    assert len(content(whole[1])[1]) == 14


def test_the_share_counts_ways_that_the_memory_has_examples_of():
    able = full_graph()
    assert known_share(KnowledgeGraph.empty(), able) == 0
    assert known_share(able, able) > 0.9
    some = KnowledgeGraph(able.sources[:10])
    assert 0 < known_share(some, able) <= 20 / len(able.sources)


def test_agents_of_a_suite_share_a_memory_of_their_own_kind(tmp_path):
    pool = ("CraftCraftingTable", "Stone")
    jarvis = learning(agent="jarvis-1", curriculum="listed", pool=pool, explore=2, teach=0)
    (done,) = learned(jarvis, tmp_path / "jarvis", 1, evaluates=False)
    assert done.reached == ("CraftCraftingTable", "Stone")
    assert len(content(tmp_path / "jarvis")[1]) == 2
    told = json.loads((tmp_path / "jarvis/epoch-1/round-001/tasks.json").read_text())
    assert told == {"kind": "tasks", "tasks": list(done.tasks), "problems": []}


@pytest.mark.parametrize("crew", [{"workers": 0}, {"rows": 0}, {"workers": 257}])
def test_a_crew_that_cannot_be_is_refused_before_a_folder_is_made(tmp_path, crew):
    with pytest.raises(BadValue, match="expected an integer from 1"):
        list(learned(learning(), tmp_path / "new", **crew))
    assert not (tmp_path / "new").exists()


LIMITED = """
import resource, sys
from pathlib import Path
from tests.run.learn.test_epochs import learning
from optimus_gym.core.errors import BadValue
from optimus_gym.run.learn.epochs import learned
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[2]), resource.RLIM_INFINITY))
try:
    for _ in learned(learning(), Path(sys.argv[1]), 2):
        pass
except (BadValue, OSError) as error:
    print(error)
"""
"""The system refuses to make a file longer than its limit as it does on a full disk."""


@pytest.mark.parametrize("limit", [0, 30_000, 70_000])
def test_a_run_stops_on_a_full_disk_and_goes_on_when_there_is_room(whole, tmp_path, limit):
    steps, folder = whole
    script = [sys.executable, "-c", LIMITED, str(tmp_path / "run"), str(limit)]
    told = subprocess.run(script, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert "too large" in told or "cannot be used: disk I/O error" in told, told
    assert str(tmp_path / "run") in told
    again = list(learned(learning(), tmp_path / "run", 2))
    rounds = [one for one in steps if isinstance(one, Round)]
    assert [one for one in again if isinstance(one, Round)] == rounds
    assert content(tmp_path / "run") == content(folder)


SCRIPTED = "optimus_gym.backbones.scripted:ScriptedBackbone"


def test_a_round_without_a_usable_proposal_is_empty(tmp_path):
    evaluation = Evaluation(
        world="symbolic", agent="jarvis-1", tasks=("Wood",), episodes=1, seed=10_000,
        backbone={"name": SCRIPTED, "replies": ["I cannot help with that."] * 9},
    )  # fmt: skip
    asked = Learning(
        evaluation=evaluation, curriculum="self", pool=("Wood", "Stone"), explore=2, teach=0
    )
    steps = learned(asked, tmp_path / "run", 1, evaluates=False)
    (only,) = (one for one in steps if isinstance(one, Round))
    assert (only.tasks, only.experiences) == ((), 0)
    assert only.problems
    assert not list((tmp_path / "run").rglob("rows.jsonl")), "nothing is played"
