"""What one row of an environment remembers of its episode."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from optimus_gym.core.task import Task
from optimus_gym.core.types import Event, Failure, Plan, SubGoal

Status = Literal["running", "success", "died", "budget", "replans_spent"]


@dataclass(slots=True)
class Pursuit:
    """A sub-goal that is being carried out."""

    subgoal: SubGoal
    planned: bool
    """Whether it is the plan's next step (else a skill that was chosen)."""
    held: int
    """Items of its kinds held when it began."""
    ticks: int = 0
    progress: float = 0.0
    """Best share of the sub-goal reached so far, 0 to 1."""
    seen: bool = False
    """Whether the event was seen that ends a place or find sub-goal."""


@dataclass(slots=True)
class Episode:
    """One row's episode: task, plan, accounts."""

    task: Task
    goal: SubGoal
    budget: int
    counts: NDArray[np.int32]
    """Items held (int32[976], by item id), kept up to date by the runtime."""
    possessed: NDArray[np.bool_]
    """Items that were ever held in the episode (bool[976]); another array once it changes."""
    assists: tuple[str, ...] = ()
    """What makes the row's world easier than the game; a snapshot brings its own."""
    plan: Plan = field(default_factory=lambda: Plan(()))
    position: int = 0
    """Index of the plan's next sub-goal."""
    pursuit: Pursuit | None = None
    outcome: str = ""
    """How the latest sub-goal ended: "reached" or the failure in words."""
    failure: Failure | None = None
    """Why the latest sub-goal failed, or None."""
    pursued: str = ""
    """The latest sub-goal in words."""
    ticks: int = 0
    replans: int = 0
    status: Status = "running"
    reported: bool = False
    """Whether a step has told of the end; an episode may end in its reset, before any step."""
    events: list[Event] = field(default_factory=list)
    """Since the latest step's end."""
    tick_rewards: list[float] = field(default_factory=list)
    """Of each tick since the latest step's end."""

    @property
    def over(self) -> bool:
        """Tell whether the episode has ended."""
        return self.status != "running"

    @property
    def terminated(self) -> bool:
        """Tell whether it ended by success or death."""
        return self.status in ("success", "died")

    @property
    def truncated(self) -> bool:
        """Tell whether it ended by a limit: the tick budget, or the cap on replans."""
        return self.status in ("budget", "replans_spent")

    @property
    def remaining(self) -> tuple[SubGoal, ...]:
        """Return the plan's sub-goals that are still to do, the next one first."""
        return self.plan.subgoals[self.position :]


@dataclass(frozen=True, slots=True)
class Progress:
    """A look at a running episode for people: what the task is and how far it has come."""

    task: str
    instruction: str
    plan: tuple[str, ...]
    """All sub-goals of the present plan."""
    position: int
    """Index of the current one in `plan`."""
    subgoal: str
    ticks: int
    budget: int
    inventory: Mapping[str, int]
    replans: int
