"""Names for kinds of arrays."""

import numpy as np
from numpy.typing import NDArray

Pixels = NDArray[np.uint8]
"""Pictures: uint8[..., H, W, 3]."""
Vector = NDArray[np.float32]
"""One vector of an aligner: float32[d]."""
