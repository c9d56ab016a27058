"""The contract of controllers, over all that are registered and the helper; a new one is tried by being
registered."""

import pickle
from copy import deepcopy
from dataclasses import replace

import numpy as np
import pytest

from optimus_gym.controllers.helper.helper import HelperController
from optimus_gym.controllers.script import ScriptController
from optimus_gym.core.actions import noop
from optimus_gym.core.errors import BadValue
from optimus_gym.core.parts import part_of
from optimus_gym.core.registry import load, names
from optimus_gym.envs.executors import helper_for
from optimus_gym.worlds.voxel.world import VoxelWorld
from tests.controllers.contract import Session, check_controller
from tests.controllers.play import setting_of
from tests.controllers.policies import saved_model
from tests.controllers.vpt.files import write_steve1, write_vpt

EXECUTORS = [(kind, name) for kind in ("controller", "helper") for name in sorted(names(kind))]
SCRIPTED = pytest.mark.parametrize(
    ("kind", "name"), [("controller", "oracle"), ("helper", "functional")]
)


@pytest.fixture(scope="module")
def options(tmp_path_factory):
    """What a controller cannot be made without, by name."""
    folder = tmp_path_factory.mktemp("models")
    return {
        "sb3": {"source": saved_model(folder)},
        "steve-1": {"source": str(write_steve1(folder / "steve-1"))},
        "vpt": {"source": str(write_vpt(folder / "vpt"))},
    }


@pytest.mark.parametrize(("kind", "name"), EXECUTORS)
def test_keeps_the_contract(kind, name, options):
    check_controller(lambda: part_of(kind, {"name": name, **options.get(name, {})}).build())


def test_a_policy_that_draws_keeps_it(options):
    wanted = {"name": "sb3", "deterministic": False, **options["sb3"]}
    check_controller(lambda: part_of("controller", wanted).build())


class Counting:
    """A recurrent policy of a fixed batch: what it does depends on how often a row has acted."""

    privileged = False
    needs = frozenset({"keys"})
    verbs = frozenset({"mine"})
    looks_at = ("vitals",)
    fixed_batch = True
    heeds_mask = True

    def attach(self, setting):
        self.counts = np.zeros(setting.rows, np.int64)

    def begin_episodes(self, rows, seeds):
        self.counts[list(rows)] = seeds

    def begin_subgoals(self, rows, subgoals):
        if any(subgoal.verb not in self.verbs for subgoal in subgoals):
            raise BadValue(f"expected one of {self.verbs}, got {subgoals[0].verb}")

    def act(self, rows, observations, mask):
        self.counts += mask if self.heeds_mask else 1
        actions = np.tile(noop(), (len(rows), 1))
        actions[:, 0] = (self.counts + (observations["vitals"].sum(1) > 3)) % 3
        return actions, [None] * len(rows)


class Heedless(Counting):
    heeds_mask = False


def test_a_policy_of_a_fixed_batch_keeps_it():
    check_controller(Counting)


def test_rows_that_do_not_act_must_stay_as_they_are():
    with pytest.raises(AssertionError):
        check_controller(Heedless)


@SCRIPTED
def test_scripts_ask_for_the_world_when_episodes_first_begin(kind, name):
    asked = []

    def give():
        asked.append(True)
        return VoxelWorld(1)

    controller = load(kind, name)()
    controller.attach(replace(setting_of(), world=give))
    assert not asked
    for _ in range(2):
        controller.begin_episodes([0], [1])
    assert len(asked) == 1


@SCRIPTED
def test_scripts_want_a_world_with_their_powers(kind, name):
    controller: ScriptController = load(kind, name)()
    with pytest.raises(BadValue, match="a setting with a world for"):
        controller.attach(setting_of())

    class Mousy:
        can = frozenset({"mouse"})

    controller.attach(setting_of(Mousy()))
    with pytest.raises(BadValue, match="Mousy without"):
        controller.begin_episodes([0], [1])


class Slow(HelperController):
    """A script whose constructor takes arguments."""

    def __init__(self, pace, *, name):
        super().__init__()
        self.pace, self.name = pace, name


def test_a_script_with_arguments_of_its_own_is_copied_with_them():
    slow = Slow(3, name="slow")
    session = Session(slow, 1)
    session.act([0], 0)
    for copied in (deepcopy(slow), pickle.loads(pickle.dumps(slow))):
        assert (copied.pace, copied.name) == (3, "slow")
        with pytest.raises(AssertionError, match="begin_episodes comes first"):
            _ = copied.world
    assert slow.world is session.world


def test_the_helper_is_chosen_by_powers():
    assert helper_for(VoxelWorld.can).name == "functional"
    with pytest.raises(BadValue, match=r"for helper 'functional', or .*, got \['keys', 'mouse'\]"):
        helper_for({"keys", "mouse"})
