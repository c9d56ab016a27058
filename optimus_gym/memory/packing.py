"""Vectors as bytes: half precision, about three digits of each number."""

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from optimus_gym.core.errors import BadValue

STORED_TYPE: Final = np.dtype("<f2")
"""Type of the numbers of a stored vector."""


def packed_vector(vector: NDArray[np.float32], width: int) -> bytes:
    """Return a vector's bytes.

    Raises:
        BadValue: the vector has another length than `width`, or a number is not finite.

    >>> unpacked_vectors([packed_vector(np.float32([0.5, 1]), 2), None], 2)
    array([[0.5, 1. ],
           [0. , 0. ]], dtype=float32)
    """
    with np.errstate(over="ignore"):
        stored = vector.astype(STORED_TYPE)
    if stored.shape != (width,) or not np.isfinite(stored).all():
        raise BadValue(
            f"memory: expected a vector of {width} finite numbers, got shape {vector.shape} "
            "or numbers that are not finite in half precision"
        )
    return stored.tobytes()


def unpacked_vectors(packed: Sequence[bytes | None], width: int) -> NDArray[np.float32]:
    """Return vectors (float32[n, width]) from their bytes; None gives zeros.

    Raises:
        BadValue: a vector's bytes do not hold `width` numbers, or a number is not finite.
    """
    size = width * STORED_TYPE.itemsize
    nothing = bytes(size)
    parts = [nothing if part is None else part for part in packed]
    if any(len(part) != size for part in parts):
        raise BadValue(f"memory: expected vectors of {size} bytes, got another length")
    vectors = np.frombuffer(b"".join(parts), STORED_TYPE).reshape(-1, width).astype(np.float32)
    if not np.isfinite(vectors).all():
        raise BadValue("memory: expected vectors of finite numbers, got a number that is not")
    return vectors
