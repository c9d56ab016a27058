"""Curricula: what the agents of self-evolution play next.

"free" is Optimus-1's: explorations, then lessons of the teacher. JARVIS-1 has the others (section 3.4 and
Figure 7): its agents play tasks of a suite.
"""

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Protocol

from optimus_gym.agents.jarvis1.agent import Jarvis1
from optimus_gym.agents.jarvis1.self_instruct import Achieved, SelfInstruct, item_word
from optimus_gym.agents.jarvis1.switches import jarvis_switches
from optimus_gym.core.checks import check_name
from optimus_gym.core.parts import part_of
from optimus_gym.core.rng import generator
from optimus_gym.core.task import Task
from optimus_gym.knowledge.knowledge_graph import KnowledgeGraph
from optimus_gym.minds.cookbook import Cookbook
from optimus_gym.run.evaluate.evaluation import Evaluation
from optimus_gym.run.learn.school_tasks import SchoolTasks

FREE_EXPLORATION: Final = "free"
CURRICULA: Final = (FREE_EXPLORATION, "self", "listed", "random")
"""Curricula. "free": explorations and lessons (Optimus-1, section 2.3); "self": tasks that the backbone
proposes; "listed": tasks in the order in which people wrote the suite; "random": tasks drawn."""
ROUND_KINDS: Final = ("explore", "teach", "tasks")
"""Kinds of rounds: explorations; lessons, whose plans come from the recipe data; tasks of a suite."""


@dataclass(frozen=True, slots=True)
class Batch:
    """The tasks of a round.

    Attributes:
        kind: one of `ROUND_KINDS`.
        tasks: the tasks' rows, or for the kind "tasks" the ids of the suite's tasks.
        problems: faults of a backbone's proposal, in words.
    """

    kind: str
    tasks: tuple[Any, ...]
    problems: tuple[str, ...] = ()


@dataclass(slots=True)
class TaskCounts:
    """How often each task was reached, and how often it was played in vain, by the task's id."""

    done: Counter[str] = field(default_factory=Counter)
    lost: Counter[str] = field(default_factory=Counter)

    def note(self, tasks: Collection[str], reached: Collection[str]) -> None:
        """Count the tasks of a round that is over."""
        for name in tasks:
            (self.done if name in reached else self.lost)[name] += 1


class Curriculum(Protocol):
    """Chooses the tasks of rounds."""

    rounds: int
    """Number of rounds of an epoch."""

    def batch(self, epoch: int, number: int, counts: TaskCounts) -> Batch:
        """Return the tasks of an epoch's round; both are numbered from 0."""


class FreeCurriculum:
    """Explorations, and then lessons.

    Args:
        lessons: draws the tasks.
        explore: explorations of an epoch.
        teach: lessons of an epoch.
        size: most tasks of a round.
    """

    def __init__(self, lessons: SchoolTasks, explore: int, teach: int, size: int) -> None:
        self._lessons = lessons
        self._counts = explore, teach
        self._size = size
        self._explored = _parts(explore, size)
        self.rounds = self._explored + _parts(teach, size)

    def batch(self, epoch: int, number: int, counts: TaskCounts) -> Batch:
        """Return the tasks of an epoch's round."""
        explore, teach = self._counts
        if number < self._explored:
            kind, rows, place = "explore", self._lessons.explorations(epoch, explore), number
        else:
            kind, rows = "teach", self._lessons.lessons(epoch, teach)
            place = number - self._explored
        return Batch(kind, tuple(rows[place * self._size : (place + 1) * self._size]))


class SuiteCurriculum:
    """Tasks of a suite: proposed by the backbone, in their order, or drawn.

    Args:
        which: "self", "listed" or "random".
        evaluation: the configuration.
        pool: the tasks to choose from.
        able: all ways to get items that the environment allows.
        seed: seed of the draws.
        count: tasks of an epoch.
        size: most tasks of a round.
    """

    def __init__(
        self,
        which: str,
        evaluation: Evaluation,
        pool: Sequence[Task],
        able: KnowledgeGraph,
        *,
        seed: int,
        count: int,
        size: int,
    ) -> None:
        self._which, self._seed, self._count = which, seed, count
        self._size = min(size, len(pool))  # a round has each task once
        self._held = dict(evaluation.start.get("inventory", {}))
        self._pool = pool
        self._instruct = _instructing(evaluation, pool, able) if which == "self" else None
        self.rounds = _parts(count, self._size)

    def batch(self, epoch: int, number: int, counts: TaskCounts) -> Batch:
        """Return the tasks of an epoch's round."""
        left = min(self._size, self._count - number * self._size)
        turn = epoch * self.rounds + number
        if self._instruct is not None:
            achieved = Achieved(self._held, self._by_word(counts.done), self._by_word(counts.lost))
            made = self._instruct.propose(achieved, left, turn + 1)
            return Batch("tasks", tuple(task.id for task in made.tasks), made.problems)
        if self._which == "random":
            chance = generator(self._seed, f"random curriculum, round {turn}")
            places = sorted(chance.choice(len(self._pool), left, replace=False).tolist())
        else:
            first = epoch * self._count + number * self._size
            places = [k % len(self._pool) for k in range(first, first + left)]
        return Batch("tasks", tuple(self._pool[k].id for k in places))

    def _by_word(self, counted: Counter[str]) -> Counter[str]:
        """Return counts of tasks as counts of the things that the tasks ask for."""
        found = Counter[str]()
        for task in self._pool:
            if counted[task.id]:
                found[item_word(task)] += counted[task.id]
        return found


def curriculum_of(
    which: str,
    evaluation: Evaluation,
    able: KnowledgeGraph,
    biomes: Sequence[str],
    *,
    pool: Sequence[str] = (),
    seed: int,
    counts: tuple[int, int, int],
) -> Curriculum:
    """Return a curriculum by its name.

    Args:
        which: one of `CURRICULA`.
        evaluation: the configuration of agent, world and suite.
        able: all ways to get items that the environment allows.
        biomes: the world's biomes.
        pool: ids of the suite's tasks that a curriculum chooses from; empty: all.
        seed: seed of all draws.
        counts: explorations and lessons of an epoch, and tasks of a round.

    Raises:
        UnknownName: no curriculum has this name.
    """
    check_name("curriculum", which, CURRICULA)
    explore, teach, size = counts
    if which == FREE_EXPLORATION:
        return FreeCurriculum(SchoolTasks(able, biomes, seed), explore, teach, size)
    chosen = [task for name, task in evaluation.known.items() if not pool or name in pool]
    return SuiteCurriculum(
        which, evaluation, chosen, able, seed=seed, count=explore + teach, size=size
    )


def _instructing(
    evaluation: Evaluation, pool: Sequence[Task], able: KnowledgeGraph
) -> SelfInstruct:
    """Return the part that lets an evaluation's backbone propose tasks of a pool."""
    part = part_of("backbone", evaluation.backbone)
    assert part is not None, "an evaluation holds specifications alone"
    agent = part_of("agent", evaluation.agent)
    options = {} if agent is None else agent.options
    own = agent is not None and agent.name == Jarvis1.name
    tells = not own or jarvis_switches(options.get("switches", "full")).tells("instruct")
    return SelfInstruct(part.build(), pool, Cookbook(able), tells)


def _parts(count: int, size: int) -> int:
    return -(-count // size)
