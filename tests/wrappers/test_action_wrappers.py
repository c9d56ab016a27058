"""Rules for every wrapper (a new wrapper needs a row in `ROWS`) and for wrappers that translate actions."""

import pickle
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import gymnasium as gym
import numpy as np
import pytest
from gymnasium.spaces import Box, Dict, Discrete, MultiBinary, MultiDiscrete
from gymnasium.utils.env_checker import check_env, data_equivalence

import optimus_gym  # noqa: F401
from optimus_gym import wrappers
from optimus_gym.core.actions import (
    CAMERA_DEGREES,
    CONTROL_SIZES,
    DROP,
    MEANINGS,
    PRESSES,
    full_actions,
    noop,
)
from optimus_gym.core.errors import BadValue
from optimus_gym.core.minerl_actions import (
    MINERL_BUTTONS,
    MINERL_CAMERA,
    UNUSED,
    from_minerl,
    to_minerl,
)
from optimus_gym.core.vpt_actions import from_vpt
from optimus_gym.wrappers import FrameSkip, KeyActions, MineRLActions, RecordTicks, VPTActions
from optimus_gym.wrappers.minerl_dict import minerl_space

OURS = MultiDiscrete(list(CONTROL_SIZES))
FLAT = MultiDiscrete([*CONTROL_SIZES, 5, 40])
TRANSLATORS = [VPTActions, MineRLActions]


def pressed_once(action, ticks=3):
    held = action.copy()
    held[[place for place in PRESSES if place < len(held)]] = 0
    return [action, *[held] * (ticks - 1)]


@dataclass(frozen=True)
class Row:
    """A wrapper's constructor, and the actions of this package that its action stands for."""

    wrap: Callable[[gym.Env, Any], gym.Wrapper]
    """Wraps a low-level environment; the second argument is a fresh folder."""
    plays: Callable[[Any], list]
    """Maps a wrapper's action to the actions of the environment inside."""
    films: bool = False
    degrees: bool = False
    """Whether actions hold degrees: MineRL's range is not the -1 to 1 that Gymnasium's checker recommends."""


ROWS = {
    "FrameSkip": Row(lambda env, _: FrameSkip(env, 3), pressed_once),
    "KeyActions": Row(lambda env, _: KeyActions(MineRLActions(env)), lambda action: [action]),
    "MineRLActions": Row(
        lambda env, _: MineRLActions(env), lambda action: [from_minerl(action)], degrees=True
    ),
    "RecordTicks": Row(lambda env, to: RecordTicks(env, to), lambda action: [action], films=True),
    "VPTActions": Row(lambda env, _: VPTActions(env), lambda action: [from_vpt(*action)]),
}


WRAPPERS = [name for name in wrappers.__all__ if issubclass(getattr(wrappers, name), gym.Wrapper)]
"""The exported names without `ToolEnv`, which holds an environment and is none, and its records."""


@pytest.fixture(params=WRAPPERS)
def row(request):
    return ROWS[request.param]


@pytest.fixture(params=["OptimusControl", "OptimusFlat"])
def made(request, row, tmp_path):
    """Return a wrapper around a real environment of either low-level view."""
    return row.wrap(real(request.param, row), tmp_path)


def real(view, row):
    return gym.make(
        f"{view}-Wood-v0",
        world="voxel",
        resolution=(48, 40),
        render_mode="rgb_array" if row.films else None,
    )


def again(env):
    """Return the environment that a specification makes after a round trip through JSON."""
    return gym.make(type(env.spec).from_json(env.spec.to_json()))


def some_actions(env, count=25):
    env.action_space.seed(4)
    return [env.action_space.sample() for _ in range(count)]


def played(env, actions):
    """Return the first observation, the last step's, and the rewards."""
    first = env.reset(seed=5)
    rewards = []
    for action in actions:
        *last, info = env.step(action)
        rewards.append(last[1])
        if last[2] or last[3]:
            break
    return first, (last[0], *last[2:], info), rewards


def test_every_wrapper_has_a_row():
    assert sorted(ROWS) == WRAPPERS
    assert wrappers.__all__ == sorted(wrappers.__all__)


def test_gymnasium_checker_finds_nothing(made, row):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", ".*is different from the unwrapped version")
        if row.degrees:
            warnings.filterwarnings("ignore", ".*recommend using a symmetric and normalized space")
        check_env(made, skip_render_check=row.films)  # a film needs one of the render modes


def test_stable_baselines_checker_warns_only_of_dict_actions(made):
    checker = pytest.importorskip("stable_baselines3.common.env_checker")
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        checker.check_env(made, warn=True)
    of_a_dict = ["either a Dict or Tuple"] if isinstance(made.action_space, Dict) else []
    assert len(told) == len(of_a_dict)
    for warning, expected in zip(told, of_a_dict, strict=True):
        assert expected in str(warning.message)


