"""A policy chooses from a few sub-goals."""

import gymnasium as gym
import numpy as np
import pytest

import optimus_gym  # noqa: F401
from optimus_gym.core.errors import BadValue, UnknownName
from optimus_gym.seeds import VALIDATION
from optimus_gym.wrappers.subgoal_set import SubgoalSet

NAMES = ("mine oak_log", "follow the plan", "craft oak_planks")


def batch(view="Optimus", **given):
    given = {"world": "symbolic", "resolution": (36, 36), "agent": "none", **given}
    return gym.make_vec(f"{view}-Wood-v0", 2, vectorization_mode="vector_entry_point", **given)


def test_a_choice_is_the_sub_goal_of_its_name():
    chosen, whole = SubgoalSet(batch(), NAMES), batch()
    chosen.reset(seed=VALIDATION[0])
    whole.reset(seed=VALIDATION[0])
    names = whole.unwrapped.skill_names
    for actions in ([0, 0], [2, 1], [1, 2]):
        mine = chosen.step(np.array(actions))
        other = whole.step(np.array([names.index(NAMES[action]) for action in actions]))
        assert mine[4]["subgoal"].tolist() == other[4]["subgoal"].tolist()
        assert np.array_equal(mine[0]["inventory"], other[0]["inventory"])
    assert chosen.single_action_space.n == len(NAMES)
    assert chosen.told == {"subgoals": list(NAMES)}


def test_masks_are_those_of_the_set():
    chosen = SubgoalSet(batch(), NAMES)
    chosen.reset(seed=VALIDATION[0])
    assert chosen.action_masks(0).tolist() == [True, True, False], "no log, no planks"
    chosen.step(np.array([0, 1]))
    assert chosen.action_masks(0).tolist() == [True, True, True]
    assert chosen.action_masks(1).tolist() == [True, True, False]


@pytest.mark.parametrize(
    ("names", "error"),
    [((), BadValue), ("mine", BadValue), (NAMES[:1] * 2, BadValue), (("mine lgo",), UnknownName)],
)
def test_bad_names_are_refused(names, error):
    with pytest.raises(error):
        SubgoalSet(batch(), names)


def test_other_environments_are_refused():
    flat = batch("OptimusControl", world="voxel", agent="optimus-1")
    with pytest.raises(BadValue, match="of the sub-goal view"):
        SubgoalSet(flat, NAMES)


@pytest.mark.parametrize("actions", [[0], [0, 3], [0.0, 1.0]])
def test_bad_actions_are_refused(actions):
    chosen = SubgoalSet(batch(), NAMES)
    chosen.reset(seed=VALIDATION[0])
    with pytest.raises(BadValue, match="expected 2 integers from 0 to 2"):
        chosen.step(np.array(actions))


def test_the_last_observation_of_a_truncated_episode_shows_what_could_have_begun():
    for ticks, expected in ((30, [1, 1, 0]), (5000, [0, 0, 0])):
        chosen = SubgoalSet(
            batch(task={"item": "oak_log"}, ticks=ticks, autoreset_mode="SameStep"), NAMES
        )
        chosen.reset(seed=VALIDATION[0])
        _, _, terminated, truncated, infos = chosen.step(np.array([0, 0]))
        assert (truncated if ticks == 30 else terminated).all()
        assert [last["possible"].tolist() for last in infos["final_obs"]] == [expected] * 2
