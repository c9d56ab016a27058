"""A player of any world as the helper's scripts see it: items held and worn, stations in reach."""

from collections.abc import Iterable
from typing import cast

import numpy as np
from numpy.typing import NDArray

from optimus_gym.controllers.script import Action
from optimus_gym.core.actions import CAMERA_STILL, FUNCTION, ITEM, PITCH, YAW, Function, noop
from optimus_gym.core.interfaces import PredicamentWorld, World
from optimus_gym.game.items import item, item_names
from optimus_gym.game.tools import tools


class Hands:
    """One row of a world, read by the `World` protocol's methods, and the action that is made for it.

    Args:
        world: a world with the powers "keys" and "functions".
        row: which of its rows.
    """

    def __init__(self, world: World, row: int) -> None:
        self.world = world
        self.row = row
        self.action: Action = noop()
        self._only: NDArray[np.int64] = np.array([row], np.int64)

    def fresh(self) -> Action:
        """Return the action with nothing pressed, to be filled in."""
        self.action[:] = 0
        self.action[PITCH] = self.action[YAW] = CAMERA_STILL
        return self.action

    def call(self, function: Function, name: str) -> Action:
        """Return the action that asks for a function of an item."""
        action = self.fresh()
        action[FUNCTION] = function
        action[ITEM] = item(name).id
        return action

    def counts(self) -> dict[str, int]:
        """Return the counts of items in hotbar and main inventory, by name, in the order of item ids.

        The counts are all items held less one piece for each item worn or in the off-hand: worlds do not
        report the size of the off-hand's stack.
        """
        total = self.world.counts(self._only)[0]
        for kind in self._equipment()[1:]:
            total[kind] -= kind > 0
        names = item_names()
        return {names[kind]: int(total[kind]) for kind in np.flatnonzero(total > 0).tolist()}

    def count(self, names: Iterable[str]) -> int:
        """Return how many of some items hotbar and main inventory hold."""
        held = self.counts()
        return sum(held.get(name, 0) for name in names)

    def hand(self) -> str | None:
        """Return the name of the item in the hand."""
        kind = self._equipment()[0]
        return item_names()[kind] if kind else None

    def worn(self) -> tuple[str, ...]:
        """Return the names of the items worn and in the off-hand."""
        names = item_names()
        return tuple(names[kind] for kind in self._equipment()[1:] if kind)

    def _equipment(self) -> list[int]:
        """Return the item ids of hand, off-hand, feet, legs, chest and head, 0 where there is none."""
        equipment: list[int] = self.world.bodies(self._only)[0][0].tolist()
        return equipment

    def tools(self) -> tuple[str, ...]:
        """Return the tools held, each once, in the order of their names."""
        known = tools()
        return tuple(sorted(name for name in self.counts() if name in known))

    def stations(self) -> tuple[str, ...]:
        """Return the stations in reach."""
        return self.world.stations(self.row)

    def tells(self) -> bool:
        """Return whether the world reports predicaments (`predicaments`)."""
        return "predicaments" in self.world.can

    def predicaments(self) -> frozenset[str]:
        """Return the player's predicaments that the world reports (of `core.predicaments.SEEN_BY_WORLD`)."""
        return cast(PredicamentWorld, self.world).predicaments(self.row)

    def vitals(self) -> tuple[float, float]:
        """Return health (half-hearts) and food (half-shanks)."""
        health, food = self.world.bodies(self._only)[1][0, :2].tolist()
        return health, food

    def air(self) -> float:
        """Return the ticks for which the air in the lungs lasts under water."""
        return float(self.world.bodies(self._only)[1][0, 3])

    def alive(self) -> bool:
        """Return whether the player is alive."""
        return bool(self.world.alive(self._only)[0])

    def pose(self) -> NDArray[np.float64]:
        """Return where the player stands and looks (float64[5]): x, y, z (blocks), yaw, pitch (degrees)."""
        pose: NDArray[np.float64] = self.world.poses(self._only)[0]
        return pose

    def has_mined(self) -> bool:
        """Return whether a block was broken in the latest tick."""
        return any(event.kind == "mined" for event in self.world.events(self.row))
