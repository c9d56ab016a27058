"""Row types of the sky, of changed blocks and of moving blocks.

Units as in `worlds`.
"""

import numpy as np

SKY = np.dtype(
    [
        ("time", "i8"),  # ticks since the first dawn; the time of day is time mod 24,000
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
"""A block that differs from the seed's land; the last row of a position counts."""

SCHEDULED = np.dtype([("x", "i4"), ("y", "i4"), ("z", "i4"), ("due", "i8")])
"""A cell that will act (flow, fall) in the tick `due`, `DONE` = has acted; rows in order of noting."""

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
