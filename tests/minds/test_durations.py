"""The usual duration of a sub-goal comes from three reached ones of its kind, else from the graph."""

from dataclasses import replace

import pytest

from optimus_gym.core.types import SubGoal
from optimus_gym.knowledge.knowledge_graph import KnowledgeGraph, full_graph
from optimus_gym.memory.experience import Experience, PastPursuit, keyed
from optimus_gym.memory.pool import ExperiencePool
from optimus_gym.minds.durations import FEWEST_TIMES, Durations
from optimus_gym.vision.mini_aligner import MiniAligner

SMELT = SubGoal("smelt", "iron_ingot", 8, text="smelt 8 iron ingot")
NOTHING = KnowledgeGraph(())


def pursuits(*told):
    return tuple(PastPursuit(text, end, "", ticks, ticks) for text, end, ticks in told)


@pytest.fixture
def pool(tmp_path):
    with ExperiencePool(tmp_path, MiniAligner(threads=1)) as pool:
        yield pool


def remember(pool, *told):
    pool.add(
        keyed(Experience("", "Iron", "iron", "forest", {}, (), pursuits(*told), (), "success", 9))
    )


def test_the_graph_gives_durations_of_searches_and_batches():
    pace = Durations(None, full_graph())
    assert pace.usual(SMELT) == 1600
    assert pace.usual(SubGoal("mine", "iron_ore", 3, text="mine 3 iron ore")) == 700 + 3 * 90
    assert pace.usual(SubGoal("mine", "oak_log", 2, ("oak_log", "birch_log"))) == 360
    assert pace.usual(replace(SMELT, station="blast_furnace")) == 800
    assert pace.usual(SubGoal("recover", "in_water", text="recover in water")) is None
    assert Durations(None, NOTHING).usual(SMELT) is None


def test_three_remembered_sub_goals_outrank_the_graph_per_piece(pool):
    for ticks in (200, 300)[: FEWEST_TIMES - 1]:
        remember(pool, ("smelt 1 iron ingot", "reached", ticks))
    assert Durations(pool, full_graph()).usual(SMELT) == 1600
    remember(pool, ("smelt 4 iron ingot", "complete", 4 * 250))
    assert Durations(pool, full_graph()).usual(SMELT) == 8 * 250


@pytest.mark.parametrize(
    "told",
    [
        ("smelt 1 iron ingot", "failed", 10),
        ("smelt 1 gold ingot", "reached", 10),
        ("craft 1 iron ingot", "reached", 10),
        ("smelt 1 cast iron ingot of", "reached", 10),
    ],
)
def test_other_kinds_and_failures_do_not_count(pool, told):
    for number in range(FEWEST_TIMES):
        remember(pool, (told[0], told[1], told[2] + number))
    assert Durations(pool, NOTHING).usual(SMELT) is None
