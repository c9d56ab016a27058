"""Row types (NumPy dtypes) of the sky, of changed blocks, of scheduled cells and of falling blocks.

Units are those of `state.worlds`.
"""

import numpy as np

SKY = np.dtype(
    [
        ("time", "i8"),  # ticks since the first day began; the time of day is time mod 24,000
        ("raining", "u1"),
        ("thundering", "u1"),
        ("rain_wait", "i4"),  # ticks until it begins or ceases to rain; 0 = to be drawn
        ("thunder_wait", "i4"),
        ("rain", "f4"),  # strength, [0, 1], follows `raining` by 0.01 a tick
        ("thunder", "f4"),
        ("flash", "i4"),  # ticks for which lightning still lights the sky
    ]
)
"""Clock and weather of a world."""

EDIT = np.dtype([("x", "i4"), ("y", "i4"), ("z", "i4"), ("voxel", "u2")])
"""A block that differs from the land that the seed generates; each position has at most one row."""

SCHEDULED = np.dtype([("x", "i4"), ("y", "i4"), ("z", "i4"), ("due", "i8")])
"""A cell that acts (flows, falls, burns) in the tick `due`; `DONE` = has acted. Rows are in the order of
scheduling."""

FALLING = np.dtype(
    [
        ("voxel", "u2"),  # 0 = row is free
        ("x", "i4"),  # column in which the block falls
        ("z", "i4"),
        ("y", "f8"),  # height of the block's lower side
        ("vy", "f8"),
        ("age", "i4"),
    ]
)
