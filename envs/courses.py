"""Data of each row: its episode, the loop's notes on it (course), a step's rewards, costs of answers."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from optimus_gym.core.deliberation import Answer, Decision, Outcome, Record, Tally, Verdict
from optimus_gym.core.task import Task
from optimus_gym.core.types import Event, Status, SubGoal
from optimus_gym.game.equipment import is_equipped
from optimus_gym.game.items import item, item_names

Bodies = tuple[NDArray[np.int32], NDArray[np.float32]]


@dataclass(slots=True)
class Pursuit:
    """A sub-goal that a row is carrying out, with its ticks and progress; the loop writes the fields."""

    subgoal: SubGoal
    chosen: bool
    """Whether the caller of `env.step` chose the sub-goal instead of the agent's decision."""
    ids: NDArray[np.int64]
    """Ids of the items that count for the sub-goal (int64[k])."""
    ticks: int = 0
    progress: float = 0.0
    """Best share of the sub-goal reached so far, 0 to 1."""
    share: float = 0.0
    """Share of the sub-goal reached after the latest tick, 0 to 1; less than `progress` after a loss."""
    batches: int = 0
    """How many single crafts or smelts have made an item of the sub-goal."""
    kills: int = 0
    """How many creatures of a fight sub-goal's kinds the player has killed."""


@dataclass(slots=True)
class Episode:
    """One row's episode, with its task and status; the runtime writes the fields."""

    task: Task
    goal: SubGoal
    budget: int
    seed: int
    """The seed of the agent's random draws."""
    possessed: NDArray[np.bool_]
    """Whether each item, by id, was ever held in the episode (bool[976]); a change makes a new array."""
    assists: tuple[str, ...] = ()
    """Names of changes that make the row's world easier than the game; with a snapshot, the saved world's."""
    biome_share: float = 0.0
    """Share (0 to 1) of the land around the start that has the start's biome; 0 if the world lacks the power
    "biome_share"."""
    ticks: int = 0
    status: Status = "running"
    dug: bool = False
    """Whether the player broke a block as an open-ended task asks (`envs.context.note_digging`)."""
    reason: str = ""
    """Why the agent gave up or the world failed, in words."""
    events: list[Event] = field(default_factory=list)
    """The world's events since the end of the latest step."""

    @property
    def over(self) -> bool:
        """Return whether the episode has ended."""
        return self.status != "running"

    def is_reached(self, counts: NDArray[np.int32], bodies: Callable[[], Bodies]) -> bool:
        """Return whether the task is reached, by the test that `Task.success` names.

        Args:
            counts: held pieces by item id (int32[976]).
            bodies: returns the row's equipment and vitals, as `World.bodies` does.
        """
        task = self.task
        if task.success == "reached":  # `envs.reaching.hear_the_world` ends the episode
            return False
        if task.success == "equipped":
            worn = bodies()[0][0].tolist()
            return any(is_equipped(name, worn) for name in task.kinds)
        if task.success == "declared":
            return any(e.kind == "found" and e.subject in task.kinds for e in self.events)
        held = sum(int(counts[item(name).id]) for name in task.kinds)
        return held >= task.count


@dataclass(slots=True)
class Course:
    """The loop's notes on a row's episode: decision, current sub-goal, outcomes, costs of answers.

    The loop writes the fields; `MeteredBackbone` adds the costs of the backbone's answers (`hear`).
    """

    decision: Decision = field(default_factory=lambda: Decision(None))
    """The agent's latest decision."""
    decided: bool = False
    """Whether the sub-goal of `decision` still waits to begin."""
    pursuit: Pursuit | None = None
    begun: int = 0
    """How many sub-goals have begun."""
    latest: SubGoal | None = None
    """The sub-goal that began last, whether it still runs or has ended."""
    held_then: NDArray[np.int32] | None = None
    """Pieces held at the beginning of `latest`, by item id (int32[976])."""
    stood_then: NDArray[np.float64] | None = None
    """The player's position at the beginning of `latest` (float64[3])."""
    outcomes: list[Outcome] = field(default_factory=list)
    replans: int = 0
    tally: Tally = field(default_factory=Tally)
    """Counts of the backbone's answers by what became of them: corrected, used, replaced or lost."""
    reflection: str = ""
    """The latest reflection's text; if a verdict COMPLETE or REPLAN has no text, the verdict's
    name and its predicament, if any."""
    known: bool = False
    """Whether the agent has seen the episode's beginning."""
    finished: bool = False
    """Whether the agent has seen the episode's end."""
    answers: list[Answer] = field(default_factory=list)
    """Time, tokens and cost of each of the backbone's replies."""
    thought: int = 0
    """Ticks for which the world went on while the backbone answered."""

    def hear(self, answer: Answer) -> None:
        """Note the cost of a reply of the backbone."""
        self.answers.append(answer)
        self.tally = self.tally.heard(answer)

    def follow(self, decision: Decision) -> None:
        """Note a decision of the agent."""
        self.decision, self.decided = decision, True
        self.replans += decision.replanned
        self.tally = self.tally.after(decision)

    def note(self, subgoal: SubGoal, held: NDArray[np.int32], place: NDArray[np.float64]) -> None:
        """Note that a sub-goal begins, with the pieces held (int32[976]) and the position (float64[3])."""
        self.latest, self.held_then, self.stood_then = subgoal, held, place
        self.begun += 1
        self.decided = False

    def take(self, verdict: Verdict) -> None:
        """Note the agent's verdict on the sub-goal."""
        said = verdict.reflection
        if not said and verdict.judgement != "CONTINUE":
            said = f"{verdict.judgement} {verdict.predicament}".strip()
        self.reflection = said or self.reflection
        self.tally = self.tally.after(verdict)


