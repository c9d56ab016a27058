"""The cracks on a block that is being broken."""

from functools import cache

import numpy as np
from numpy.typing import NDArray

from optimus_gym.worlds.voxel.art.grain import cells, grain
from optimus_gym.worlds.voxel.art.patterns import TEXEL_COLUMN, TEXEL_ROW

STAGES = 10
"""Number of stages from the first crack of a block to its break; Minecraft Wiki, "Breaking"."""
_STONES = 14
_CRACK_WIDTH = 1.1
_INK = 150


@cache
def crack_stages() -> NDArray[np.uint8]:
    """Return by how much cracks darken each texel: uint8[10, 16, 16], 0 (not at all) to 255 (black).

    Stage k belongs to blocks that are broken by k/10 to (k + 1)/10. Cracks spread from the middle of a face,
    and each stage keeps the cracks of the stage before. The array is read-only.
    """
    _, edge = cells("breaking", _STONES)
    on_crack = edge < _CRACK_WIDTH
    middle = np.abs(TEXEL_ROW - 7.5) + np.abs(TEXEL_COLUMN - 7.5)
    order = np.where(on_crack, middle + grain("breaking/order") * 5, np.inf)
    reached = np.sort(order[on_crack])
    stages = np.zeros((STAGES, *order.shape), dtype=np.uint8)
    for stage in range(STAGES):
        limit = reached[(stage + 1) * (len(reached) - 1) // STAGES]
        stages[stage][order <= limit] = _INK
    stages.flags.writeable = False
    return stages
