"""The command `learn`: rounds of proposed tasks fill one memory, which several processes share."""

import re

import pytest

from optimus_gym.agents.jarvis1.self_instruct import Achieved
from optimus_gym.core.errors import BadValue, UnknownName
from optimus_gym.memory.store import ExperienceStore
from optimus_gym.run.cli import main
from optimus_gym.run.evaluate.evaluation import Evaluation
from optimus_gym.run.learn import CURRICULA, learned, memory_size, proposer
from optimus_gym.seeds import TRAIN

TASKS = ("CraftStick", "CraftCraftingTable", "Wood", "Stone")


def evaluation(folder, **other):
    given = {"agent": "jarvis-1", "world": "symbolic", "tasks": TASKS, "episodes": 1, "learn": True}
    return Evaluation(**{**given, "seed": TRAIN.start, "memory": folder, **other})


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    """Return two rounds of two processes, the memory that they shared, and its copies."""
    folder = tmp_path_factory.mktemp("learned")
    whole = evaluation(folder / "memory")
    rounds = list(learned(whole, rounds=2, batch=2, workers=2, snapshots=folder / "copies"))
    return rounds, folder / "memory", folder / "copies"


def test_rounds_follow_what_was_reached_and_the_memory_grows(played):
    rounds, _, copies = played
    first, second = ("CraftStick", "CraftCraftingTable"), ("Wood", "Stone")
    told = [(one.tasks, one.reached, one.size, one.problems) for one in rounds]
    assert told == [(first, first, 2, ()), (second, second, 4, ())]
    made = sorted(copies.iterdir())
    assert [copy.name for copy in made] == ["round-001-00002", "round-002-00004"]
    assert [memory_size(copy) for copy in made] == [2, 4]


def test_the_processes_of_a_round_share_the_memory(played):
    with ExperienceStore(played[1], None, writes=False) as store:
        tasks = {store.outline(number).task for number in store.numbers()}
    assert tasks == set(TASKS)


def test_no_round_begins_when_the_memory_is_large_enough(played):
    assert list(learned(evaluation(played[1]), until=4)) == []


def test_listed_and_drawn_curricula_follow_the_suite_and_chance(tmp_path):
    whole = evaluation(tmp_path)
    pool = [whole.known[name] for name in whole.tasks]

    def rounds(which, seed=TRAIN.start):
        propose = proposer(evaluation(tmp_path, seed=seed), which, pool)
        return [[one.id for one in propose(Achieved(), 3, n).tasks] for n in (1, 2)]

    names = list(whole.tasks)
    assert rounds("listed") == [names[:3], [names[3], *names[:2]]]
    assert rounds("random") == rounds("random")
    assert len({str(rounds("random", TRAIN.start + k)) for k in range(5)}) > 1


def test_the_agents_switch_decides_whether_proposals_hold_recipes(tmp_path):
    agent = {"name": "jarvis-1", "switches": {"recipes": ["plan"]}}
    whole = evaluation(tmp_path, agent=agent)
    pool = [whole.known[name] for name in ("Iron", "CraftStick")]
    for one, first in ((whole, "Iron"), (evaluation(tmp_path), "CraftStick")):
        (task,) = proposer(one, "self", pool)(Achieved(done={"planks": 1}), 1, 1).tasks
        assert task.id == first


def test_bad_arguments_are_refused(tmp_path):
    with pytest.raises(BadValue, match="batch: expected an integer of at least 1"):
        next(learned(evaluation(tmp_path), batch=0))
    with pytest.raises(BadValue, match="learn: expected an evaluation with learn"):
        next(learned(evaluation(tmp_path, learn=False)))
    with pytest.raises(BadValue, match="learn: expected a memory folder to learn into"):
        evaluation(None)
    with pytest.raises(UnknownName, match="curriculum"):
        next(learned(evaluation(tmp_path), "clever"))


def test_an_evaluation_that_learns_nothing_keeps_its_identity(tmp_path):
    assert "learn" not in evaluation(tmp_path, learn=False).plain()
    whole = evaluation(tmp_path)
    assert Evaluation(**whole.plain()) == whole


def test_the_command_prints_a_line_for_each_round(tmp_path, capsys):
    tasks = "--tasks", "CraftStick,Wood"
    assert (
        main(
            [
                "learn",
                "--world",
                "symbolic",
                "--agent",
                "jarvis-1",
                "--memory",
                str(tmp_path),
                "--rounds",
                "1",
                *tasks,
            ]
        )
        == 0
    )
    assert re.search(
        r"round 1: reached .*CraftStick.*; 2 episodes remembered", capsys.readouterr().out
    )


def test_the_command_needs_a_memory_and_a_known_curriculum(tmp_path, capsys):
    assert main(["learn"]) == 2
    assert "expected --memory DIR" in capsys.readouterr().err
    assert main(["learn", "--memory", str(tmp_path), "--curriculum", "clever"]) == 2
    assert CURRICULA[0] in capsys.readouterr().err
    assert main(["learn", "--memory", str(tmp_path), "--seed", "5"]) == 2
    assert "test seed" in capsys.readouterr().err
