"""Figures that the papers publish, for groups whose tasks an evaluation played as the paper did.

A group's figures are left out in these cases: a controller read the world itself, the world carried out
sub-goals itself, the protocol is not the suite's, episodes had reset options, a task of the group was not
played, or a task had another tick budget than in the suite.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from optimus_gym.core.errors import shown
from optimus_gym.core.task import Task
from optimus_gym.game.protocols import protocol
from optimus_gym.game.published import Groups, published_groups, source_of
from optimus_gym.game.tasks import SUITES, tasks
from optimus_gym.run.results.figures import OVERALL
from optimus_gym.run.results.parting import parted
from optimus_gym.run.results.readers import readers_in
from optimus_gym.run.results.row import CRASHED, IMPOSSIBLE, OVERTIME, EpisodeRow

_ELSEWHERE: Final = "in another world, the game itself"
"""Difference between the papers' experiments and all evaluations of this package, in words."""


@dataclass(frozen=True, slots=True)
class Papers:
    """The figures of the papers that may be compared with some episodes.

    Attributes:
        groups: figures by group (or "overall") and agent.
        tasks: figures by task and agent, for the tasks of the groups in `groups`.
        left_out: one line on the omitted figures and the reason; "" if all are present.
    """

    groups: Groups = field(default_factory=dict)
    tasks: Groups = field(default_factory=dict)
    left_out: str = ""


def papers_beside(rows: Sequence[EpisodeRow], start: Mapping[str, Any]) -> Papers:
    """Return the papers' figures for the groups and tasks of some episodes.

    Args:
        rows: the episodes.
        start: the reset options of all episodes.
    """
    suites = {row.suite for row in rows}
    suite = suites.pop() if len(suites) == 1 else ""
    published = published_groups(suite) if suite in SUITES else {}
    parts = {
        name: own for name, own in parted((r.group, r) for r in rows).items() if name in published
    }
    if not parts:
        return Papers()
    known = tasks(suite)
    why = "; ".join(_differences(rows, start, next(iter(known.values())).protocol))
    if why:
        return Papers(left_out=_line("", why))
    faults = {name: _fault(own, _of_group(known, name)) for name, own in parts.items()}
    whole = [name for name, fault in faults.items() if not fault]
    told = "; ".join(f"{name}: {fault}" for name, fault in faults.items() if fault)
    return Papers(
        groups={name: published[name] for name in (*whole, *_overall(suite, whole, published))},
        tasks={
            name: task.figures
            for name, task in known.items()
            if task.group in whole and task.figures
        },
        left_out=_line(" of some groups" if whole else "", told) if told else "",
    )


def unlike_the_papers(rows: Sequence[EpisodeRow], start: Mapping[str, Any]) -> str:
    """Return in words how some episodes of one suite differ from its paper's; "" if they compare.

    Args:
        rows: the episodes.
        start: the reset options of all episodes.
    """
    known = tasks(rows[0].suite)
    why = list(_differences(rows, start, next(iter(known.values())).protocol))
    for name, own in parted((row.group, row) for row in rows).items():
        fault = _fault(own, _of_group(known, name))
        why += [f"{name}: {fault}"] if fault else []
    return "; ".join(why)


def papers_label(suite: str) -> str:
    """Return the source of the papers' figures for a suite, with the note that the papers' world differs."""
    return f"{source_of(suite)}, {_ELSEWHERE}"


def _line(where: str, why: str) -> str:
    return f"The papers' figures{where} are left out: {why}."


def _differences(rows: Sequence[EpisodeRow], start: Collection[str], own: str) -> Iterator[str]:
    """Yield in words each difference between the setup of all episodes and the setup of the papers' episodes.

    Args:
        rows: the episodes.
        start: names of the episodes' reset options.
        own: name of the protocol that the suite's papers use.
    """
    if any(row.privileged for row in rows):
        yield readers_in(rows)
    if any(not row.helper and row.status not in (CRASHED, OVERTIME, IMPOSSIBLE) for row in rows):
        yield "the world carries out sub-goals by itself"
    others = sorted({row.protocol for row in rows} - {own})
    if others:
        yield f"the protocol is {', '.join(others)}, the papers' is {own}"
    if start:
        yield f"episodes begin with the reset options {', '.join(start)}"


def _of_group(known: Mapping[str, Task], group: str) -> Mapping[str, Task]:
    return {name: task for name, task in known.items() if task.group == group}


def _fault(rows: Sequence[EpisodeRow], known: Mapping[str, Task]) -> str:
    """Return in words how a group's episodes differ from the paper's; "" for no difference.

    Args:
        rows: the group's episodes.
        known: all tasks of the group in the suite, by id.
    """
    strange = sorted({row.task for row in rows} - set(known))
    if strange:
        return f"the group has no task {shown(strange[0])}"
    played = {row.task for row in rows if row.is_counted}
    if len(played) < len(known):
        return f"{len(played)} of {len(known)} tasks were played"
    for row in rows:
        task = known[row.task]
        budget = protocol(task.protocol).budget or task.budget
        if row.budget != budget:
            return f"{task.id} had a budget of {row.budget:,} ticks instead of {budget:,}"
    return ""


def _overall(suite: str, whole: Collection[str], published: Groups) -> tuple[str, ...]:
    """Return ("overall",) if the paper has an overall figure and its groups were played whole, else ()."""
    needed = OVERALL.get(suite, tuple(name for name in published if name != "overall"))
    return ("overall",) if "overall" in published and set(needed) <= set(whole) else ()
