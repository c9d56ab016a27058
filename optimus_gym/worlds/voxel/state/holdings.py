"""Row types (NumPy dtypes) of stacks, item entities, ovens, containers, and sleep in a bed.

Units are those of `state.worlds`.
"""

import numpy as np

MOST_CONTAINERS = 64
"""Maximum number of chests and barrels with items in a world."""
STORED = 27
"""Slots of a chest or barrel; Minecraft Wiki, "Chest"."""

STACK = np.dtype([("item", "u2"), ("count", "u2"), ("damage", "u2")])
"""The content of a slot: item id (0 = empty), number of pieces, uses so far of a tool or armour."""

DROP_ROW = np.dtype(
    [
        ("item", "u2"),  # 0 = row is free
        ("count", "u2"),
        ("damage", "u2"),
        ("age", "i4"),
        ("delay", "i4"),  # ticks until the item may be picked up
        ("harmed", "u1"),  # ticks that the item was in fire or touched a cactus
        ("x", "f8"),
        ("y", "f8"),
        ("z", "f8"),
        ("vx", "f8"),
        ("vy", "f8"),
        ("vz", "f8"),
    ]
)

FURNACE_ROW = np.dtype(
    [
        ("used", "u1"),
        ("x", "i4"),
        ("y", "i4"),
        ("z", "i4"),
        ("burn", "i4"),  # ticks that the fuel burns on
        ("burn_total", "i4"),
        ("cook", "i4"),  # ticks the item has cooked, [0, 200)
        ("input", STACK),
        ("fuel", STACK),
        ("output", STACK),
    ]
)

CONTAINER = np.dtype([("used", "u1"), ("x", "i4"), ("y", "i4"), ("z", "i4")])
"""A chest or barrel that holds items, and its position."""

SLEEP = np.dtype(
    [
        ("ticks", "i4"),  # ticks that the player has lain, 0 = is up
        ("x", "i4"),  # cell of the bed's head
        ("y", "i4"),
        ("z", "i4"),
        ("health", "f4"),  # health in the latest tick; a loss wakes the player
    ]
)
