"""Every controller and helper keeps the contract, and each rule names the controllers that break it."""

import pickle
from copy import deepcopy
from dataclasses import replace

import pytest

from optimus_gym.controllers.helper.helper import HelperController
from optimus_gym.controllers.script import ScriptController
from optimus_gym.core.errors import BadValue
from optimus_gym.core.parts import part_of
from optimus_gym.core.registry import load, names
from optimus_gym.envs.executors import helper_for
from optimus_gym.testing import contract_of, controller_rules
from optimus_gym.testing.controller_case import ControllerCase, Session
from optimus_gym.worlds.voxel.world import VoxelWorld
from tests.controllers.faulty import FAULTY, Counting
from tests.controllers.play import setting_of, space_of
from tests.controllers.policies import saved_model
from tests.controllers.vpt.files import write_steve1, write_vpt

EXECUTORS = [(kind, name) for kind in ("controller", "helper") for name in sorted(names(kind))]
IDLE = ("refuses_other_verbs",)
"""The rule that may not apply."""
SCRIPTED = pytest.mark.parametrize(
    ("kind", "name"), [("controller", "oracle"), ("helper", "functional")]
)
each_rule = pytest.mark.parametrize("rule", controller_rules(), ids=str)


@pytest.fixture(scope="module")
def options(tmp_path_factory):
    """Return the required options of controllers, by name."""
    folder = tmp_path_factory.mktemp("models")
    return {
        "sb3": {"source": saved_model(folder)},
        "steve-1": {"source": str(write_steve1(folder / "steve-1"))},
        "vpt": {"source": str(write_vpt(folder / "vpt"))},
    }


@pytest.fixture(scope="module")
def cases():
    """Return the cases by kind and name, so that all rules share a controller's first play."""
    return {}


def small(resolution):
    """Return the space of the saved model."""
    return space_of(64, 36)


def case_of(kind, wanted):
    part = part_of(kind, wanted)
    given = {"space_of": small, "resolutions": [(64, 36)]} if part.name == "sb3" else {}
    return ControllerCase(part.build, owner=part.maker, **given)


@each_rule
@pytest.mark.parametrize(("kind", "name"), EXECUTORS)
def test_a_controller_keeps_the_contract(kind, name, rule, options, cases):
    if (kind, name) not in cases:
        cases[kind, name] = case_of(kind, {"name": name, **options.get(name, {})})
    assert not rule(cases[kind, name]) or rule.name in IDLE


@each_rule
def test_a_policy_that_draws_keeps_the_contract(rule, options, cases):
    wanted = {"name": "sb3", "deterministic": False, **options["sb3"]}
    if "drawing" not in cases:
        cases["drawing"] = case_of("controller", wanted)
    rule(cases["drawing"])


@each_rule
def test_a_policy_of_a_fixed_batch_keeps_the_contract(rule):
    rule(Counting)


@pytest.mark.parametrize(
    ("controller", "rules"), FAULTY.items(), ids=lambda one: getattr(one, "__name__", "")
)
def test_exactly_the_broken_rules_name_a_faulty_controller(controller, rules):
    findings = contract_of("controller").findings(controller)
    assert tuple(one.rule.name for one in findings if one.verdict == "failed") == rules


def test_every_rule_is_broken_by_a_faulty_controller():
    broken = {name for names in FAULTY.values() for name in names}
    assert {rule.name for rule in controller_rules()} == broken


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
def test_scripts_reject_a_setting_without_a_suitable_world(kind, name):
    controller: ScriptController = load(kind, name)()
    with pytest.raises(BadValue, match="a world in the ControllerSetting of"):
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


def test_a_script_with_its_own_arguments_is_copied_with_them():
    slow = Slow(3, name="slow")
    session = Session(ControllerCase(lambda: slow), slow, 1)
    session.act([0], 0)
    for copied in (deepcopy(slow), pickle.loads(pickle.dumps(slow))):
        assert (copied.pace, copied.name) == (3, "slow")
        with pytest.raises(AssertionError, match="begin_episodes comes first"):
            _ = copied.world
    assert slow.world is session.world


def test_the_helper_is_chosen_by_the_powers_of_the_world():
    assert helper_for(VoxelWorld.can - {"mouse"}).name == "functional"
    assert helper_for(VoxelWorld.can - {"functions"}).name == "gui"
    wanted = r"for helper 'functional' or .* for helper 'gui', or .*, got \['keys', 'pictures'\]"
    with pytest.raises(BadValue, match=wanted):
        helper_for({"keys", "pictures"})
