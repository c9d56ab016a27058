"""The agent's view of a row: one frozen value, with the picture of the same tick on request."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from optimus_gym.core.errors import StalePicture
from optimus_gym.core.task import Task
from optimus_gym.core.types import SubGoal

PICTURE_SIZE = (640, 360)
"""Width and height in pixels of a situation's picture, as the papers' screens (Optimus-1, appendix C)."""
HAND = "hand"
"""The key of `Situation.equipment` for the item in hand."""


class Vitals(NamedTuple):
    """The player's vitals in game units: half-hearts, half-shanks, ticks of air, armour points, levels."""

    health: float = 20.0
    food: float = 20.0
    saturation: float = 5.0
    air: float = 300.0
    armour: float = 0.0
    level: float = 0.0


class Picture:
    """A row's picture of one tick: drawn at the first request, which must come before the world's next tick.

    Args:
        draw: makes the picture of the present tick (uint8[H, W, 3]).
        is_now: returns whether the world still stands at the picture's tick.
    """

    def __init__(self, draw: Callable[[], NDArray[np.uint8]], is_now: Callable[[], bool]) -> None:
        self._draw: Callable[[], NDArray[np.uint8]] | None = draw
        self._is_now: Callable[[], bool] | None = is_now
        self._image: NDArray[np.uint8] | None = None

    def look(self) -> NDArray[np.uint8]:
        """Return the picture (uint8[H, W, 3], read-only, the same array each time).

        Raises:
            StalePicture: the picture was not drawn before the world went on.
        """
        if self._image is None:
            if self._draw is None or self._is_now is None or not self._is_now():
                raise StalePicture(
                    "picture: expected a request in the picture's own tick, got one after the world went on"
                )
            self._image = self._draw()
            self._image.setflags(write=False)
            self._draw = self._is_now = None
        return self._image

    def __getstate__(self) -> dict[str, Any]:
        """Return the image if it was drawn; a pickled picture cannot draw."""
        return {"_draw": None, "_is_now": None, "_image": self._image}

    def __deepcopy__(self, memo: dict[int, Any]) -> "Picture":
        """Return the picture itself, which stands for one tick and never changes."""
        return self


@dataclass(frozen=True, slots=True)
class Situation:
    """The agent's view of a row at one tick.

    Attributes:
        row: the number of the world and its episode.
        task: the episode's task.
        goal: the sub-goal that reaches the task.
        tick: ticks of the episode so far.
        budget: ticks that the episode may take.
        inventory: pieces held, by item, armour and off-hand included; read-only.
        equipment: worn or held item by place ("hand", "offhand", "feet", "legs", "chest", "head"), filled
            places only.
        vitals: health, food and the other vitals.
        height: the player's y, blocks.
        stations: stations in reach: of "crafting_table", "furnace", "blast_furnace", "smoker",
            "stonecutter", "smithing_table".
        biome: the player's biome, or None if the protocol hides it.
        position: x, y, z of the feet, blocks, or None if the protocol hides them.
        subgoal: the current or latest sub-goal; None before the first.
        gained: pieces that the inventory gained since `subgoal` began, by item.
        consumed: pieces that the inventory lost since `subgoal` began, by item.
        seed: a seed for the agent's own random draws, which reveals nothing about the world.
        picture: the screen of this tick; None in a world without pictures.
        pov: the observation's frame of this tick (uint8[H, W, 3]); None in a world without pictures.
    """

    row: int
    task: Task
    goal: SubGoal
    tick: int = 0
    budget: int = 36_000
    inventory: Mapping[str, int] = field(default_factory=dict)
    equipment: Mapping[str, str] = field(default_factory=dict)
    vitals: Vitals = field(default_factory=Vitals)
    height: float = 64.0
    stations: tuple[str, ...] = ()
    biome: str | None = None
    position: tuple[float, float, float] | None = None
    subgoal: SubGoal | None = None
    gained: Mapping[str, int] = field(default_factory=dict)
    consumed: Mapping[str, int] = field(default_factory=dict)
    seed: int = 0
    picture: Picture | None = field(default=None, compare=False)
    pov: Picture | None = field(default=None, compare=False)

    @property
    def instruction(self) -> str:
        """Return the task's text, in the words of the paper that describes the task."""
        return self.task.instruction

    @property
    def equipped(self) -> str | None:
        """Return the item in hand, or None."""
        return self.equipment.get(HAND)
