"""`benchmarks/query_generation.py` knows which remembered tasks are needed, by the game's tables alone."""

import pytest

from benchmarks.query_generation import halves, is_needed, obtainable, shares
from optimus_gym.game.tasks import tasks

ALL = {task.id: task for suite in ("optimus-67", "jarvis-190") for task in tasks(suite).values()}


@pytest.mark.parametrize(
    ("part", "goal", "needed"),
    [
        ("Wood", "Stone", True),
        ("Stone", "Wood", False),
        ("CraftFurnace", "SmeltGoldIngot", True),
        ("CraftSmoker", "SmeltGoldIngot", False),
        ("SmeltCharcoal", "SmeltGoldIngot", False),
        ("Stone", "Diamond", True),
        ("Stone", "Stone", False),
    ],
)
def test_a_part_is_needed_if_nothing_leads_to_the_goal_without_it(part, goal, needed):
    assert is_needed(ALL[part], ALL[goal]) is needed


def test_the_game_gives_diamonds_and_no_netherite():
    assert "diamond" in obtainable(frozenset())
    assert "netherite_ingot" not in obtainable(frozenset())
    assert "diamond" not in obtainable(frozenset({"stick"}))


def test_halves_are_drawn_apart_and_share_no_task():
    kept, asked = halves(0)
    assert not {frozenset(task.kinds) for task in kept} & {frozenset(one.kinds) for one in asked}
    assert [task.id for task in halves(0)[0]] == [task.id for task in kept]
    assert [task.id for task in halves(1)[0]] != [task.id for task in kept]


def test_recall_counts_each_helpful_task_once():
    assert shares(["a", "b", "a"], {"a", "c"}) == (0.5, 1.0)
    assert shares(["b"], {"a"}) == (0.0, 0.0)
