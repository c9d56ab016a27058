"""The teacher's action is right for any state, and depends on nothing that the player has not seen."""

from itertools import count

import gymnasium as gym
import numpy as np
import pytest

import optimus_gym  # noqa: F401
from optimus_gym.controllers.script import limited
from optimus_gym.controllers.teacher import pupil as pupils
from optimus_gym.controllers.teacher.next_step import eased
from optimus_gym.controllers.teacher.searching import depth_of
from optimus_gym.controllers.teacher.teacher import TeacherController
from optimus_gym.core.actions import (
    ATTACK,
    CAMERA_DEGREES,
    CONTROL_LENGTH,
    FORWARD,
    PITCH,
    YAW,
    noop,
    pressing,
)
from optimus_gym.core.errors import BadValue
from optimus_gym.core.types import SubGoal
from tests.controllers.play import setting_of

SMALL = {"resolution": (36, 36), "view_distance": 32}


class Noting(TeacherController):
    """A teacher that keeps its actions; `twice` asks it twice in each tick, `instead` acts in its place."""

    def __init__(self, instead=None, twice=False):
        super().__init__()
        self.instead, self.twice, self.made = instead, twice, []

    def act(self, rows, observations, mask):
        actions, failures = super().act(rows, observations, mask)
        self.made.append(actions.tolist())
        if self.twice:
            again, _ = super().act(rows, observations, mask)
            assert again.tolist() == actions.tolist()
        return (actions if self.instead is None else self.instead(actions)), failures


def played(controller, skill, seed, ticks=600):
    """Play a skill; return whether it was reached, and the ticks."""
    env = gym.make("Optimus-v0", subgoal=skill, controller=controller, ticks=ticks, **SMALL)
    env.reset(seed=seed)
    info = env.step(0)[4]
    env.close()
    return info["is_success"], info["ticks"]


@pytest.mark.parametrize(
    ("skill", "ticks"),
    [("SkillMineLog", 200), ("SkillMineCobblestone", 600), ("SkillMineCoal", 1500)],
)
def test_the_teacher_reaches_skills_by_a_policys_keys_alone(skill, ticks):
    teacher = Noting()
    assert played(teacher, skill, 90_008, ticks)[0]
    assert not np.array(teacher.made)[..., CONTROL_LENGTH:].any()


def test_asking_again_in_the_same_tick_gives_the_same_action():
    assert played(Noting(twice=True), "SkillMineThreeLogs", 90_002)[0]


def test_the_teacher_goes_on_from_wherever_others_have_led():
    draws = np.random.default_rng(3)
    ticks = count()

    def disturbed(actions):
        action = noop()
        action[[FORWARD, ATTACK]] = draws.integers(2, size=2)
        action[YAW] = draws.integers(11)
        return action[None] if next(ticks) < 150 else actions

    reached, took = played(Noting(disturbed), "SkillMineLog", 90_003)
    assert reached
    assert took > 150


def test_an_action_takes_a_kept_path_only_while_nothing_has_changed(monkeypatch):
    kept, fresh = Noting(), Noting()
    played(kept, "SkillMineCobblestone", 90_004)
    monkeypatch.setattr(pupils.Pupil, "search", pupils.Miner.search)
    played(fresh, "SkillMineCobblestone", 90_004)
    assert kept.made == fresh.made


def room(world, wall):
    """Put the player in a stone room of seven cells with a log behind its back, and a wall before the log."""
    for x in range(-4, 5):
        for y in range(0, 5):
            for z in range(-5, 6):
                edge = abs(x) == 4 or y in (0, 4) or abs(z) == 5
                name = "bedrock" if edge else "air"
                world.command(0, f"/setblock ~{x} ~{y - 1} ~{z} {name}")
    world.command(0, "/setblock ~0 ~1 ~-4 oak_log")
    if wall:
        for x in (-1, 0, 1):
            for y in (0, 1, 2):
                world.command(0, f"/setblock ~{x} ~{y} ~-3 bedrock")


@pytest.fixture
def taught():
    """Return a function that begins a lesson in a room and returns the first actions, done one by one."""

    def begin(wall, ticks):
        env = gym.make("OptimusFlat-v0", task={"item": "oak_log"}, **SMALL)
        env.reset(seed=90_010)
        view = env.unwrapped._view
        room(view.runtime.world, wall)
        teacher = TeacherController()
        teacher.attach(setting_of(view.runtime.world))
        teacher.begin_episodes([0], [0])
        teacher.begin_subgoals([0], [SubGoal("mine", "oak_log")])
        made = []
        for _ in range(ticks):
            action = teacher.act([0], {}, np.ones(1, bool))[0]
            made.append(action[0].copy())
            view.runtime.world.tick([0], action)
        env.close()
        return np.array(made)

    return begin


def test_the_teacher_looks_about_for_what_lies_behind_it_and_then_goes_there(taught):
    made = taught(wall=False, ticks=60)
    assert not made[0, FORWARD]
    assert made[:8, YAW].tolist() == [10] * 8, "turns about"
    assert made[:, ATTACK].sum() > 10, "then digs"


def test_the_teacher_does_not_know_what_a_wall_hides(taught):
    made = taught(wall=True, ticks=60)
    assert not made[:, ATTACK].any()


def test_an_ores_height_decides_how_deep_to_dig():
    assert depth_of(["oak_log"]) is None
    assert depth_of(["diamond_ore"]) < depth_of(["gold_ore"]) < depth_of(["iron_ore"])
    assert depth_of(["coal_ore"]) > depth_of(["iron_ore"])


def test_a_script_of_the_teacher_never_ends():
    env = gym.make("OptimusFlat-v0", task={"item": "oak_log"}, **SMALL)
    env.reset(seed=90_011)
    world = env.unwrapped._view.runtime.world
    teacher = TeacherController()
    teacher.attach(setting_of(world))
    teacher.begin_episodes([0], [0])
    script = teacher.script(0, SubGoal("mine", "oak_log"))
    assert len([action[PITCH] for action in limited(script, 50, "a lesson")]) == 50
    env.close()


def test_the_teacher_carries_out_no_other_verb():
    with pytest.raises(BadValue, match=r"verb: expected one of \['kill', 'mine'\], got 'craft'"):
        TeacherController().begin_subgoals([0], [SubGoal("craft", "stick")])


def test_the_lists_of_seen_blocks_forgets_the_farthest():
    from optimus_gym.controllers.teacher.outlook import MOST_KNOWN, _remember

    seen = np.zeros((MOST_KNOWN, 3), np.int32)
    count = 0
    for x in range(MOST_KNOWN + 5):
        count = _remember(seen, count, np.array([x, 0, 0, 0], np.int32), 0.0, 0.0, 0.0)
    assert count == MOST_KNOWN
    left = set(seen[:, 0].tolist())
    assert left == {*range(MOST_KNOWN - 1), MOST_KNOWN + 4}


def test_small_turns_are_halved_and_the_largest_and_the_smallest_stay():
    eased_bins = [int(eased(pressing({"yaw": bin_, "pitch": 5}))[YAW]) for bin_ in range(11)]
    assert eased_bins[::5] == [0, 5, 10]
    assert eased_bins[4:7] == [4, 5, 6]
    for bin_ in (1, 2, 3, 7, 8, 9):
        half = CAMERA_DEGREES[bin_] / 2
        least = min(abs(turn - half) for turn in CAMERA_DEGREES)
        assert abs(CAMERA_DEGREES[eased_bins[bin_]] - half) == least
        assert eased_bins[bin_] != 5
