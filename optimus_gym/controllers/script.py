"""Controllers written as scripts: a row's script is a generator of actions that ends with its outcome."""

from abc import ABC, abstractmethod
from collections.abc import Generator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from optimus_gym.core.actions import ACTION_LENGTH, no_action
from optimus_gym.core.errors import BadValue
from optimus_gym.core.protocols import World
from optimus_gym.core.types import Failure, SubGoal

Action = NDArray[np.int32]
Script = Generator[Action, None, Failure | None]
"""Yields an action a tick; returns None when it is done, or why it cannot be."""
Steps = Generator[Action, None, bool]
"""A part of a script; returns whether it came to its end."""


class ScriptController(ABC):
    """A controller whose rows each run the script that `script` makes for a sub-goal.

    A script that has ended acts no more; a failure is reported until the next `begin`.
    """

    privileged = True
    observes = False
    """Observations are ignored, so nobody needs to make them."""
    verbs: frozenset[str] = frozenset()

    def __init__(self) -> None:
        self.world: Any = None
        self._scripts: dict[int, Script] = {}
        self._failures: dict[int, Failure] = {}
        self._still = no_action()

    def attach(self, world: World, seeds: Sequence[int] | None = None) -> None:
        """Meet the embedded world.

        Raises:
            BadValue: the world is another one, which these scripts cannot read.
        """
        if not hasattr(world, "worlds"):
            raise BadValue(
                f"world: expected the embedded world (VoxelWorld), got {type(world).__name__}"
            )
        self.world = world
        self._scripts.clear()
        self._failures.clear()

    def reset(self, row: int, seed: int) -> None:
        """Forget the row's former episode."""
        self._scripts.pop(row, None)
        self._failures.pop(row, None)

    def begin(self, row: int, subgoal: SubGoal) -> None:
        """Turn row `row` to another sub-goal.

        Raises:
            BadValue: the verb is not one of this controller's.
        """
        if subgoal.verb not in self.verbs:
            raise BadValue(f"verb: expected one of {sorted(self.verbs)}, got {subgoal.verb!r}")
        self._failures.pop(row, None)
        self._scripts[row] = self.script(row, subgoal)

    def has_ended(self, row: int) -> bool:
        """Tell whether the row's script has come to its end, reached or failed (or none was begun)."""
        return row not in self._scripts

    @abstractmethod
    def script(self, row: int, subgoal: SubGoal) -> Script:
        """Make the script that carries out a sub-goal."""

    def act(
        self, rows: Sequence[int], observations: Sequence[Mapping[str, NDArray[Any]]]
    ) -> tuple[NDArray[np.int32], list[Failure | None]]:
        """Return each row's next action (int32[n, 11]) and failure; see `protocols.Controller`."""
        actions = np.empty((len(rows), ACTION_LENGTH), np.int32)
        failures: list[Failure | None] = []
        for n, row in enumerate(rows):
            actions[n] = self._advance(row)
            failures.append(self._failures.get(row))
        return actions, failures

    def _advance(self, row: int) -> Action:
        script = self._scripts.get(row)
        if script is None:
            return self._still
        try:
            return next(script)
        except StopIteration as end:
            del self._scripts[row]
            if end.value is not None:
                self._failures[row] = end.value
            return self._still
