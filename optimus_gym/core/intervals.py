"""How sure a success rate and a difference of two are: 95 % intervals."""

from math import sqrt
from typing import Final

import numpy as np
from numpy.typing import NDArray

from optimus_gym.core.errors import BadValue
from optimus_gym.core.rng import generator

Z: Final = 1.959964
"""The normal distribution's 97.5 % quantile."""
PERCENTILES: Final = (2.5, 97.5)
DRAWS: Final = 10_000
"""Bootstrap samples: the ends of an interval move by less than 0.002 from one set of draws to another."""

Interval = tuple[float, float]


def wilson(successes: int, episodes: int) -> Interval:
    """Return Wilson's 95 % interval of a success rate (Wilson 1927, "Probable inference").

    Args:
        successes: 0 to `episodes`.
        episodes: at least 1.

    >>> [round(end, 3) for end in wilson(9, 10)]
    [0.596, 0.982]
    """
    rate, square = successes / episodes, Z * Z / episodes
    middle = (rate + square / 2) / (1 + square)
    half = Z * sqrt(rate * (1 - rate) / episodes + square / episodes / 4) / (1 + square)
    return middle - half, middle + half


def mean_interval(values: NDArray[np.floating], seed: int = 0) -> Interval:
    """Return the bootstrap's 95 % interval of the mean over training seeds and episodes.

    Both are drawn with replacement, each on its own (the "pigeonhole bootstrap" of a crossed design, Owen
    2007): all training seeds play the same episodes. With one training seed only episodes are drawn. Of few
    episodes, say less than 50, the interval is too narrow, as every bootstrap's.

    Args:
        values: float[training seeds, episodes], for instance the differences of two policies in the same
            episodes.
        seed: of the draws.

    Raises:
        BadValue: there is no value.

    >>> mean_interval(np.ones((3, 20)))
    (1.0, 1.0)
    """
    if values.ndim != 2 or not values.size:
        raise BadValue(f"values: expected [training seeds, episodes], got shape {values.shape}")
    count, episodes = values.shape
    random = generator(seed, "bootstrap")
    rows = random.multinomial(count, np.full(count, 1 / count), DRAWS)
    columns = random.multinomial(episodes, np.full(episodes, 1 / episodes), DRAWS)
    means = (rows @ values * columns).sum(1) / values.size
    low, high = np.percentile(means, PERCENTILES)
    return float(low), float(high)
