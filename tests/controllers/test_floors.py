"""The floors: the same keys in every tick, and random actions of a set."""

import numpy as np
import pytest

from optimus_gym.controllers.constant import ConstantController
from optimus_gym.controllers.random import RandomController
from optimus_gym.core.actions import ATTACK, DROP, FORWARD, PITCH, noop, pressing
from optimus_gym.core.errors import BadValue, UnknownName
from tests.controllers.play import act, setting_of

SET = [{"forward": 1, "drop": 1}, {"yaw": 3}, {}]


def begun(controller, rows=3):
    controller.attach(setting_of(rows=rows))
    controller.begin_episodes(range(rows), range(rows))
    return controller


def test_a_constant_controller_presses_its_keys_in_every_tick():
    controller = begun(ConstantController({"pitch": 10, "attack": 1}))
    for _ in range(3):
        actions, failures = act(controller, range(3))
        assert actions.tolist() == [pressing({"pitch": 10, "attack": 1}).tolist()] * 3
        assert failures == [None] * 3
    assert (actions[0][PITCH], actions[0][ATTACK]) == (10, 1)


def test_without_keys_a_constant_controller_stands_still():
    assert act(begun(ConstantController()), [0])[0].tolist() == [noop().tolist()]


def test_bad_keys_are_refused():
    with pytest.raises(UnknownName, match="did you mean 'jump'"):
        ConstantController({"jmp": 1})
    with pytest.raises(BadValue, match=r"keys\['jump'\]"):
        ConstantController({"jump": 2})


def test_random_actions_of_a_set_are_held():
    controller = begun(RandomController(actions=SET, hold=4))
    ticks = [act(controller, range(3))[0] for _ in range(80)]
    for first in range(0, 80, 4):
        held = [[one[row].tolist() for one in ticks[first : first + 4]] for row in range(3)]
        for row in held:
            assert row[1] == row[2] == row[3]
            assert row[0][:DROP] == row[1][:DROP]
            assert row[1][DROP] == 0, "drop acts in the first tick alone"
    firsts = {tuple(one[row].tolist()) for one in ticks[::4] for row in range(3)}
    assert firsts == {tuple(pressing(keys).tolist()) for keys in SET}


def test_a_new_subgoal_ends_a_hold():
    from optimus_gym.core.types import SubGoal

    controller = begun(RandomController(actions=[{"forward": 1}, {}], hold=1000))
    seen = set()
    for _ in range(40):
        controller.begin_subgoals([0], [SubGoal("mine", "oak_log")])
        seen.add(int(act(controller, [0])[0][0, FORWARD]))
    assert seen == {0, 1}


def test_keys_without_a_set_are_drawn_in_each_tick():
    controller = begun(RandomController())
    made = np.stack([act(controller, [0])[0][0] for _ in range(40)])
    assert len(np.unique(made, axis=0)) == 40


def test_bad_options_are_refused():
    with pytest.raises(BadValue, match="hold: expected"):
        RandomController(hold=0)
    with pytest.raises(BadValue, match="actions: expected a list"):
        RandomController(actions=[])
