"""A player of any world as the helper's scripts see it: items held and worn, stations in reach."""

from collections.abc import Iterable
from typing import cast

import numpy as np
from numpy.typing import NDArray

from optimus_gym.controllers.script import Action, Steps
from optimus_gym.core.actions import CAMERA_STILL, FUNCTION, ITEM, PITCH, YAW, Function, noop
from optimus_gym.core.interfaces import World
from optimus_gym.core.world_powers import PredicamentWorld, WhereaboutsWorld
from optimus_gym.game.items import item, item_names
from optimus_gym.game.tools import tools


class Hands:
    """Reads one player's row of any world by the `World` protocol, and holds the player's next action.

    Args:
        world: a world with the powers "keys" and "functions".
        row: number of the player's row.
    """

    def __init__(self, world: World, row: int) -> None:
        self.world = world
        self.row = row
        self.action: Action = noop()
        self._only: NDArray[np.int64] = np.array([row], np.int64)

    def fresh(self) -> Action:
        """Return the row's action, cleared so that it presses nothing, for a script to fill in."""
        self.action[:] = 0
        self.action[PITCH] = self.action[YAW] = CAMERA_STILL
        return self.action

    def call(self, function: Function, name: str) -> Action:
        """Return the action that calls a function (craft, smelt, equip or place) for an item."""
        action = self.fresh()
        action[FUNCTION] = function
        action[ITEM] = item(name).id
        return action

    def hold(self, name: str) -> Steps:
        """Take an item in hand; return whether it is there."""
        yield self.call(Function.EQUIP, name)
        return self.hand() == name

    def ready(self, name: str) -> Steps:
        """Prepare to place an item; the function "place" needs no preparation."""
        yield from ()
        return True

    def shut(self) -> Steps:
        """Close a screen that the use key has opened; return whether one was open."""
        yield from ()
        return False

    def put(self, action: Action, name: str) -> None:
        """Let an action place an item at the face under the crosshair."""
        action[FUNCTION], action[ITEM] = Function.PLACE, item(name).id

    def swing(self, action: Action) -> None:
        """Let the arm swing at the station under the crosshair, so that a film shows the work."""

    def show(self, name: str) -> Steps:
        """Hold an item that was just made for a moment, so that a film shows it."""
        yield from ()
        return True

    def counts(self) -> dict[str, int]:
        """Return the counts of items in hotbar and main inventory, by name, in the order of item ids.

        From all items held, the method subtracts one piece of each item worn or in the off-hand, because
        worlds do not report the size of the off-hand's stack.
        """
        total = self.world.counts(self._only)[0]
        for kind in self._equipment()[1:]:
            total[kind] -= kind > 0
        names = item_names()
        return {names[kind]: int(total[kind]) for kind in np.flatnonzero(total > 0).tolist()}

    def count(self, names: Iterable[str]) -> int:
        """Return how many pieces of the items `names` lie in hotbar and main inventory."""
        held = self.counts()
        return sum(held.get(name, 0) for name in names)

    def hand(self) -> str | None:
        """Return the name of the item in the hand, None if the hand is empty."""
        kind = self._equipment()[0]
        return item_names()[kind] if kind else None

    def worn(self) -> tuple[str, ...]:
        """Return the names of the items worn and in the off-hand."""
        names = item_names()
        return tuple(names[kind] for kind in self._equipment()[1:] if kind)

    def _equipment(self) -> list[int]:
        """Return the ids of the items in hand and off-hand, on feet, legs, chest and head (0 = no item)."""
        equipment: list[int] = self.world.bodies(self._only)[0][0].tolist()
        return equipment

    def tools(self) -> tuple[str, ...]:
        """Return the names of the held tools, each once, sorted."""
        known = tools()
        return tuple(sorted(name for name in self.counts() if name in known))

    def stations(self) -> tuple[str, ...]:
        """Return the names of the stations in reach, such as a crafting table."""
        return self.world.stations(self.row)

    def tells(self) -> bool:
        """Return whether the world has the power "predicaments", which reports a player's predicaments."""
        return "predicaments" in self.world.can

    def predicaments(self) -> frozenset[str]:
        """Return which predicaments of `core.predicaments.SEEN_BY_WORLD` the player is in."""
        return cast(PredicamentWorld, self.world).predicaments(self.row)

    def sees_sky(self) -> bool:
        """Return whether the player sees the sky, in a world with the power "whereabouts"."""
        return cast(WhereaboutsWorld, self.world).under_sky(self.row)

    def vitals(self) -> tuple[float, float]:
        """Return the player's health (half-hearts) and food level (half-shanks)."""
        health, food = self.world.bodies(self._only)[1][0, :2].tolist()
        return health, food

    def air(self) -> float:
        """Return how many more ticks the player's air lasts under water."""
        return float(self.world.bodies(self._only)[1][0, 3])

    def alive(self) -> bool:
        """Return whether the player is alive."""
        return bool(self.world.alive(self._only)[0])

    def pose(self) -> NDArray[np.float64]:
        """Return where the player stands and looks (float64[5]): x, y, z (blocks), yaw, pitch (degrees)."""
        pose: NDArray[np.float64] = self.world.poses(self._only)[0]
        return pose

    def has_mined(self) -> bool:
        """Return whether the player broke a block in the latest tick."""
        return any(event.kind == "mined" for event in self.world.events(self.row))

    def has_used(self, name: str) -> bool:
        """Return whether the player used an item in the latest tick."""
        events = self.world.events(self.row)
        return any(event.kind == "used" and event.subject == name for event in events)
