"""The largest number of an array, as a kernel."""

from typing import Any

from numpy.typing import NDArray

from optimus_gym.worlds.voxel.compiling.intrinsics import flat
from optimus_gym.worlds.voxel.compiling.kernels import kernel


@kernel
def largest(values: NDArray[Any]) -> Any:
    """Return the largest value of a C-contiguous array that is not empty."""
    numbers = flat(values)
    most = numbers[0]
    for k in range(numbers.size):
        most = max(most, numbers[k])
    return most
