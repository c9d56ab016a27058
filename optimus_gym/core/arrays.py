"""Names for kinds of arrays."""

import numpy as np
from numpy.typing import NDArray

Pixels = NDArray[np.uint8]
"""An array of one or more pictures: uint8[..., H, W, 3]."""
Vector = NDArray[np.float32]
"""One vector of an aligner: float32[d]."""
