"""The time that goes by in a world while its agent's backbone is waited for."""

from collections.abc import Callable, Sequence

import numpy as np

from optimus_gym.core.actions import noop
from optimus_gym.envs.episode import Course
from optimus_gym.envs.runtime import Runtime

TICKS_A_SECOND = 20
"""Minecraft Wiki, "Tick"."""


class Thinking:
    """Lets each row's world go on for as long as its answers took, with nothing done meanwhile.

    Optimus-1, Figure 13, shows what that does to who plans in many calls. Answers count with the latency
    that their backbone tells, a recording's with the recorded one, each row's own though rows ask at once;
    what is left of a second beside whole ticks is kept for the next answers.

    Args:
        runtime: the worlds and episodes.
        courses: every row's course; its `thought` is written.
        account: called with a row after each tick of it.
    """

    def __init__(
        self, runtime: Runtime, courses: Sequence[Course], account: Callable[[int], None]
    ) -> None:
        self._runtime = runtime
        self._courses = courses
        self._account = account

    def go_by(self, rows: Sequence[int]) -> frozenset[int]:
        """Tick `rows` until their answers' time is over or their episodes are; return whose players died."""
        died: set[int] = set()
        while waiting := [row for row in rows if self._is_owed(row)]:
            self._runtime.tick(waiting, np.tile(noop(), (len(waiting), 1)))
            for row in waiting:
                self._courses[row].thought += 1
                if self._runtime.episode(row).status != "world_failed":
                    self._account(row)
            died.update(row for row in waiting if self._runtime.died[row])
        return frozenset(died)

    def _is_owed(self, row: int) -> bool:
        """Tell whether the row's answers took longer than its world has gone on for them."""
        course = self._courses[row]
        seconds = sum(answer.latency_s for answer in course.answers)
        owed = int(seconds * TICKS_A_SECOND) > course.thought
        return owed and not self._runtime.episode(row).over
