"""Row types (NumPy dtypes) of the player and of what two assists remember.

Units are those of `state.worlds`.
"""

import numpy as np

PLAYER = np.dtype(
    [
        ("seed", "u8"),
        ("random", "u8"),  # state of the world's own generator (drops, offsets)
        ("tick", "i8"),
        ("alive", "u1"),
        ("x", "f8"),  # middle of the feet
        ("y", "f8"),
        ("z", "f8"),
        ("vx", "f8"),  # blocks a tick
        ("vy", "f8"),
        ("vz", "f8"),
        ("yaw", "f8"),  # [0, 360), 0 south, 90 west
        ("pitch", "f8"),  # degrees in [-90, 90], positive looks down
        ("on_ground", "u1"),
        ("against_wall", "u1"),
        ("in_water", "u1"),
        ("in_lava", "u1"),
        ("head_in_water", "u1"),
        ("submerged", "u1"),  # head_in_water before the latest move
        ("sneaking", "u1"),  # 1 if the key was down in the latest tick
        ("sprinting", "u1"),
        ("sprinted", "u1"),  # sprinting at the end of the latest move
        ("swimming", "u1"),  # sprinting under water
        ("pose", "u1"),  # one of `STANDING`, `CROUCHING`, `SWIMMING`
        ("fall", "f8"),  # blocks fallen since the ground was left
        ("jump_wait", "i4"),
        ("health", "f4"),  # [0, 20]
        ("food", "f4"),  # [0, 20]
        ("saturation", "f4"),  # [0, 20]
        ("air", "i4"),  # [-20, 300] ticks
        ("experience", "f4"),  # points
        ("hurt_wait", "i4"),  # ticks that the latest hurt shows, [0, 20]; `tables/hurt_time.py`
        ("hurt_last", "f4"),  # half-hearts of the hurt that set hurt_wait
        ("heal_wait", "i4"),  # ticks since the last natural healing
        ("hotbar", "i4"),  # selected slot, 0 to 8
        ("aim_x", "i4"),  # block under the crosshair
        ("aim_y", "i4"),
        ("aim_z", "i4"),
        ("aim_face", "i4"),  # 0 west, 1 east, 2 down, 3 up, 4 north, 5 south; -1 nothing in reach
        ("dig_x", "i4"),  # block being broken
        ("dig_y", "i4"),  # NO_BLOCK (-1) = no block begun
        ("dig_z", "i4"),
        ("dig_item", "u2"),  # item that breaks the block
        ("dig_held", "u1"),  # 1 if the key was down in the latest tick
        ("dig_progress", "f8"),  # share of the block already broken, [0, 1)
        ("dig_wait", "i4"),  # ticks until the next block may be begun
        ("miss_wait", "i4"),  # ticks that a held attack key does nothing after a miss
        ("use_wait", "i4"),
        ("swing", "i4"),  # ticks since the arm began to swing, 0 = at rest
        ("events", "i4"),  # how many of the tick's rows in `events` are used
        ("edits", "i4"),  # how many rows of `edits` are used
        ("scheduled", "i4"),  # how many rows of `scheduled` are used
        ("soonest", "i8"),  # tick when the next may be due; 0 = not known
        ("middle_x", "i4"),  # chunk in which the player began the tick (`surroundings`)
        ("middle_z", "i4"),
        ("noted", "i4"),  # how many rows of `notes` are used
        ("falling", "i4"),  # how many rows of `falling` are used
    ]
)

AID = np.dtype(
    [
        ("ore_heights", "u8"),  # bit y is set if an ore was put for feet at height y
        ("height", "i4"),  # height of the feet in the latest tick
        ("stuck", "i4"),  # ticks for which the feet have been at that height
    ]
)
"""Values that the assists `ores_under_agent` and `respawn_when_stuck` remember from tick to tick."""
