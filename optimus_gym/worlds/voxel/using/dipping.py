"""The source of water or lava under the crosshair, for buckets and lily pads.

References: Minecraft Wiki, "Bucket", "Lily Pad" (use on sources).
"""

import numpy as np

from optimus_gym.worlds.voxel.bodies.aim import NO_FACE, REACH, distance_along, face_hit
from optimus_gym.worlds.voxel.bodies.fluids import SOURCE, fluid_depth, level_of
from optimus_gym.worlds.voxel.bodies.posture import eye_height
from optimus_gym.worlds.voxel.compiling.kernels import kernel
from optimus_gym.worlds.voxel.land.cells import block_at
from optimus_gym.worlds.voxel.state.worlds import BLOCK_MASK, Worlds
from optimus_gym.worlds.voxel.tables.properties import FLUIDS, IS_FLUID_BLOCK
from optimus_gym.worlds.voxel.tables.trigonometry import cosine, sine

_STEP = 0.05
"""Distance in blocks between tested points of the ray through the crosshair."""


@kernel
def aimed_source(worlds: Worlds, i: int) -> tuple[bool, int, int, int, int]:
    """Return whether the crosshair meets a fluid source before a block, the source's cell, and its fluid."""
    p = worlds.players[i]
    limit = REACH if p.aim_face == NO_FACE else distance_along(worlds, i)
    level = cosine(p.pitch)
    ex, ey, ez = p.x, p.y + eye_height(worlds, i), p.z
    dx, dy, dz = -sine(p.yaw) * level, -sine(p.pitch), cosine(p.yaw) * level
    for k in range(int(limit / _STEP) + 1):
        far = min(k * _STEP, limit)
        x, y = int(np.floor(ex + far * dx)), int(np.floor(ey + far * dy))
        z = int(np.floor(ez + far * dz))
        voxel = block_at(worlds, i, x, y, z)
        kind = int(FLUIDS[voxel & BLOCK_MASK])
        if not IS_FLUID_BLOCK[voxel & BLOCK_MASK] or level_of(voxel) != SOURCE:
            continue
        top = y + fluid_depth(worlds, i, x, y, z, kind)
        face, at = face_hit(
            ex, ey, ez, dx, dy, dz, (float(x), float(y), float(z), x + 1.0, top, z + 1.0)
        )
        if face != NO_FACE and at <= limit:
            return True, x, y, z, kind
    return False, 0, 0, 0, 0
