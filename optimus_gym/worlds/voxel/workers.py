"""Threads among which the rows of a batch are divided; kernels let go of Python's lock."""

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from functools import cache
from itertools import pairwise
from typing import Any

from optimus_gym.core.checks import check_count
from optimus_gym.core.types import MOST_THREADS

Work = Callable[[int, slice], None]
"""Is given the number of the worker and the rows' places to see to."""


class Workers:
    """A pool that is made when first needed, anew after a fork, and is neither copied nor pickled.

    Args:
        threads: how many work at once at most, the caller's own among them; 1 to 1,024.
        places: rows that there are to divide: more threads would have nothing to do.
    """

    def __init__(self, threads: int, places: int = MOST_THREADS) -> None:
        self.threads = min(check_count("threads", threads, 1, MOST_THREADS), places)
        self._pool: ThreadPoolExecutor | None = None
        self._process = 0

    def share(self, work: Work, places: int, least: int = 1) -> None:
        """Call `work` for blocks of 0 to `places` - 1 that together hold each place once.

        Which worker does which block is left to chance: work must not depend on it.

        Args:
            work: called by several threads at once.
            places: how many there are to divide.
            least: places for which it pays to wake a thread.
        """
        threads = min(self.threads, places // least)
        if threads < 2:
            if places:
                work(0, slice(0, places))
            return
        blocks = iter(_blocks(places, threads))

        def labour(worker: int) -> None:
            for block in blocks:
                work(worker, block)

        others = [self._executor().submit(labour, worker) for worker in range(1, threads)]
        try:
            labour(0)
        finally:
            wait(others)
        for other in others:
            other.result()

    def _executor(self) -> ThreadPoolExecutor:
        """Return the pool; a forked child has the object but none of its threads."""
        if self._pool is None or self._process != os.getpid():
            self._pool = ThreadPoolExecutor(self.threads - 1, "optimus-gym world")
            self._process = os.getpid()
        return self._pool

    def close(self) -> None:
        """End the threads; may be called twice."""
        if self._pool is not None and self._process == os.getpid():
            self._pool.shutdown()
        self._pool = None

    def __getstate__(self) -> dict[str, Any]:
        return {"threads": self.threads, "_pool": None, "_process": 0}


@cache
def _blocks(places: int, threads: int) -> tuple[slice, ...]:
    """Return blocks of what is to be done, each a part of the rest; the last ones are single places.

    Whoever is done early takes the next, so that all end together (guided self-scheduling;
    Polychronopoulos and Kuck, 1987).
    """
    cuts = [0]
    while cuts[-1] < places:
        cuts.append(cuts[-1] + -(-(places - cuts[-1]) // (2 * threads)))
    return tuple(slice(*cut) for cut in pairwise(cuts))
