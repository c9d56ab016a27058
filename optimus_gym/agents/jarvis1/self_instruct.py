"""Self-instruct (JARVIS-1, section 3.4): the backbone proposes the tasks of the next round of learning."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from optimus_gym.agents.jarvis1.questions import instruct_question
from optimus_gym.backbones.parse.plans import parse_plan
from optimus_gym.core.interfaces import Backbone
from optimus_gym.core.task import Task
from optimus_gym.core.types import SubGoal
from optimus_gym.minds.cookbook import Cookbook
from optimus_gym.prompts.words import word_for

NOT_IN_POOL: Final = "expected tasks of the list, got"


@dataclass(frozen=True, slots=True)
class Achieved:
    """Things that an agent has and has done: from these the backbone judges how capable the agent is.

    Attributes:
        held: pieces that the agent holds at the beginning of a task, by item.
        done: how often the agent has reached the tasks for an item, by the item.
        lost: how often the agent has tried the tasks for an item in vain, by the item.
    """

    held: Mapping[str, int] = field(default_factory=dict)
    done: Mapping[str, int] = field(default_factory=dict)
    lost: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Proposal:
    """The tasks that the backbone proposes, and the faults of its answer, in words."""

    tasks: tuple[Task, ...]
    problems: tuple[str, ...] = ()


class SelfInstruct:
    """Lets a backbone propose tasks of a pool.

    Args:
        backbone: proposes the tasks.
        pool: the tasks to choose from; of several tasks for one item the first one is proposed.
        cookbook: the ways that the environment allows; a request states what each task needs directly.
        tells: whether requests state what tasks need; if False, the backbone must know it by heart.
    """

    def __init__(
        self, backbone: Backbone, pool: Sequence[Task], cookbook: Cookbook, tells: bool = True
    ) -> None:
        self._backbone = backbone
        self._pool: dict[str, Task] = {}
        for task in pool:
            self._pool.setdefault(item_word(task), task)
        self._cookbook = cookbook
        self._tells = tells

    def propose(self, achieved: Achieved, count: int, round_number: int = 0) -> Proposal:
        """Return at most `count` different tasks that the backbone proposes.

        Args:
            achieved: what the agent has and has done.
            count: how many tasks to propose (the batch of section 3.4).
            round_number: number of the round, which makes equal words a new request.
        """
        rows = [self._row(task) for task in self._pool.values()]
        facts = {
            "inventory": dict(achieved.held),
            "done": dict(achieved.done),
            "lost": dict(achieved.lost),
            "batch": count,
            "pool": rows,
        }
        (reply,) = self._backbone.complete([instruct_question(facts, round_number)])
        read = parse_plan(reply.text)
        named = [self._task_of(subgoal) for subgoal in read.subgoals]
        chosen = {task.id: task for task in named if task is not None}
        strange = [str(one) for one, task in zip(read.subgoals, named, strict=True) if task is None]
        problems = (*read.problems, *([f"{NOT_IN_POOL} {', '.join(strange)}"] if strange else []))
        return Proposal(tuple(chosen.values())[:count], problems)

    def _row(self, task: Task) -> dict[str, Any]:
        ways = self._cookbook.ways(task.goal) if self._tells else ()
        word = item_word(task)
        own = [way for way in ways if way.item in (word, *task.kinds)]
        return {"verb": task.verb, "item": word, "needs": own[0].inputs if own else ()}

    def _task_of(self, subgoal: SubGoal) -> Task | None:
        words = (word_for(subgoal.item, subgoal.kinds), *subgoal.kinds)
        return next((self._pool[word] for word in words if word in self._pool), None)


def item_word(task: Task) -> str:
    """Return the word for a task's item, such as "planks" if any planks count."""
    return word_for(task.item, task.kinds)
