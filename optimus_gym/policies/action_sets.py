"""Sets of actions of several keys each, and actions that are held for several ticks."""

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from optimus_gym.core.actions import pressing, without_presses
from optimus_gym.core.checks import check_count
from optimus_gym.core.errors import BadValue, shown

_MOST_TICKS: Final = 1200
"""Maximum number of ticks that an action may be held: a minute."""
MOST_ACTIONS: Final = 10_000
"""Maximum number of actions in a set; VPT has 8,641 joint buttons."""


def check_hold(name: str, value: object) -> int:
    """Return `value` as the number of ticks for which an action is held.

    Raises:
        BadValue: the value is no integer from 1 to `_MOST_TICKS`.
    """
    return check_count(name, value, 1, _MOST_TICKS)


def check_action_set(name: str, value: object) -> NDArray[np.int32]:
    """Return a set of actions as values of the low-level keys (int32[n, 15]).

    Raises:
        BadValue: the value is no list of 1 to `MOST_ACTIONS` mappings, or a key's value is out of range.
        UnknownName: there is no such key.
    """
    if not isinstance(value, list) or not 0 < len(value) <= MOST_ACTIONS:
        count = f", {len(value)} long" if isinstance(value, list) else ""
        raise BadValue(
            f"{name}: expected a list of 1 to {MOST_ACTIONS} actions, got {shown(value)}{count}"
        )
    return np.stack([pressing(keys, f"{name}[{k}]") for k, keys in enumerate(value)])


class Holding:
    """Holds each row's action for `ticks` ticks, as an environment with the argument `hold` does.

    Args:
        ticks: ticks to hold each action, at least 1.
    """

    def __init__(self, ticks: int) -> None:
        self._ticks = ticks
        self._held: dict[int, NDArray[np.int32]] = {}
        """For each row, the action that the row presses next."""
        self._left: dict[int, int] = {}
        """For each row, the number of ticks for which the row still holds its action."""

    def release(self, rows: Sequence[int]) -> None:
        """End the holds of `rows`, so that each row takes a new action next."""
        for row in rows:
            self._left.pop(row, None)

    def free(self, rows: Sequence[int]) -> list[int]:
        """Return the indices into `rows` of those rows that need a new action now."""
        return [place for place, row in enumerate(rows) if not self._left.get(row)]

    def take(self, rows: Sequence[int], actions: NDArray[np.int32]) -> None:
        """Let `rows` hold new actions (int32[n, 15]) from now on."""
        self._held.update(zip(rows, actions, strict=True))
        self._left.update(dict.fromkeys(rows, self._ticks))

    def press(self, rows: Sequence[int]) -> NDArray[np.int32]:
        """Return the actions (int32[n, 15]) that `rows` press in this tick; each row must hold an action."""
        pressed = np.stack([self._held[row] for row in rows])
        for row in rows:
            self._held[row] = without_presses(self._held[row])
            self._left[row] -= 1
        return pressed
