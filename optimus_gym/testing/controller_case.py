"""A controller under test, and sessions in which it acts on random observations.

The observations are random numbers in the ranges of the control view, the same for the same tick and row.
Only a controller that reads the world gets a world: the embedded world, or the one that
`ControllerCase.make_world` makes.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from optimus_gym.controllers.verbs import HELPED
from optimus_gym.core.errors import BadValue
from optimus_gym.core.interfaces import ControllerSetting
from optimus_gym.core.types import Setup, SubGoal, Verb
from optimus_gym.envs.spaces import control_space, observation_space
from optimus_gym.envs.vocabulary import suite_vocabularies
from optimus_gym.testing.contract import NotApplicable, PartCase

SUBGOALS: Final[Mapping[Verb, SubGoal]] = {
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
    "fight": SubGoal("fight", "cow"),
    "move": SubGoal("move", "grass_block"),
    "dig_up": SubGoal("dig_up", "sky"),
    "dig_down": SubGoal("dig_down", "height", 60),
    "use": SubGoal("use", "crafting_table"),
}
"""The sub-goal with which each verb is tested."""
_HELD: Final = {"oak_log": 2, "stone_pickaxe": 1, "crafting_table": 1}
"""Inventory of each row's player in a test of a controller."""
SEEDS: Final = (5, 6)
"""Seeds of the episodes in the two rows of a test."""
_TICKS: Final = 40
"""Number of ticks for which a test pursues each sub-goal."""
FEW_TICKS: Final = 6
"""Number of ticks for which a test pursues each sub-goal if the controller reads frames, which is slow."""
RESOLUTIONS: Final = ((128, 128), (640, 360), (64, 64))
"""Widths and heights of `pov` that are tried in turn until the controller fits."""
_SUITE: Final = "optimus-67"
"""The suite whose vocabulary the random observations use."""


def _embedded(count: int) -> Any:
    from optimus_gym.worlds.voxel.world import VoxelWorld

    return VoxelWorld(count)


def _control_space(resolution: tuple[int, int]) -> spaces.Dict:
    return observation_space(resolution, len(suite_vocabularies()[_SUITE]), True, False, True)


@dataclass
class ControllerCase(PartCase):
    """A controller under test.

    Attributes:
        space_of: a function that returns the space of a row's observation for a resolution; default: the
            control view's.
        resolutions: widths and heights of `pov` to try until the controller accepts one.
        make_world: a function that makes a world from the number of rows, for a controller that reads the
            world.
    """

    space_of: Callable[[tuple[int, int]], spaces.Dict] = _control_space
    resolutions: Sequence[tuple[int, int]] = RESOLUTIONS
    make_world: Callable[[int], Any] = _embedded

    @cached_property
    def played(self) -> NDArray[np.int32]:
        """The actions of a new controller in a session of two rows."""
        return self.session().play((0, 1))

    def session(self, controller: Any = None) -> "Session":
        """Return a session of a given controller, or of a new one."""
        return Session(self, self.make() if controller is None else controller)


class Session:
    """A controller that is attached to an environment and has begun an episode in each row.

    Args:
        case: the controller under test and its conditions.
        controller: the controller.
        rows: the number of rows.

    Attributes:
        controller: the controller.
        world: the world that the controller reads, or None.

    Raises:
        BadValue: the controller fits no resolution.
        NotApplicable: the controller reads the world, and the world lacks a power.
    """

    def __init__(self, case: ControllerCase, controller: Any, rows: int = 2) -> None:
        self.controller, self.rows = controller, rows
        self.world = self._new_world(case)
        self._space = self._attach(case)
        self.begin()

    def begin(self) -> None:
        """Begin an episode in each row, always with the same seeds."""
        for row in range(self.rows if self.world is not None else 0):
            self.world.reset(row, Setup(row + 1, inventory=_HELD))
        self.controller.begin_episodes(list(range(self.rows)), SEEDS[: self.rows])

    def _new_world(self, case: ControllerCase) -> Any:
        if not self.controller.privileged and self.controller.verbs != HELPED:
            return None
        world = case.make_world(self.rows)
        lacking = sorted(self.controller.needs - world.can)
        if lacking:
            raise NotApplicable(
                f"the controller needs {lacking}, which the world {type(world).__name__} lacks"
            )
        return world

    def _attach(self, case: ControllerCase) -> spaces.Dict:
        refusals = []
        for resolution in case.resolutions:
            space = case.space_of(resolution)
            try:
                self.controller.attach(self._setting(space, resolution))
            except BadValue as error:
                refusals.append(error)
            else:
                return space
        raise refusals[0]

    def _setting(self, space: spaces.Dict, resolution: tuple[int, int]) -> ControllerSetting:
        size = space.spaces["inventory"].shape
        names = suite_vocabularies()[_SUITE].names
        return ControllerSetting(
            rows=self.rows,
            observation_space=space,
            action_space=control_space(),
            vocabulary=names[: size[0] if size else 0],
            resolution=resolution,
            world=None if self.world is None else lambda: self.world,
        )

    def seen(
        self, rows: Sequence[int], tick: int, blank: Collection[int] = ()
    ) -> dict[str, NDArray[Any]]:
        """Return random observations of `rows`; the rows in `blank` get zeros."""
        shown: dict[str, NDArray[Any]] = {}
        for key in self.controller.looks_at:
            space = self._space.spaces[key]
            if not isinstance(space, spaces.Box):
                raise BadValue(f"{key}: expected a gymnasium Box space, got {space}")
            low, high = space.low.astype(np.float64), space.high.astype(np.float64)
            draws = [np.random.default_rng((tick, row)).random(space.shape) for row in rows]
            drawn = low + np.array(draws) * (high - low)
            drawn[[k for k, row in enumerate(rows) if row in blank]] = 0
            shown[key] = drawn.astype(space.dtype)
        return shown

    def ask(self, acting: Sequence[int], tick: int) -> tuple[Any, NDArray[np.bool_]]:
        """Call the controller's `act` for the rows that act; return its result and the mask of these rows."""
        rows = list(range(self.rows)) if self.controller.fixed_batch else list(acting)
        blank = set(rows) - set(acting)
        mask = np.array([row not in blank for row in rows])
        return self.controller.act(rows, self.seen(rows, tick, blank), mask), mask

    def act(self, acting: Sequence[int], tick: int) -> NDArray[np.int32]:
        """Return the controller's actions for the rows that act (int32[n, 15])."""
        (actions, _), mask = self.ask(acting, tick)
        chosen: NDArray[np.int32] = actions[mask]
        return chosen

    def verbs(self, acting: Sequence[int]) -> Iterator[Verb]:
        """Begin a sub-goal of each of the controller's verbs in turn; yield each verb."""
        for verb in sorted(self.controller.verbs):
            self.controller.begin_subgoals(list(acting), [SUBGOALS[verb]] * len(acting))
            yield verb

    @property
    def ticks(self) -> range:
        """The ticks for which the session pursues each sub-goal."""
        return range(FEW_TICKS if "pov" in self.controller.looks_at else _TICKS)

    def play(self, acting: Sequence[int]) -> NDArray[np.int32]:
        """Pursue a sub-goal of each verb in some rows and return the actions (int32[ticks, n, 15])."""
        made = []
        for _ in self.verbs(acting):
            for tick in self.ticks:
                made.append(self.act(acting, tick).copy())
                self.go_on(acting, made[-1])
        return np.array(made)

    def go_on(self, rows: Sequence[int], actions: NDArray[np.int32]) -> None:
        """Advance the world by one tick with these actions, if there is a world."""
        if self.world is not None:
            self.world.tick(list(rows), actions)
