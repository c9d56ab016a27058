"""Curricula choose a round's tasks: by kinds, in order, by chance, or by the backbone."""

import pytest

from optimus_gym.core.errors import UnknownName
from optimus_gym.core.registry import load
from optimus_gym.knowledge.abilities import abilities_of
from optimus_gym.run.evaluate.evaluation import Evaluation
from optimus_gym.run.learn.curricula import FREE_EXPLORATION, TaskCounts, curriculum_of
from optimus_gym.run.learn.learning_setup import Learning
from optimus_gym.seeds import TRAIN

TASKS = ("CraftStick", "CraftCraftingTable", "Wood", "Stone")
ABLE = abilities_of("symbolic").graph


def made(which, counts=(4, 0, 3), seed=TRAIN.start, pool=TASKS, **other):
    given = {"agent": "jarvis-1", "world": "symbolic", "tasks": ("Wood",), "episodes": 1}
    evaluation = Evaluation(**{**given, "seed": 10_000, **other})
    biomes = load("world", "symbolic").biomes
    return curriculum_of(which, evaluation, ABLE, biomes, pool=pool, seed=seed, counts=counts)


def rounds(curriculum, epochs=1):
    progress = TaskCounts()
    return [
        curriculum.batch(epoch, number, progress).tasks
        for epoch in range(epochs)
        for number in range(curriculum.rounds)
    ]


def test_explorations_come_before_lessons_in_rounds_of_a_size():
    free = made(FREE_EXPLORATION, (5, 3, 2))
    batches = [free.batch(0, number, TaskCounts()) for number in range(free.rounds)]
    assert [(one.kind, len(one.tasks)) for one in batches] == [
        ("explore", 2), ("explore", 2), ("explore", 1), ("teach", 2), ("teach", 1),
    ]  # fmt: skip
    ids = [row["id"] for one in batches for row in one.tasks]
    assert len(set(ids)) == len(ids)


def test_a_list_goes_on_where_the_round_before_ended():
    listed = made("listed")
    assert rounds(listed, 2) == [tuple(listed_names()[:3]), (listed_names()[3],), *second_turn()]


def listed_names():
    evaluation = Evaluation(world="symbolic", tasks=TASKS, episodes=1, seed=10_000)
    return list(evaluation.tasks)


def second_turn():
    """Return the second epoch's rounds: the list begins again behind the first epoch's four tasks."""
    names = listed_names()
    return [tuple(names[:3]), (names[3],)]


def test_draws_follow_the_seed():
    assert rounds(made("random"), 3) == rounds(made("random"), 3)
    assert len({str(rounds(made("random", seed=TRAIN.start + k))) for k in range(5)}) > 1
    assert all(len(set(one)) == len(one) for one in rounds(made("random", (9, 0, 4)), 2))


def test_the_backbone_proposes_by_what_was_reached():
    proposing = made("self", (4, 0, 2))
    progress = TaskCounts()
    first = proposing.batch(0, 0, progress).tasks
    assert first == ("CraftStick", "CraftCraftingTable")
    progress.note(first, first)
    assert proposing.batch(0, 1, progress).tasks == ("Wood", "Stone")


def test_the_agents_switch_decides_whether_proposals_hold_recipes():
    agent = {"name": "jarvis-1", "switches": {"recipes": ["plan"]}}
    tasks = ("CraftWoodenShovel", "CraftStick")
    planks = {"inventory": {"oak_planks": 8}}
    for given, first in (({}, "CraftStick"), ({"agent": agent}, "CraftWoodenShovel")):
        chosen = made("self", (1, 0, 1), pool=tasks, start=planks, **given)
        assert chosen.batch(0, 0, TaskCounts()).tasks == (first,)


def test_an_unknown_curriculum_is_named():
    with pytest.raises(UnknownName, match="curriculum"):
        made("clever")


def test_without_a_pool_all_tasks_of_the_suite_may_be_chosen():
    chosen = rounds(made("listed", (67, 0, 67), pool=()))
    assert len(set(chosen[0])) == 67


@pytest.mark.parametrize("which", ["listed", "random", "self"])
def test_a_pool_smaller_than_a_round_is_played_again(which):
    chosen = rounds(made(which, (7, 0, 5), pool=("Wood", "CraftStick")))
    assert [len(one) for one in chosen] == [2, 2, 2, 1]
    learning = Learning(
        evaluation=Evaluation(world="symbolic", tasks=("Wood",), episodes=1, seed=10_000),
        curriculum=which, pool=("Wood", "CraftStick"), explore=7, teach=0, round=5, seed=TRAIN.start,
    )  # fmt: skip
    assert learning.rounds == 4
