"""Random generators derived from the seed of a reset, one for each named consumer of random numbers."""

from zlib import crc32

import numpy as np

from optimus_gym.core.checks import is_whole
from optimus_gym.core.errors import BadValue, shown


def check_seed(seed: object) -> int:
    """Return `seed` as an int.

    Raises:
        BadValue: `seed` is no integer from 0 to 2**63 - 1.
    """
    if not is_whole(seed) or not 0 <= seed < 2**63:
        raise BadValue(f"seed: expected an integer from 0 to 2**63 - 1, got {shown(seed)}")
    return int(seed)


def generator(seed: int, consumer: str) -> np.random.Generator:
    """Return the random generator for `consumer` in an episode with this seed.

    >>> int(generator(3, "oracle").integers(100)) == int(generator(3, "oracle").integers(100))
    True
    """
    return np.random.Generator(np.random.PCG64([check_seed(seed), crc32(consumer.encode())]))
