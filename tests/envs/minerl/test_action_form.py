import numpy as np
import pytest

from optimus_gym.core.errors import BadValue, UnknownName
from optimus_gym.envs.minerl.action_form import ActionForm
from optimus_gym.envs.minerl.minerl_tasks import minerl_task
from optimus_gym.worlds.malmo.wire_actions import WireAction, read_action, write_action


def same(one, other):
    return set(one) == set(other) and all(np.array_equal(one[key], other[key]) for key in one)


def test_the_action_that_does_nothing_is_empty_on_the_wire(task):
    form = ActionForm(task)
    still = form.space.noop()
    assert form.space.contains(still)
    assert same(still, form.space.no_op())
    assert form.wire_action(still) == form.wire_action({}) == WireAction()


def test_each_key_is_the_key_of_its_name_in_both_directions(task):
    form = ActionForm(task)
    for key in task.keys:
        wire = WireAction(frozenset({key}))
        action = {**form.space.noop(), key: 1}
        assert form.wire_action(action) == wire
        assert same(form.minerl_action(wire), action)


def test_each_item_of_each_function_is_kept_in_both_directions(task):
    form = ActionForm(task)
    for word, items in task.functions.items():
        key = {"craftNearby": "nearbyCraft", "smeltNearby": "nearbySmelt"}.get(word, word)
        assert set(items) == set(form.space[key].values)
        for item in {*items} - {"none", "other"}:
            action = {**form.space.noop(), key: item}
            wire = form.wire_action(action)
            assert wire == WireAction(functions=((word, item),))
            assert same(form.minerl_action(wire), action)


def test_the_words_for_no_item_are_left_out():
    form = ActionForm(minerl_task("BasaltFindCave", "0.4.4"))
    assert form.wire_action({"equip": "other"}) == form.wire_action({"equip": "none"})
    assert form.wire_action({"equip": "none"}) == WireAction()


def test_the_camera_turns_by_pitch_and_yaw(task):
    form = ActionForm(task)
    turn = np.array([-12.25, 179.0], np.float32)
    wire = form.wire_action({"camera": turn})
    assert (wire.pitch, wire.yaw) == (-12.25, 179.0)
    assert np.array_equal(form.minerl_action(wire)["camera"], turn)


def test_samples_survive_the_way_to_the_lines_of_the_wire_and_back(task):
    form = ActionForm(task)
    form.space.seed(11)
    for _ in range(20):
        action = form.space.sample()
        if action.get("equip") == "other":
            action["equip"] = "none"
        lines = write_action(form.wire_action(action), task.dialect)
        assert same(form.minerl_action(read_action(lines)), action)


@pytest.mark.parametrize("value", [True, np.True_, np.array(1), np.array([1]), 1, np.int64(1)])
def test_a_pressed_key_may_be_any_form_of_one(value):
    form = ActionForm(minerl_task("HumanSurvival"))
    assert form.wire_action({"jump": value}).keys == {"jump"}


@pytest.mark.parametrize("value", [[3, -4], (3.0, -4.0), np.array([3, -4]), np.array([3.0, -4.0])])
def test_the_camera_may_be_any_pair_of_numbers(value):
    wire = ActionForm(minerl_task("HumanSurvival")).wire_action({"camera": value})
    assert (wire.pitch, wire.yaw) == (3.0, -4.0)


@pytest.mark.parametrize(
    ("action", "said"),
    [
        ({"jump": 2}, r"action\['jump'\]: expected the integer 0 or 1, got 2"),
        ({"jump": "1"}, r"action\['jump'\]"),
        ({"camera": [0.0, 181.0]}, r"action\['camera'\]"),
        ({"camera": [0.0, float("nan")]}, r"action\['camera'\]"),
        ({"camera": [0.0]}, r"action\['camera'\]"),
        ({"camera": 3}, r"action\['camera'\]"),
        ({"camera": [[], 1]}, r"action\['camera'\]"),
        (
            {"craft": "diamond"},
            r"action\['craft'\]: expected one of crafting_table, none.*got 'diamond'",
        ),
        ({"craft": 1}, r"action\['craft'\]"),
        ({"jmup": 1}, "unknown key of an action 'jmup'; did you mean 'jump'"),
        ({3: 1}, "unknown key of an action 3"),
        (None, "action: expected a mapping"),
        (0, "action: expected a mapping"),
    ],
)
def test_other_actions_are_refused(action, said):
    form = ActionForm(minerl_task("ObtainDiamond"))
    with pytest.raises((BadValue, UnknownName), match=said):
        form.wire_action(action)
