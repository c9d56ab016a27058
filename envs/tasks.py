"""From the `task` and `suite` arguments to tasks."""

from collections.abc import Mapping

from optimus_gym.core.errors import BadValue, UnknownName
from optimus_gym.core.types import Verb
from optimus_gym.game.items import item
from optimus_gym.game.recipes import recipes_for
from optimus_gym.game.smelting import smelting_for
from optimus_gym.game.tasks import SUITE, Task, task, tasks

SUITES = (SUITE,)
OWN_BUDGET = 36_000
"""Ticks of a task that a user words: the largest budget of Optimus-1's Table 5."""


def resolve_task(wanted: object) -> Task:
    """Return the task that an argument names.

    Args:
        wanted: a task's id, or `{"item": name, "count": n}` (count 1 if left out).

    Raises:
        UnknownName: no such task or item.
        BadValue: neither of both, or a count below 1.

    >>> resolve_task({"item": "white_bed"}).instruction
    'Get 1 white bed'
    """
    if isinstance(wanted, str):
        return task(wanted)
    if not isinstance(wanted, Mapping) or not {"item"} <= set(wanted) <= {"item", "count"}:
        raise BadValue(f'task: expected an id or {{"item": name, "count": number}}, got {wanted!r}')
    name, count = item(wanted["item"]).name, wanted.get("count", 1)
    if not isinstance(count, int) or isinstance(count, bool) or count < 1:
        raise BadValue(f"task: expected a count of at least 1, got {count!r}")
    words = f"Get {count} {name.replace('_', ' ')}"
    return Task(
        f"{name}:{count}", "own", "own", words, name, count, budget=OWN_BUDGET, verb=_verb(name)
    )


def _verb(name: str) -> Verb:
    """Return how the last step to an item is usually done."""
    if recipes_for(name):
        return "craft"
    return "smelt" if smelting_for(name) else "mine"


def suite_tasks(name: str) -> tuple[Task, ...]:
    """Return a suite's tasks in its order.

    Raises:
        UnknownName: no such suite.
    """
    if name not in SUITES:
        raise UnknownName("suite", name, SUITES)
    return tuple(tasks().values())
