"""What every controller and helper must keep; `check_controller` tries any of them.

Each check makes controllers anew and lets them act in worlds of the embedded kind, one for each row.
"""

import pickle
from copy import deepcopy

import numpy as np
import pytest

from optimus_gym.controllers.verbs import HELPED
from optimus_gym.controllers.vpt.acting import SQUEEZED, PolicyController
from optimus_gym.core.actions import CONTROL_SIZES, Function
from optimus_gym.core.errors import BadValue
from optimus_gym.core.interfaces import POWERS
from optimus_gym.core.types import VERBS, Failure, Setup, SubGoal
from optimus_gym.game.items import item_names
from optimus_gym.worlds.voxel.world import VoxelWorld
from tests.controllers.play import HEIGHT, WIDTH, setting_of, space_of

SUBGOALS = {
    "mine": SubGoal("mine", "oak_log", 1, ("oak_log", "birch_log"), text="mine 1 log"),
    "craft": SubGoal("craft", "oak_planks", 4),
    "smelt": SubGoal("smelt", "iron_ingot", 1, station="furnace"),
    "equip": SubGoal("equip", "stone_pickaxe"),
    "place": SubGoal("place", "crafting_table"),
    "kill": SubGoal("kill", "beef"),
    "shear": SubGoal("shear", "white_wool"),
    "milk": SubGoal("milk", "milk_bucket"),
    "fill": SubGoal("fill", "water_bucket"),
    "grow": SubGoal("grow", "wheat"),
    "find": SubGoal("find", "egg"),
    "recover": SubGoal("recover", "hurt"),
}
HELD = {"oak_log": 2, "stone_pickaxe": 1, "crafting_table": 1}
SEEDS = (5, 6)
TICKS = 40
FEW_TICKS = 6
"""For a network that sees pictures; seven verbs of them go round the ring of its tiny memory."""
SIZES = (*CONTROL_SIZES, len(Function), len(item_names()))


class Session:
    """A controller in the embedded world, with observations that its ticks and rows decide."""

    def __init__(self, controller, rows=2, world=None):
        self.controller = controller
        self.rows = rows
        self.world = world or VoxelWorld(rows)
        for row in range(rows):
            self.world.reset(row, Setup(row + 1, inventory=HELD))
        if world is None:
            given = VoxelWorld.can >= controller.needs and reads_world(controller)
            controller.attach(
                setting_of(self.world if given else None, rows, resolution_of(controller))
            )
        controller.begin_episodes(list(range(rows)), SEEDS[:rows])

    def seen(self, rows, tick, blank=()):
        """Observations of `rows` (zeros for those of `blank`)."""
        shown = {}
        spaces = space_of(*resolution_of(self.controller))
        for key in self.controller.looks_at:
            space = spaces[key]
            draws = [np.random.default_rng((tick, row)).random(space.shape) for row in rows]
            drawn = np.array(draws) * space.high
            drawn[[k for k, row in enumerate(rows) if row in blank]] = 0
            shown[key] = drawn.astype(space.dtype)
        return shown

    def act(self, acting, tick):
        """The actions and failures of some rows; the others are only told of with `fixed_batch`."""
        rows = list(range(self.rows)) if self.controller.fixed_batch else list(acting)
        blank = set(rows) - set(acting)
        mask = np.array([row not in blank for row in rows])
        actions, failures = self.controller.act(rows, self.seen(rows, tick, blank), mask)
        assert actions.dtype == np.int32
        assert actions.shape == (len(rows), len(SIZES))
        assert len(failures) == len(rows)
        return actions[mask], [why for why, acts in zip(failures, mask, strict=True) if acts]

    def play(self, acting):
        """Let rows pursue each verb for a while; return their actions (int32[ticks, n, 15])."""
        rows = list(acting)
        made = []
        for verb in sorted(self.controller.verbs):
            self.controller.begin_subgoals(rows, [SUBGOALS[verb]] * len(rows))
            for tick in range(ticks_of(self.controller)):
                actions, failures = self.act(rows, tick)
                assert ((actions >= 0) & (actions < SIZES)).all()
                assert all(why is None or isinstance(why, Failure) for why in failures)
                made.append(actions.copy())
                self.world.tick(rows, actions)
        return np.array(made)


def reads_world(controller) -> bool:
    """Whether the environment gives it the world: to the privileged, and to the helper."""
    return controller.privileged or controller.verbs == HELPED


def resolution_of(controller):
    """What `pov` measures in its environment: what its network takes, else little."""
    return SQUEEZED if isinstance(controller, PolicyController) else (WIDTH, HEIGHT)


def ticks_of(controller):
    return FEW_TICKS if isinstance(controller, PolicyController) else TICKS


def check_words(controller):
    assert isinstance(controller.privileged, bool)
    assert isinstance(controller.fixed_batch, bool)
    assert isinstance(controller.needs, frozenset)
    assert controller.needs <= set(POWERS)
    assert isinstance(controller.verbs, frozenset)
    assert controller.verbs
    assert controller.verbs <= set(VERBS)
    assert isinstance(controller.looks_at, tuple)


def check_looks(controller):
    Session(controller)
    assert set(controller.looks_at) <= set(space_of(WIDTH, HEIGHT))


def check_repeats(make):
    """The same episode gives the same actions, in a new controller and in one that is reset."""
    first = Session(make())
    actions = first.play((0, 1))
    assert np.array_equal(actions, Session(make()).play((0, 1)))
    again = Session(first.controller, world=first.world)
    assert np.array_equal(actions, again.play((0, 1)))


def check_rows(make):
    """What row 0 does is the same whether row 1 acts beside it or not, or has acted before."""
    both = Session(make()).play((0, 1))[:, 0]
    assert np.array_equal(both, Session(make()).play((0,))[:, 0])
    later = Session(make())
    later.play((1,))
    assert np.array_equal(both, later.play((0,))[:, 0])


def check_refusals(make):
    controller = make()
    session = Session(controller)
    for verb in sorted(set(VERBS) - controller.verbs):
        with pytest.raises(BadValue, match=f"expected one of .*{verb}"):
            session.controller.begin_subgoals([0], [SUBGOALS[verb]])


def check_copies(make):
    """It pickles and copies before it is attached, and the copy is as good."""
    actions = Session(make()).play((0, 1))
    for copy in (deepcopy(make()), pickle.loads(pickle.dumps(make()))):
        assert np.array_equal(actions, Session(copy).play((0, 1)))


def check_anew(make):
    """Attached to another environment it acts as a new one, and a copy of it has met none."""
    actions = Session(make()).play((0, 1))
    first = Session(make())
    first.play((0,))
    first.world.close()
    for used in (first.controller, deepcopy(first.controller)):
        assert np.array_equal(actions, Session(used).play((0, 1)))


def check_controller(make):
    """Try a controller.

    Args:
        make: makes one, the same each time.
    """
    check_words(make())
    check_looks(make())
    check_repeats(make)
    check_rows(make)
    check_refusals(make)
    check_copies(make)
    check_anew(make)
