"""Checks whether world, protocol and executors suffice for a task; lists the items that plans may name."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any

from optimus_gym.core.errors import BadValue
from optimus_gym.core.task import Task
from optimus_gym.envs.context import JUDGED_BY
from optimus_gym.game.items import items
from optimus_gym.knowledge.abilities import Abilities
from optimus_gym.knowledge.cheapest import Unobtainable
from optimus_gym.knowledge.depths import depths
from optimus_gym.knowledge.pockets import TooMuch

_LISTED = 5
"""Maximum number of impossible tasks that an error lists; the error only counts further ones."""


class Impossible(BadValue):
    """The error if an environment has several tasks and some of them cannot be done.

    Args:
        message: names some of the impossible tasks.
        faults: the reason why each impossible task cannot be done, by the task's id.
    """

    def __init__(self, message: str, faults: Mapping[str, str]) -> None:
        super().__init__(message)
        self.faults = faults

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (str(self), dict(self.faults))


def check_tasks(
    tasks: Sequence[Task], abilities: Abilities, can: Collection[str], actors: str
) -> None:
    """Reject tasks that cannot be done.

    Args:
        tasks: the tasks.
        abilities: the abilities of world, protocol and executors.
        can: the world's powers.
        actors: the executors' names, for messages.

    Raises:
        Unobtainable: the environment's only task asks for an item that the world does not give; the message
            names the item without a source.
        BadValue: the environment's only task needs a verb that the executors lack, asks for more than the
            player can hold, or asks to find something in a world without the powers "finds" and "sights".
        Impossible: the environment has several tasks and some of them cannot be done.
    """
    judged = [(task.id, _fault(task, abilities, can, actors)) for task in tasks]
    faults = [(name, fault) for name, fault in judged if fault is not None]
    if faults and len(tasks) == 1:
        raise faults[0][1]
    if faults:
        told = [str(fault) for _, fault in faults]
        listed = "\n  ".join(told[:_LISTED])
        more = f"\n  and {len(faults) - _LISTED} more" if len(faults) > _LISTED else ""
        raise Impossible(
            f"suite: expected tasks that can be done in world {abilities.world!r} under "
            f"{abilities.protocol!r} by {actors}, got {len(faults)} of {len(tasks)} that cannot"
            f"\n  {listed}{more}",
            {name: str(fault) for name, fault in faults},
        )


def items_on_the_way(task: Task, abilities: Abilities) -> tuple[str, ...]:
    """Return all items that plans for a feasible task may name, and all items that the task accepts."""
    names: dict[str, None] = {}
    if not task.is_sought and not task.is_act:
        for item in (_obtainable(task, abilities), *task.tools):
            names |= dict.fromkeys(abilities.graph.vocabulary(item, task.inventory))
    kinds = (name for name in task.kinds if name in items())
    return tuple(names | dict.fromkeys(kinds))


def depths_on_the_way(task: Task, abilities: Abilities) -> Mapping[str, int]:
    """Return the items that the cheapest plan for a task gets, each with its depth (`knowledge.depths`).

    The task's own items have the depth of the item that the plan gets. A thing to find has no depth.
    """
    if task.is_sought or task.is_act:
        return {}
    item = _obtainable(task, abilities)
    steps = abilities.graph.requirements(item, task.count, task.inventory).steps
    found = dict(depths(steps))
    goal = found.get(item, 1)
    return {**dict.fromkeys((name for name in task.kinds if name in items()), goal), **found}


def _fault(
    task: Task, abilities: Abilities, can: Collection[str], actors: str
) -> Unobtainable | BadValue | None:
    if task.success == "declared":
        needed = {"sights", *(JUDGED_BY.get(name, "sights") for name in task.context)}
        told = "finds" in can and not task.context
        if not (needed <= set(can) or told):
            return BadValue(
                f"task {task.id}: expected a world that shows whether {task.item} is found, got "
                f"{abilities.world!r}"
            )
    if task.is_sought:
        return None
    if (
        task.success == "reached"
        and abilities.verbs is not None
        and task.verb not in abilities.verbs
    ):
        return BadValue(
            f"task {task.id}: expected a verb of {actors}, which have "
            f"{', '.join(sorted(abilities.verbs))}, got {task.verb!r}"
        )
    if task.is_act:
        return None
    try:
        _obtainable(task, abilities)
    except TooMuch as error:
        return error
    except Unobtainable as error:
        return _by_whom(task, abilities, actors, error)
    return None


def _by_whom(
    task: Task, abilities: Abilities, actors: str, error: Unobtainable
) -> Unobtainable | BadValue:
    """Return `error`, or an error that names the executors if only their lack of verbs prevents the task."""
    if abilities.verbs is None:
        return error
    try:
        _obtainable(task, replace(abilities, verbs=None))
    except BadValue:
        return error
    return BadValue(
        f"task {task.id}: expected executors that can get {task.item} in world "
        f"{abilities.world!r}, got {actors} with the verbs {', '.join(sorted(abilities.verbs))} ({error})"
    )


def _obtainable(task: Task, abilities: Abilities) -> str:
    """Return the first item accepted by the task that can be got in the number that the task asks for.

    While one item that the task accepts is tried, the other accepted items in the task's starting inventory
    count for the goal and are never used up.

    Raises:
        Unobtainable, TooMuch: no accepted item can be got; the error is that of the first accepted item.
    """
    failed: Unobtainable | TooMuch | None = None
    for name in task.kinds:
        others = {
            kind: n for kind, n in task.inventory.items() if kind in task.kinds and kind != name
        }
        left = task.count - sum(others.values())
        rest = {kind: n for kind, n in task.inventory.items() if kind not in others}
        if left <= rest.get(name, 0):
            return name
        try:
            abilities.graph.requirements(name, left, rest)
            return name
        except (Unobtainable, TooMuch) as error:
            failed = failed or error
    assert failed is not None, "a task has at least one kind"
    raise failed
