"""Arrays that take long to make: kept beside the machine code, under their sources' key."""

import io
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from optimus_gym.worlds.voxel.compiling import sealed
from optimus_gym.worlds.voxel.compiling.folder import cache_root
from optimus_gym.worlds.voxel.compiling.sources import source_key


def kept(file: str, make: Callable[[], NDArray[Any]]) -> NDArray[Any]:
    """Return what `make` makes, from the disk if it was made before and is whole; read-only.

    Args:
        file: the source file of `make`; any change in it, in what it imports or in the data makes the
            array anew.
        make: makes an array without Python objects, always the same.
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
