"""Armour: how armour reduces damage, and how damage wears armour out.

Reference: Minecraft Wiki, "Armor" (mechanics, durability).
"""

import numpy as np
from numpy.typing import NDArray

from optimus_gym.game.hurts import hurts
from optimus_gym.worlds.voxel.compiling.kernels import kernel
from optimus_gym.worlds.voxel.state.events import emit
from optimus_gym.worlds.voxel.state.worlds import BROKEN, FEET, OFFHAND, Worlds
from optimus_gym.worlds.voxel.tables.properties import DEFENCE, DURABILITIES, FIREPROOF, TOUGHNESS
from optimus_gym.worlds.voxel.things.inventory import take_from_slot

MEETS_ARMOUR: NDArray[np.bool_] = np.array([hurt.armour for hurt in hurts().values()])
"""bool[kinds]: whether armour reduces the damage of each kind of hurt."""
FROM_FIRE: NDArray[np.bool_] = np.array([hurt.fire for hurt in hurts().values()])
"""bool[kinds]: whether each kind of hurt counts as fire damage."""


@kernel
def reduced(amount: float, points: float, toughness: float) -> float:
    """Return how much of a hurt's damage `amount` (half-hearts) armour lets through."""
    kept = max(points / 5.0, points - amount / (2.0 + toughness / 4.0))
    return amount * (1.0 - min(kept, 20.0) / 25.0)


@kernel
def through_armour(worlds: Worlds, i: int, kind: int, amount: float) -> float:
    """Return the damage of a hurt that the player's armour lets through, and add wear to the armour.

    `kind` is a kind of hurt that armour reduces. Fire adds no wear to fireproof armour.
    """
    points, toughness = 0.0, 0.0
    uses = max(int(amount / 4.0), 1)
    for k in range(FEET, OFFHAND):
        stack = worlds.slots[i, k]
        points += DEFENCE[stack.item]
        toughness += TOUGHNESS[stack.item]
        limit = DURABILITIES[stack.item]
        wears = DEFENCE[stack.item] > 0 and not (FROM_FIRE[kind] and FIREPROOF[stack.item])
        if wears and limit > 0:
            stack.damage += uses
            if stack.damage >= limit:
                emit(worlds, i, BROKEN, stack.item, 1)
                take_from_slot(worlds, i, k, 1)
    return reduced(amount, points, toughness)
