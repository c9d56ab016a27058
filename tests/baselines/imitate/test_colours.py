"""The script that sees colours turns to brown pixels, and knows nothing else."""

import gymnasium as gym
import numpy as np
import pytest

from optimus_gym.baselines.imitate.colours import SWING, ColourController, way_to_brown
from optimus_gym.core.actions import ATTACK, CAMERA_DEGREES, FORWARD, PITCH, YAW
from optimus_gym.core.errors import BadValue
from optimus_gym.core.types import SubGoal
from optimus_gym.seeds import VALIDATION

BARK = (102, 81, 55)
GRASS = (90, 140, 60)


def picture(rows, columns, colour=BARK, size=64):
    """Return grass with a patch of a colour."""
    made = np.full((size, size, 3), GRASS, np.uint8)
    made[rows, columns] = colour
    return made


def keys(made, armed=False):
    return way_to_brown(made, armed)


@pytest.mark.parametrize(
    ("rows", "columns", "pitch", "yaw"),
    [
        (slice(28, 36), slice(4, 12), 0, -1),
        (slice(28, 36), slice(52, 60), 0, 1),
        (slice(2, 10), slice(28, 36), -1, 0),
        (slice(54, 62), slice(28, 36), 1, 0),
    ],
    ids=["left", "right", "above", "below"],
)
def test_the_script_turns_to_brown(rows, columns, pitch, yaw):
    pressed = keys(picture(rows, columns))
    assert np.sign(CAMERA_DEGREES[pressed["pitch"]]) == pitch
    assert np.sign(CAMERA_DEGREES[pressed["yaw"]]) == yaw
    assert ("forward" in pressed) == (yaw == 0)


@pytest.mark.parametrize("colour", [GRASS, (200, 200, 200), (4, 3, 2)])
def test_other_colours_and_the_dark_are_not_brown(colour):
    assert keys(picture(slice(28, 36), slice(28, 36), colour)) is None


def test_the_handle_of_a_held_sword_is_not_brown():
    handle = picture(slice(50, 60), slice(50, 60))
    assert keys(handle) is not None
    assert keys(handle, armed=True) is None


def pressed(subgoal, ticks, made):
    controller = ColourController()
    controller.begin_subgoals([0], [subgoal])
    seen, mask = {"pov": made[None]}, np.ones(1, np.bool_)
    return np.stack([controller.act([0], seen, mask)[0][0] for _ in range(ticks)])


def test_creatures_are_struck_in_single_blows_and_wood_without_a_pause():
    made = picture(slice(28, 36), slice(28, 36))
    blows = pressed(SubGoal("kill", "beef", 1), 2 * SWING, made)[:, ATTACK]
    assert np.flatnonzero(blows).tolist() == [SWING - 1, 2 * SWING - 1]
    assert pressed(SubGoal("mine", "oak_log", 1), 9, made)[:, ATTACK].all()


def test_the_script_runs_about_where_nothing_is_brown():
    about = pressed(SubGoal("mine", "oak_log", 1), 2, picture(slice(0), slice(0)))
    assert about[:, FORWARD].all()
    assert CAMERA_DEGREES[about[0, YAW]] == 10
    assert not about[:, ATTACK].any()


def test_stone_is_sought_below():
    down = pressed(SubGoal("mine", "cobblestone", 1), 3, picture(slice(0), slice(0)))
    assert (CAMERA_DEGREES[down[0, PITCH]], CAMERA_DEGREES[down[0, YAW]]) == (10, 0)
    assert down[:, ATTACK].all()
    assert not down[:, FORWARD].any()


def test_the_script_plays_an_episode_and_refuses_the_helpers_verbs():
    env = gym.make("Optimus-v0", controller=ColourController(), subgoal="SkillMineLog", ticks=40)
    env.reset(seed=VALIDATION[0])
    *_, info = env.step(0)
    assert info["ticks"] > 0
    env.close()
    with pytest.raises(BadValue):
        ColourController().begin_subgoals([0], [SubGoal("craft", "stick", 1)])
