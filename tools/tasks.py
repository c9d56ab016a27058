"""Write docs/tasks.md: the tasks that can be done in the embedded world, and what each task needs."""

from pathlib import Path

from optimus_gym.core.task import Task
from optimus_gym.game.protocols import protocol, protocols
from optimus_gym.game.tasks import SUITES, tasks
from optimus_gym.knowledge.abilities import abilities_of
from optimus_gym.knowledge.cheapest import Unobtainable
from optimus_gym.knowledge.knowledge_graph import MADE, KnowledgeGraph
from optimus_gym.knowledge.requirements import Requirements, Step

PAGE = Path(__file__).resolve().parents[1] / "docs" / "tasks.md"
WORLD = "voxel"
NONE = "The list is empty: no task belongs under this heading.\n"
HEAD = """# Tasks by protocol in the embedded world

`python tools/tasks.py` writes this page from the suites, the protocols and `optimus_gym.knowledge.abilities`;
`tests/worlds/voxel/test_sources.py` checks by the world's own tables that the blocks and creatures which
each task's item needs exist.
"""
ABOUT = """
The last column has the ticks that the planner expects, without walking back,
fights and nights (`game/data/sources/`).
"""


def page() -> str:
    """Return the page's text."""
    parts = [HEAD, _counts(), "\n## Cannot be done\n\n", _impossible()]
    parts += ["\n## Done another way than under `vanilla`\n", ABOUT, "\n", _detours()]
    parts += [
        "\n## Take longer than their budget\n\n",
        _late(),
        "\n## Kinds that the land lacks\n\n",
    ]
    parts += [
        "Each task in the table accepts several kinds of an item, and one kind is enough. "
        "The table lists the kinds of wood, flower or other item that the generated land never has.\n\n",
        _kinds(),
    ]
    return "".join(parts)


def _all() -> list[Task]:
    """Return every task that asks for an item once, in the suites' order."""
    found = {t.id: t for suite in SUITES for t in tasks(suite).values()}.values()
    return [task for task in found if not task.is_sought]


def _plan(task: Task, graph: KnowledgeGraph) -> Requirements | Unobtainable:
    """Return the cheapest plan for any kind of a task's item, or why the first kind cannot be obtained."""
    plans, failed = [], []
    for kind in task.kinds:
        try:
            plans.append(graph.requirements(kind, task.count, task.inventory))
        except Unobtainable as error:
            failed.append(error)
    return min(plans, key=lambda plan: plan.ticks) if plans else failed[0]


def _under(task: Task, name: str) -> Requirements | Unobtainable:
    return _plan(task, abilities_of(WORLD, name).graph)


def _table(head: tuple[str, ...], lines: list[tuple[object, ...]]) -> str:
    """Return a table, or a note that there is nothing to list."""
    if not lines:
        return NONE
    rows = [head, tuple("---" for _ in head), *lines]
    return "".join(f"| {' | '.join(map(str, row))} |\n" for row in rows)


def _counts() -> str:
    lines: list[tuple[object, ...]] = []
    for suite in SUITES:
        found = tasks(suite).values()
        for name in dict.fromkeys((*(t.protocol for t in found), *protocols())):
            able = sum(t.is_sought or not isinstance(_under(t, name), Unobtainable) for t in found)
            own = name in {t.protocol for t in found}
            if own or able < len(found):
                lines.append(
                    (f"`{suite}`", f"`{name}`" + (" (own)" if own else ""), len(found), able)
                )
    text = (
        "\nThe table counts the tasks of each suite that can be done under the suite's own protocol; "
        "another protocol has a line only if some tasks of the suite cannot be done under it.\n\n"
    )
    return text + _table(("suite", "protocol", "tasks", "can be done"), lines)


def _impossible() -> str:
    lines: list[tuple[object, ...]] = []
    for task in _all():
        found = _under(task, task.protocol)
        if isinstance(found, Unobtainable):
            lines.append((f"`{task.id}`", f"`{task.protocol}`", ", ".join(found.missing)))
    return _table(("task", "protocol", "no source of"), lines)


def _place(step: Step) -> str:
    """Return in words how an item is gathered."""
    sources = abilities_of(WORLD).graph.sources_of(step.item)
    done_to = step.creature or next(
        (s.block for s in sources if s.verb == step.verb and s.tool == step.tool), None
    )
    return f"{step.item}: {step.verb} {done_to}"


def _detours() -> str:
    lines: list[tuple[object, ...]] = []
    for task in _all():
        own, usual = _under(task, task.protocol), _under(task, "vanilla")
        if isinstance(own, Unobtainable) or isinstance(usual, Unobtainable):
            continue
        common = {(s.verb, s.item, s.creature) for s in usual.steps}
        other = [s for s in own.steps if (s.verb, s.item, s.creature) not in common]
        other = [step for step in other if step.verb not in MADE]
        if other:
            ticks = f"{own.ticks:.0f} ({usual.ticks:.0f})"
            ways = "; ".join(dict.fromkeys(map(_place, other)))
            lines.append((f"`{task.id}`", f"`{task.protocol}`", ways, ticks))
    return _table(("task", "protocol", "way", "ticks (under `vanilla`)"), lines)


def _late() -> str:
    lines: list[tuple[object, ...]] = []
    for task in _all():
        found, budget = _under(task, task.protocol), protocol(task.protocol).budget or task.budget
        if isinstance(found, Requirements) and found.ticks > budget:
            lines.append((f"`{task.id}`", f"`{task.protocol}`", f"{found.ticks:.0f}", budget))
    return _table(("task", "protocol", "expected ticks", "budget"), lines)


def _kinds() -> str:
    lines: list[tuple[object, ...]] = []
    for task in _all():
        graph = abilities_of(WORLD, task.protocol).graph
        lost = [kind for kind in task.kinds if isinstance(_single(task, kind, graph), Unobtainable)]
        if lost and len(lost) < len(task.kinds):
            lines.append((f"`{task.id}`", ", ".join(lost)))
    return _table(("task", "kinds"), lines)


def _single(task: Task, kind: str, graph: KnowledgeGraph) -> Requirements | Unobtainable:
    try:
        return graph.requirements(kind, task.count, task.inventory)
    except Unobtainable as error:
        return error


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
