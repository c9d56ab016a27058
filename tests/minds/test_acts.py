"""The self-check knows acts: fights, walks, shafts and uses."""

import pytest

from optimus_gym.core.types import SubGoal
from optimus_gym.knowledge.abilities import abilities_of
from optimus_gym.knowledge.knowledge_graph import KnowledgeGraph
from optimus_gym.knowledge.simulate.pack import Pack
from optimus_gym.minds.self_check import faults_in, judging_by

FULL = judging_by(abilities_of("voxel").graph)


def faults(*subgoals, judging=FULL, **held):
    pack = Pack.of(held)
    return [str(fault) for fault in faults_in(subgoals, pack, judging)], pack


def test_acts_that_work_are_no_faults():
    plan = (
        SubGoal("find", "cow"),
        SubGoal("move", "cow"),
        SubGoal("fight", "cow", 2),
        SubGoal("use", "stick"),
        SubGoal("dig_down", "height", 11),
        SubGoal("dig_up", "sky"),
    )
    found, pack = faults(*plan, stick=1)
    assert found == []
    assert pack.held == {"stick": 1, "beef": 4, "leather": 2}


@pytest.mark.parametrize(
    ("act", "why"),
    [
        (SubGoal("use", "bucket"), "step 1 (use 1 bucket) cannot work: no bucket is held"),
        (SubGoal("fight", "dolphin"), "step 1 (fight 1 dolphin) cannot work: no dolphin is known"),
    ],
)
def test_an_act_that_cannot_work_is_named(act, why):
    assert faults(act)[0] == [why]


def test_a_plan_may_count_on_what_a_fight_leaves_behind():
    smelt = SubGoal("craft", "leather_boots")
    table = SubGoal("place", "crafting_table")
    able = faults(SubGoal("fight", "cow", 8), table, smelt, crafting_table=1)[0]
    few = faults(SubGoal("fight", "cow", 2), table, smelt, crafting_table=1)[0]
    assert able == []
    assert "2 more leather would be needed" in few[0]


def test_a_walk_for_an_act_takes_stations_along():
    table, chest = SubGoal("place", "crafting_table"), SubGoal("craft", "chest")
    for act in (SubGoal("move", "cow"), SubGoal("dig_up", "sky"), SubGoal("fight", "cow")):
        found = faults(table, act, chest, crafting_table=1, oak_planks=8)[0]
        assert "no crafting_table is in reach" in found[0]


def test_with_unknown_ways_a_fight_with_an_unknown_creature_passes():
    unknown = judging_by(KnowledgeGraph(()), is_whole=False)
    found, pack = faults(SubGoal("fight", "cow"), judging=unknown)
    assert (found, pack.held) == ([], {})
