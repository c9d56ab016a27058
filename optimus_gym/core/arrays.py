"""Type names for arrays: pictures, and vectors of an aligner."""

import numpy as np
from numpy.typing import NDArray

Pixels = NDArray[np.uint8]
"""An array of one or more pictures: uint8[..., H, W, 3]."""
Vector = NDArray[np.float32]
"""The vector of a text, frame or video that an aligner returns: float32[d]."""