def test_a_wrapper_plays_the_keys_that_its_action_means(made, row):
    """The environment without the wrapper gets the same keys and returns the same."""
    actions = some_actions(made)
    view = made.unwrapped.spec.id.partition("-")[0]
    places = len(made.unwrapped.action_space.nvec)
    keys = [full_actions(one[None])[0, :places] for action in actions for one in row.plays(action)]
    ours, theirs = played(made, actions), played(real(view, row), keys)
    assert data_equivalence(ours[:2], tuple(theirs[:2]))
    assert sum(ours[2]) == pytest.approx(sum(theirs[2]))
    assert not data_equivalence(ours[0][0], ours[1][0])


def test_a_wrappers_specification_remakes_it(made):
    other = again(made)
    assert type(other) is type(made)
    assert other.spec == made.spec
    assert other.action_space == made.action_space
    actions = some_actions(made, 8)
    mine = played(made, actions)
    made.close()
    assert data_equivalence(mine, played(other, actions))
    other.close()


def test_a_wrapper_survives_pickling(made):
    copy = pickle.loads(pickle.dumps(made))
    assert type(copy) is type(made)
    assert copy.action_space == made.action_space
    actions = some_actions(made, 8)
    mine = played(made, actions)
    made.close()
    assert data_equivalence(mine, played(copy, actions))
    copy.close()


def test_a_wrappers_noop_presses_nothing(made, row):
    still = made.get_wrapper_attr("noop")()
    assert made.action_space.contains(still)
    places = len(made.unwrapped.action_space.nvec)
    for keys in row.plays(still):
        assert full_actions(keys[None])[0].tolist() == noop().tolist()
        assert len(made.unwrapped.noop()) == places


def test_a_wrapper_may_be_closed_twice(made):
    made.reset(seed=0)
    made.close()
    made.close()


class Recording(gym.Env):
    """Keeps all actions of its steps, which must lie in its space."""

    observation_space = Discrete(1000)

    def __init__(self, action_space):
        self.action_space = action_space

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        self.taken = []
        return 0, {}

    def step(self, action):
        assert self.action_space.contains(action), action
        self.taken.append(action)
        return len(self.taken), 0.0, False, False, {}


def given(env, *actions):
    """Play actions; return the innermost environment's actions."""
    env.reset()
    for action in actions:
        env.step(action)
    return env.unwrapped.taken


def without(*names, **others):
    """Return MineRL's space without some keys, and with others."""
    kept = {key: space for key, space in minerl_space().items() if key not in names}
    return Dict({**kept, **others})


def same(one, other):
    return one.keys() == other.keys() and all(np.array_equal(one[key], other[key]) for key in one)


def test_minerls_actions_survive_both_wrappers():
    env = MineRLActions(KeyActions(Recording(minerl_space())))
    assert env.action_space == minerl_space()
    actions = []
    for number, name in enumerate(MINERL_BUTTONS):
        action = env.noop()
        action[name] = 1
        action[MINERL_CAMERA] = np.array(
            [CAMERA_DEGREES[number % 11], CAMERA_DEGREES[-1 - number % 7]], np.float32
        )
        actions.append(action)
    for action, taken in zip(actions, given(env, *actions), strict=True):
        assert same(taken, {**action, **dict.fromkeys(UNUSED, 0)})


def test_keys_survive_minerls_space_and_back():
    env = KeyActions(MineRLActions(Recording(OURS)))
    assert env.action_space == OURS
    assert env.action_meanings == MEANINGS
    actions = some_actions(env, 200)
    for action, taken in zip(actions, given(env, *actions), strict=True):
        assert taken.tolist() == action.tolist()
        assert taken.dtype == np.int64


def test_vpts_actions_reach_an_environment_of_minerl():
    env = VPTActions(KeyActions(Recording(minerl_space())))
    (taken,) = given(env, np.array([323, 61]))
    assert [name for name in MINERL_BUTTONS if taken[name]] == ["forward", "jump", "sprint"]
    assert taken[MINERL_CAMERA].tolist() == [0.0, np.float32(0.61539427)]


@pytest.mark.parametrize(("wrap", "action"), [(VPTActions, [8, 60]), (MineRLActions, {"drop": 1})])
def test_translated_actions_call_no_function_in_the_flat_view(wrap, action):
    expected = noop()
    expected[DROP] = 1
    (taken,) = given(wrap(Recording(FLAT)), action)
    assert taken.tolist() == expected.tolist()


def test_drop_is_pressed_once_under_vpt_actions_too():
    """Joint action 8 presses drop."""
    taken = given(VPTActions(FrameSkip(Recording(OURS), 3)), np.array([8, 60]))
    assert [int(keys[DROP]) for keys in taken] == [1, 0, 0]


