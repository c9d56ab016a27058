"""A world under test: how the world is made, and how its episodes begin."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Final

from optimus_gym.core.types import Setup
from optimus_gym.testing.contract import NotApplicable, PartCase

KIT: Final[Mapping[str, int]] = {"oak_log": 9, "iron_boots": 1, "dirt": 70}
"""The player's inventory at the start of most tests of a world."""
BIOME: Final = "plains"
"""The biome in which tests of a world begin, if the world has this biome."""
DEADLY: Final = Setup(5, position=(0.5, 250.0, 0.5), difficulty="normal")
"""Start of an episode that kills a player who does nothing, by a fall from a great height."""
BAD: Final = (
    Setup(seed=9, biome="plain"),
    Setup(seed=9, inventory={"oak_logs": 1}),
    Setup(seed=9, inventory={"stone": 36 * 64 + 1}),
    Setup(seed=9, weather="snow"),
)
"""Setups that a world must reject: an unknown biome, an unknown item, too many items, unknown weather."""
METHODS: Final[Mapping[str, tuple[str, ...]]] = {
    "subgoals": ("carry_out",),
    "snapshots": ("snapshot", "restore"),
    "sights": ("sights",),
    "arrays": ("worlds",),
    "respawn": ("respawn",),
    "biome_share": ("biome_share",),
    "night_vision": ("bright_frames",),
    "commands": ("command",),
    "overlay": ("overlay",),
    "predicaments": ("predicaments",),
    "mouse": ("screens", "pockets"),
    "surroundings": ("ask_surroundings", "surroundings", "conditions"),
    "whereabouts": ("in_reach", "under_sky"),
}
"""By power, the members that a world with the power must have besides those of `World`."""


@dataclass
class WorldCase(PartCase):
    """A world under test; `make` takes the number of worlds.

    Attributes:
        start: the setup of most of the tests' episodes; None: seed 3 in "plains", or in the world's first
            biome, with `KIT`.
        bad_setups: setups that the world must reject.
        deadly: a setup that kills a player who does nothing.
        steps: number of ticks or sub-goals that a test plays.
    """

    start: Setup | None = None
    bad_setups: Sequence[Setup] = BAD
    deadly: Setup = DEADLY
    steps: int = 24

    @cached_property
    def can(self) -> frozenset[str]:
        """The world's powers."""
        world = self.make(1)
        world.close()
        powers: frozenset[str] = world.can
        return powers

    @cached_property
    def setup(self) -> Setup:
        """The setup with which most of the tests' episodes begin."""
        if self.start is not None:
            return self.start
        world = self.make(1)
        world.close()
        biome = BIOME if BIOME in world.biomes else world.biomes[0]
        return Setup(seed=3, biome=biome, inventory=KIT)

    def need(self, *powers: str) -> None:
        """Stop the running rule if the world lacks one of `powers`.

        Raises:
            NotApplicable: the world lacks a power.
        """
        for power in powers:
            if power not in self.can:
                raise NotApplicable(f"the world does not declare the power {power!r}")

    @contextmanager
    def begun(self, count: int, **changes: Any) -> Iterator[Any]:
        """Yield a new world in which all rows have begun the same episode; close the world at the end."""
        world = self.make(count)
        for row in range(count):
            world.reset(row, replace(self.setup, **changes))
        yield world
        world.close()