@dataclass(frozen=True, slots=True)
class Progress:
    """A running episode's task and progress, to show to people."""

    task: str
    instruction: str
    plan: tuple[str, ...]
    """All sub-goals of the present plan, those that have ended included."""
    position: int
    """Index of the current sub-goal in `plan`."""
    subgoal: str
    ticks: int
    budget: int
    inventory: Mapping[str, int]
    replans: int


TERMINATED: frozenset[Status] = frozenset({"success", "died", "mistaken", "missed"})
TRUNCATED: frozenset[Status] = frozenset({"budget", "gave_up", "world_failed"})


class StepResult(NamedTuple):
    """The reward, `terminated` and `truncated` that a step returns, a value for each row."""

    rewards: list[float]
    terminated: list[bool]
    truncated: list[bool]


class Ledger:
    """Collects the rewards of each row's ticks until `report` returns their sum for a step.

    The first step also reports the rewards of the reset, since the helper may reach sub-goals in a reset.

    Args:
        count: the number of rows.
        episode: returns a row's episode, whose events each report clears.
    """

    def __init__(self, count: int, episode: Callable[[int], Episode]) -> None:
        self._episode = episode
        self._rewards: list[list[float]] = [[] for _ in range(count)]
        self._told_end = [False] * count

    def begin(self, row: int) -> None:
        """Forget the rewards of the row's former episode, and whether its end has been reported."""
        self._rewards[row] = []
        self._told_end[row] = False

    def add(self, row: int, *rewards: float) -> None:
        """Add the rewards of the row's latest ticks, the oldest tick first."""
        self._rewards[row] += rewards

    def add_to_last(self, row: int, reward: float) -> None:
        """Add to the reward of the row's latest tick what the agent's word on this tick brings."""
        self._rewards[row][-1] += reward

    def rewards(self, row: int) -> tuple[float, ...]:
        """Return the reward of each of the row's ticks since the latest `report`."""
        return tuple(self._rewards[row])

    def has_told_the_end(self, row: int) -> bool:
        """Return whether a step has reported the end of the row's episode.

        An episode may end during its reset, before any step.
        """
        return self._told_end[row]

    def report(self, rows: Sequence[int]) -> StepResult:
        """Return reward, `terminated` and `truncated` of a step for each of `rows`.

        Rewards and events of `rows` are cleared for the next step.
        """
        episodes = [self._episode(row) for row in rows]
        result = StepResult(
            [float(sum(self._rewards[row])) for row in rows],
            [episode.status in TERMINATED for episode in episodes],
            [episode.status in TRUNCATED for episode in episodes],
        )
        for row, episode in zip(rows, episodes, strict=True):
            self._told_end[row] = episode.over
            self._rewards[row] = []
            episode.events = []
        return result


def episode_record(
    row: int, episode: Episode, course: Course, status: Status, protocol: str
) -> Record:
    """Return the record of a row's episode, with the given status and name of the protocol."""
    return Record(
        row=row,
        task=episode.task,
        status=status,
        reason=episode.reason,
        ticks=episode.ticks,
        outcomes=tuple(course.outcomes),
        replans=course.replans,
        tally=course.tally,
        answers=tuple(course.answers),
        thought=course.thought,
        protocol=protocol,
        assists=episode.assists,
    )


def totals(answers: Sequence[Sequence[Answer]]) -> dict[str, NDArray[Any]]:
    """Return each row's calls, unanswered calls, tokens, faults (int64[n]), seconds and costs (float64[n]).

    >>> made = totals([[Answer("plan", "m", 0.5, 10, 3, 0), Answer("plan", "m", 0.25, 4, 1, 9)]])
    >>> {name: values.tolist() for name, values in made.items()}["latency_s"]
    [0.75]
    """
    whole = {
        "calls": [len(row) for row in answers],
        "unanswered": [sum(not answer.answered for answer in row) for row in answers],
        "prompt_tokens": [sum(answer.prompt_tokens for answer in row) for row in answers],
        "completion_tokens": [sum(answer.completion_tokens for answer in row) for row in answers],
        "faults": [sum(len(answer.faults) for answer in row) for row in answers],
    }
    real = {
        "latency_s": [sum(answer.latency_s for answer in row) for row in answers],
        "cost": [sum(answer.cost for answer in row) for row in answers],
    }
    return {
        **{name: np.array(values, np.int64) for name, values in whole.items()},
        **{name: np.array(values, np.float64) for name, values in real.items()},
    }


def models_in(answers: Sequence[Answer]) -> tuple[str, ...]:
    """Return the names of the models that gave the answers, each name once.

    >>> models_in([Answer("plan", "m", 0.5, 10, 3, 0), Answer("plan", "m", 0.25, 4, 1, 9)])
    ('m',)
    """
    return tuple(dict.fromkeys(answer.model for answer in answers))


def counts_by_name(counts: NDArray[np.int32]) -> dict[str, int]:
    """Return counts (int32[976], by item id) by item name, without items of count 0 or less."""
    names = item_names()
    return {names[k]: int(counts[k]) for k in np.flatnonzero(counts > 0).tolist()}
