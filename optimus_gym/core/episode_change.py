"""The change in a row's episode since the row's former reward, which rewards see."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from optimus_gym.core.task import Task
from optimus_gym.core.types import Event, Status, SubGoal


@dataclass(frozen=True, slots=True, eq=False)
class EpisodeChange:
    """The change in a row's episode since its former reward, as a rule by one tick.

    Attributes:
        row: the row's number.
        task: the episode's task.
        status: the episode's status now.
        tick: ticks of the episode so far.
        ticks: ticks of this change: 1; more in a world that carries out a sub-goal as a whole; 0 if, after
            the tick's reward, the agent's word has found something or ended the episode.
        before: pieces held before, by item id (int32[976], read-only).
        held: pieces held now; the same array as `before` if nothing changed.
        had: whether each item, by id, was ever held before (bool[976], read-only).
        has: whether each item was ever held until now; the same array as `had` if nothing changed.
        events: the world's events of the change.
        subgoal: the current sub-goal; None in the flat view, and while no sub-goal runs.
        number: how many sub-goals have begun in the episode.
        reached: the reached share of the sub-goal, 0 to 1.
        helped: whether the environment's helper carries out the sub-goal, and not the controller or policy.
    """

    row: int
    task: Task
    status: Status
    tick: int
    ticks: int
    before: NDArray[np.int32]
    held: NDArray[np.int32]
    had: NDArray[np.bool_]
    has: NDArray[np.bool_]
    events: tuple[Event, ...] = ()
    subgoal: SubGoal | None = None
    number: int = 0
    reached: float = 0.0
    helped: bool = False
