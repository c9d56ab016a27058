"""Which tasks can be done in a world under a protocol: what their part of the knowledge graph leads to."""

from collections.abc import Sequence

from optimus_gym.core.errors import BadValue
from optimus_gym.core.task import Task
from optimus_gym.envs.config import carries_out_subgoals
from optimus_gym.game.items import items
from optimus_gym.memory.abilities import graph_of
from optimus_gym.memory.policy import Unobtainable

LISTED = 5
"""Tasks that an error names before it only counts them."""


def check_tasks(tasks: Sequence[Task], world: str, protocol: str) -> None:
    """Refuse tasks that cannot be done in a world under a protocol.

    Raises:
        Unobtainable: the only task asks for an item that the world does not give; names what has no
            source.
        BadValue: the only task asks to find something in a world that cannot tell; or tasks of a suite
            cannot be done.
    """
    faults = [fault for task in tasks if (fault := _fault(task, world, protocol)) is not None]
    if faults and len(tasks) == 1:
        raise faults[0]
    if faults:
        listed = "\n  ".join(str(fault) for fault in faults[:LISTED])
        more = f"\n  and {len(faults) - LISTED} more" if len(faults) > LISTED else ""
        raise BadValue(
            f"suite: expected tasks that can be done in world {world!r} under {protocol!r}, got "
            f"{len(faults)} of {len(tasks)} that cannot\n  {listed}{more}"
        )


def items_on_the_way(task: Task, world: str, protocol: str) -> tuple[str, ...]:
    """Return the items to speak of on the way to a task that can be done, its kinds included."""
    names: dict[str, None] = {}
    if task.success != "declared":
        names = dict.fromkeys(
            graph_of(world, protocol).vocabulary(_obtainable(task, world, protocol))
        )
    kinds = (name for name in task.kinds if name in items())
    return tuple(names | dict.fromkeys(kinds))


def _fault(task: Task, world: str, protocol: str) -> Unobtainable | BadValue | None:
    if task.success == "declared":
        if carries_out_subgoals(world):
            return None
        return BadValue(
            f"task {task.id}: expected a world that tells when {task.item} is found, got {world!r}"
        )
    try:
        _obtainable(task, world, protocol)
    except Unobtainable as error:
        return error
    return None


def _obtainable(task: Task, world: str, protocol: str) -> str:
    """Return the first of the task's kinds that the world gives.

    Raises:
        Unobtainable: it gives none; tells of the first.
    """
    graph, failed = graph_of(world, protocol), None
    for name in task.kinds:
        if name in task.inventory:
            return name
        try:
            graph.requirements(name, 1, task.inventory)
            return name
        except Unobtainable as error:
            failed = failed or error
    assert failed is not None, "a task has at least one kind"
    raise failed
