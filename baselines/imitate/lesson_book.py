"""The lessons that the pupil practises."""

import json
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from optimus_gym.envs.own_tasks import curriculum


@dataclass(frozen=True, slots=True)
class Lesson:
    """A task to practise.

    Attributes:
        task: a skill of the curriculum, or a task of the suite `optimus-67`, which the planner divides into
            sub-goals.
        ticks: budget of an episode.
        episodes: number of episodes in the first round, and in each later round.
        noise: share of the first round's stretches in which the teacher acts at random.
        share: weight of the lesson's ticks in an update.
    """

    task: str
    ticks: int
    episodes: tuple[int, int]
    noise: float
    share: float

    @property
    def environment(self) -> tuple[str, dict[str, Any]]:
        """Return the id and the arguments of the lesson's environment."""
        if self.task in curriculum():
            return "Optimus-v0", {"subgoal": self.task, "ticks": self.ticks}
        return f"Optimus-{self.task}-v0", {"ticks": self.ticks}


@cache
def lessons() -> tuple[Lesson, ...]:
    """Return the lessons of `lessons.json`."""
    told = json.loads(files(__package__).joinpath("lessons.json").read_text("utf-8"))
    return tuple(Lesson(**{**row, "episodes": tuple(row["episodes"])}) for row in told["lessons"])
