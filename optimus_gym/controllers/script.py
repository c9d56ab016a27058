"""Controllers written as scripts: a row's script is a generator of actions that ends with its outcome."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Generator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from optimus_gym.controllers.verbs import check_verbs
from optimus_gym.core.actions import ACTION_LENGTH, noop
from optimus_gym.core.errors import BadValue
from optimus_gym.core.interfaces import ControllerSetting, World
from optimus_gym.core.types import Failure, SubGoal

Action = NDArray[np.int32]
Script = Generator[Action, None, Failure | None]
"""A generator that yields one action a tick, and at its end returns None for success, or a failure."""
Steps = Generator[Action, None, bool]
"""A part of a script: a generator of actions that at its end returns whether it succeeded."""


def limited(script: Script, ticks: int, what: str) -> Script:
    """Carry out a script for at most `ticks` ticks; a longer script ends with the failure "stuck"."""
    for _ in range(ticks):
        try:
            action = next(script)
        except StopIteration as end:
            outcome: Failure | None = end.value
            return outcome
        yield action
    return Failure("stuck", detail=f"{what} lasts longer than {ticks} ticks")


class ScriptController(ABC):
    """A controller whose rows each run the script that `script` makes for a sub-goal.

    A row whose script has ended does nothing; `act` returns the script's failure until the next
    `begin_subgoals`.
    Scripts read the world, not observations. A deep copy or pickle of the controller is not attached to an
    environment.
    """

    privileged: bool = True
    needs: frozenset[str] = frozenset()
    verbs: frozenset[str] = frozenset()
    looks_at: tuple[str, ...] = ()
    fixed_batch: bool = False

    def __init__(self) -> None:
        self._still = noop()
        self._detach()

    def _detach(self) -> None:
        """Forget the environment; a subclass also forgets its own state of the environment here."""
        self._make_world: Callable[[], World] | None = None
        self._world: World | None = None
        self._scripts: dict[int, Script] = {}
        self._failures: dict[int, Failure] = {}

    def __getstate__(self) -> dict[str, Any]:
        copy = object.__new__(type(self))
        copy.__dict__.update(self.__dict__)
        copy._detach()
        return copy.__dict__

    @property
    def world(self) -> World:
        """Return the world, which the controller knows from the first `begin_episodes` on."""
        assert self._world is not None, "begin_episodes comes first"
        return self._world

    def attach(self, setting: ControllerSetting) -> None:
        """Attach the controller to an environment, and forget the previous environment.

        Raises:
            BadValue: `setting.world` is None.
        """
        self._detach()
        if setting.world is None:
            raise BadValue(
                f"world: expected a world in the ControllerSetting of {type(self).__name__}, got None"
            )
        self._make_world = setting.world

    def begin_episodes(self, rows: Sequence[int], seeds: Sequence[int]) -> None:
        """Forget the rows' previous episodes; the first call makes the world.

        Raises:
            BadValue: the world lacks a power that the controller needs.
        """
        if self._world is None:
            self._meet()
        for row in rows:
            self._scripts.pop(row, None)
            self._failures.pop(row, None)

    def _meet(self) -> None:
        """Get the world from the environment, which makes the world now if none exists yet."""
        assert self._make_world is not None, "attach comes first"
        world = self._make_world()
        missing = self.needs - world.can
        if missing:
            raise BadValue(
                f"world: expected the powers {sorted(self.needs)} for {type(self).__name__}, "
                f"got {type(world).__name__} without {sorted(missing)}"
            )
        self._world = world

    def begin_subgoals(self, rows: Sequence[int], subgoals: Sequence[SubGoal]) -> None:
        """Give each of `rows` a new sub-goal.

        Raises:
            BadValue: a sub-goal's verb is not one that this controller carries out; in
                that case no row has changed.
        """
        check_verbs(subgoals, self.verbs)
        for row, subgoal in zip(rows, subgoals, strict=True):
            self._failures.pop(row, None)
            self._scripts[row] = self.script(row, subgoal)

    def has_ended(self, row: int) -> bool:
        """Return whether the row has no running script: it has succeeded, failed or not begun."""
        return row not in self._scripts

    @abstractmethod
    def script(self, row: int, subgoal: SubGoal) -> Script:
        """Make the script that carries out a sub-goal."""

    def act(
        self,
        rows: Sequence[int],
        observations: Mapping[str, NDArray[Any]],
        mask: NDArray[np.bool_],
    ) -> tuple[NDArray[np.int32], list[Failure | None]]:
        """Return each row's next action (int32[n, 15]) and failure; see `interfaces.Controller`."""
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