@pytest.mark.parametrize(
    "space",
    [
        minerl_space(), without("ESC"), without("pickItem"), without(*UNUSED),
        without(MINERL_CAMERA, camera=Box(-10, 10, (2,), np.float32)),
        without(MINERL_CAMERA, camera=Box(-180, 180, (2,), np.float64)),
    ],
)  # fmt: skip
def test_spaces_like_minerls_are_accepted(space):
    action = np.array([size - 1 for size in CONTROL_SIZES])
    (taken,) = given(KeyActions(Recording(space)), action)
    assert same(taken, {key: to_minerl(action)[key] for key in space})


@pytest.mark.parametrize(
    "space",
    [
        OURS, Discrete(2), without("use"), without(MINERL_CAMERA), without(chat=Discrete(2)),
        without("jump", jump=Discrete(3)), without("jump", jump=Discrete(2, start=1)),
        without("jump", jump=MultiBinary(1)),
        without(MINERL_CAMERA, camera=Box(-9, 180, (2,), np.float32)),
        without(MINERL_CAMERA, camera=Box(-180, 9, (2,), np.float32)),
        without(MINERL_CAMERA, camera=Box(-180, 180, (3,), np.float32)),
        without(MINERL_CAMERA, camera=Box(-180, 180, (2,), np.int16)),
        without(MINERL_CAMERA, camera=MultiDiscrete([11, 11])),
    ],
)  # fmt: skip
def test_spaces_unlike_minerls_are_refused(space):
    with pytest.raises(BadValue) as caught:
        KeyActions(Recording(space))
    told = f"KeyActions: expected MineRL's actions, {minerl_space()}, got {space}"
    assert str(caught.value) == told


@pytest.mark.parametrize("wrap", TRANSLATORS)
@pytest.mark.parametrize(
    "space",
    [
        Discrete(7), minerl_space(), Box(0, 1, (13,), np.int64), MultiDiscrete([8641, 121]),
        MultiDiscrete([*CONTROL_SIZES[:-1], 12]), MultiDiscrete([*CONTROL_SIZES, 5]),
        MultiDiscrete([*CONTROL_SIZES, 5, 40, 2]), MultiDiscrete([5, 40, *CONTROL_SIZES]),
        MultiDiscrete([CONTROL_SIZES, CONTROL_SIZES]),
        MultiDiscrete(list(CONTROL_SIZES), start=[1] * 13),
    ],
)  # fmt: skip
def test_spaces_without_this_packages_keys_are_refused(wrap, space):
    with pytest.raises(BadValue) as caught:
        wrap(Recording(space))
    expected = f"actions of the control or flat view, {OURS} alone or followed by function and item"
    assert str(caught.value) == f"{wrap.__name__}: expected {expected}, got {space}"


@pytest.mark.parametrize("wrap", [*TRANSLATORS, KeyActions])
def test_the_sub_goal_view_is_refused(wrap):
    with pytest.raises(BadValue, match=rf"{wrap.__name__}: expected .*, got Discrete\("):
        wrap(gym.make("Optimus-Wood-v0", world="symbolic"))


@pytest.mark.parametrize(
    ("wrap", "space", "action", "told"),
    [
        (VPTActions, OURS, [0], "action: expected 2 integers, buttons and camera, got the shape (1,)"),
        (VPTActions, OURS, [[0]], "action: expected 2 integers, buttons and camera, got the shape (1, 1)"),
        (VPTActions, OURS, {"buttons": 0}, "action: expected integers, got {'buttons': 0}"),
        (VPTActions, OURS, [8641, 60], "buttons: expected 0 to 8640, got 8641 to 8641"),
        (VPTActions, OURS, [0, 121], "camera: expected 0 to 120, got 121 to 121"),
        (MineRLActions, OURS, [0, 60], "action: expected a mapping of MineRL's keys, got [0, 60]"),
        (MineRLActions, OURS, {"jump": 2}, "action['jump']: expected the integer 0 or 1, got 2"),
        (KeyActions, minerl_space(), [0] * 15, "action: expected 13 integers, our keys, got the shape (15,)"),
        (KeyActions, minerl_space(), 0.5, "action: expected integers, got 0.5"),
        (
            KeyActions, minerl_space(), [3] + [0] * 12,
            f"action: expected integers from 0 to their maximum in {[size - 1 for size in CONTROL_SIZES]}, "
            f"got {[3] + [0] * 12}",
        ),
    ],
)  # fmt: skip
def test_bad_actions_are_refused_before_the_step(wrap, space, action, told):
    env = wrap(Recording(space))
    env.reset()
    with pytest.raises(BadValue) as caught:
        env.step(action)
    assert str(caught.value) == told
    assert env.unwrapped.taken == []
