"""The rule for a thing in view: a picture of the present tick shows enough of it, by the world's own truth.

Environment and controllers share the rule. Darkness hides nothing (`SightWorld.sights`).
"""

from collections.abc import Collection
from typing import Any, Final, cast

from optimus_gym.core.world_powers import SightWorld

VIEW: Final = (160, 90)
"""Width and height, in pixels, of the picture whose sights are counted; a quarter of the papers' 640x360 each
way (our choice)."""
LEAST_PIXELS: Final = 6
"""Least number of pixels of `VIEW` that must show a thing: 96 of 640x360, about the size of a cow 30 blocks
away (our choice)."""
LOOK_PERIOD: Final = 10
"""Ticks between two looks at what a find sub-goal wants (our choice; MP5, Table 10, looks "at a fixed
frequency")."""


def things_in_view(world: Any, row: int) -> frozenset[str]:
    """Return the names of the blocks, creatures and items that a picture of a row shows large enough.

    Args:
        world: a world with the power "sights".
        row: the world's row.
    """
    sights = cast(SightWorld, world).sights(row, VIEW)
    return frozenset(sight.name for sight in sights if sight.pixels >= LEAST_PIXELS)


def is_in_view(world: Any, row: int, kinds: Collection[str]) -> bool:
    """Return whether a picture of a row shows one of the things `kinds` large enough."""
    return not things_in_view(world, row).isdisjoint(kinds)
