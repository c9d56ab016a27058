"""A store for slowly made arrays: next to the machine code, under their sources' key."""

import io
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from optimus_gym.worlds.voxel.compiling import sealed
from optimus_gym.worlds.voxel.compiling.folder import cache_root
from optimus_gym.worlds.voxel.compiling.sources import source_key


def kept(file: str, make: Callable[[], NDArray[Any]]) -> NDArray[Any]:
    """Return the array of `make`, read-only; load it from the disk if an undamaged copy is there.

    Args:
        file: the source file of `make`; after any change in it, in its imports or in the data the
            array is made again.
        make: a function that makes an array without Python objects, always the same.
    """
    path = cache_root() / source_key(file) / f"{make.__name__}.npy"
    content = sealed.load(path)
    if content is None:
        array = make()
        written = io.BytesIO()
        np.save(written, array, allow_pickle=False)
        sealed.store(path, written.getvalue())
    else:
        array = np.load(io.BytesIO(content), allow_pickle=False)
    array.setflags(write=False)
    return array
