"""A world that breaks its contract is refused at once, with a message of what was expected."""

import re

import numpy as np
import pytest

from optimus_gym.core.errors import BadValue
from optimus_gym.core.types import EVENT_KINDS, SubGoal
from optimus_gym.core.world_powers import NearbyCreature, Surroundings
from optimus_gym.envs.reaching import evidence_of
from optimus_gym.envs.world_answers import _subjects, check_surroundings
from optimus_gym.worlds.voxel.state.worlds import EVENT_NAMES
from optimus_gym.worlds.voxel.world import _subject_names
from tests.envs.conftest import make
from tests.worlds.mistaken import MISTAKEN, Overtime, Promising


def play(world, **arguments):
    """Play an episode of the wooden pickaxe to its end."""
    env = make("Optimus-Wood-v0", world=world, **arguments)
    env.reset(seed=1)
    status = "running"
    while status == "running":
        status = env.step(0)[4]["status"]


@pytest.mark.parametrize(("world", "words"), MISTAKEN, ids=lambda one: getattr(one, "__name__", ""))
def test_the_error_for_a_wrong_answer_names_world_and_rule(world, words):
    name = f"{world.__module__}:{world.__name__}"
    given = {"name": name, "failures": 0.9} if world is Promising else name
    with pytest.raises(BadValue, match=re.escape(words)) as caught:
        play(given, ticks=3000, **({"subgoal_ticks": 7} if world is Overtime else {}))
    assert str(caught.value).startswith("world ")
    assert name in str(caught.value)
    assert len(str(caught.value).splitlines()) == 1


def test_the_embedded_worlds_events_and_subjects_are_known():
    assert set(EVENT_NAMES) <= set(EVENT_KINDS)
    for kind in range(len(EVENT_NAMES)):
        assert set(_subject_names(kind)) <= _subjects()


@pytest.mark.parametrize(
    ("subgoal", "words"),
    [
        (SubGoal("mine", "oak_log", 3), "3 more of oak_log held than before (`counts`)"),
        (SubGoal("equip", "iron_boots"), "iron_boots worn or in hand (`bodies`)"),
        (SubGoal("find", "cow"), "the event found of cow (`events`)"),
        (SubGoal("recover", "night"), "a player that is no longer night (`predicaments`)"),
        (SubGoal("recover", "hurt"), "a player that is no longer hurt (`bodies, poses`)"),
        (
            SubGoal("place", "torch", accepts=("torch", "lantern")),
            "the event used of torch or lantern (`events`)",
        ),
    ],
)
def test_the_evidence_of_a_subgoal_is_described_in_words(subgoal, words):
    assert evidence_of(subgoal) == words


def test_items_lost_by_chance_do_not_fail_the_subgoal():
    """MP5's Random Drop (appendix D.3.2) takes a log while logs are mined."""
    env = make("Optimus-Wood-v0", world={"name": "symbolic", "drop": "material", "drop_after": 0})
    env.reset(seed=1)
    mine = env.unwrapped.skill_names.index("mine oak_log")
    for lost in ((), ("oak_log",), ("oak_log",)):
        *_, reward, _, _, info = env.step(mine)
        assert info["outcome"] == "reached"
        assert reward == 2
        assert tuple(subject for kind, subject, _ in info["events"] if kind == "lost") == lost


def test_info_lists_ended_subgoals_apart_from_the_running_subgoal():
    env = make("OptimusControl-Stone-v0", info="full")
    _, info = env.reset(seed=1, options={"inventory": {"oak_log": 3}})
    names, ended = set(), list(info["ended"])
    for _ in range(12):
        *_, info = env.step(env.unwrapped.noop())
        names.add(info["subgoal"])
        ended += info["ended"]
        assert (info["outcome"], info["failure"]) == ("", ())
    assert ended
    assert names.isdisjoint({name for name, _ in ended})
    subgoals = make("Optimus-Wood-v0", world="symbolic")
    subgoals.reset(seed=1)
    *_, info = subgoals.step(0)
    assert info["ended"] == ((info["subgoal"], info["outcome"]),)
    assert info["outcome"] == "reached"


@pytest.mark.parametrize(
    ("told", "words"),
    [
        (None, "expected Surroundings, got None"),
        ((np.zeros((2, 3), np.int32), ()), "expected int32[2, 3, 0], got int32[2, 3]"),
        ((np.zeros((1, 1, 1), np.int64), ()), "got int64[1, 1, 1]"),
        ((np.full((1, 1, 1), 763, np.int32), ()), "expected block ids of -1 to 762"),
        ((np.zeros((1, 1, 1), np.int32), ("cov",)), "did you mean 'cow'"),
    ],
)
def test_a_wrong_report_of_surroundings_is_refused(told, words):
    if told is not None:
        creatures = tuple(NearbyCreature(name, 0.0, 0.0, 0.0, 1.0) for name in told[1])
        told = Surroundings((0, 0, 0), told[0], creatures)
    with pytest.raises(BadValue, match=re.escape(words)):
        check_surroundings("w", told)
