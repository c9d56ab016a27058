"""Arrays that take long to make: kept beside the machine code, under their sources' key."""

import os
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from optimus_gym.worlds.voxel.compiling.kernels import cache_root, source_key


def kept(file: str, make: Callable[[], NDArray[Any]]) -> NDArray[Any]:
    """Return what `make` makes, from the disk if it was made before; read-only.

    Args:
        file: the source file of `make`; any change in it, in what it imports or in the data makes the
            array anew.
        make: makes an array without Python objects, always the same.
    """
    path = cache_root() / source_key(file) / f"{make.__name__}.npy"
    try:
        array: NDArray[Any] = np.load(path, allow_pickle=False)
    except (OSError, EOFError, ValueError):  # not there, or damaged
        array = make()
        path.parent.mkdir(exist_ok=True)
        written = path.with_suffix(f".{os.getpid()}.npy")
        np.save(written, array, allow_pickle=False)
        written.replace(path)
    array.setflags(write=False)
    return array
