"""Reads `memory.json` of JARVIS-1's public code: a plan and a picture for each task."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import cache
from os.path import isfile
from pathlib import Path
from typing import Any, Final

from optimus_gym.core.checks import check_path
from optimus_gym.core.errors import BadValue, shown
from optimus_gym.core.types import VERBS
from optimus_gym.game.tasks import tasks
from optimus_gym.memory.exchange.public import (
    all_read,
    file_name,
    image_of,
    item_of,
    read_public,
    text_at,
    whole_at,
)
from optimus_gym.memory.experience import Experience
from optimus_gym.memory.json_checks import check_choice, check_list, check_mapping, check_text
from optimus_gym.prompts.words import with_article
from optimus_gym.vision.aligner import Aligner

_SOURCE: Final = "JARVIS-1"
FILE: Final = "memory.json"
_STATUS: Final[Mapping[str, str]] = {"success": "success", "failed": "budget", "failure": "budget"}
"""This package's statuses by JARVIS-1's words for an episode's end; the public file only has "success"."""
_SUITES: Final = ("jarvis-190", "jarvis-code-42")

Entry = tuple[Experience, Path | None]
"""An experience without its picture, and the picture's path (None if the entry names no picture)."""


def read_jarvis1(
    path: Path,
    aligner: Aligner,
    note: Callable[[str], None],
    skip: Callable[[str], None] | None = None,
) -> Iterator[Experience]:
    """Yield an experience for each entry of a `memory.json` of JARVIS-1's public code, in the file's order.

    An experience's key is "jarvis-1:<task>:<time>". Items get this package's names. A task gets this
    package's id if exactly one task of JARVIS-1's suites wants the task's item. The file has no goals, so a
    goal is worded as in the suite `jarvis-code-42`. An experience's environment is "", its ticks are 0, and
    it has no pursued sub-goals, because the file lacks these facts. The whole file is read before the first
    experience is yielded; each picture is read only when its experience is yielded.

    Args:
        path: the file `memory.json` or its folder; the pictures lie in the same folder.
        aligner: makes the pictures' vectors.
        note: called with a sentence about each entry that is left out, and about the missing pictures.
        skip: called with the fault of each damaged entry, which is left out; None: the first damaged entry
            raises an error. A damaged `memory.json` always raises an error.

    Raises:
        BadValue: the file is no JSON mapping, or an entry or its picture is damaged; the error names the file
            and the place in the file.
    """
    path = check_path("memory", path)
    path = path / FILE if path.is_dir() else path
    entries = check_mapping(f"'{path}'", read_public(path)).items()
    found = all_read(lambda named: _read(path, *named, note), entries, skip)
    missing = sum(picture is not None and not isfile(picture) for _, picture in found)
    if missing:
        note(f"'{path}': {missing} of {len(found)} entries have no picture, as it is not there")
    for entry in found:
        yield from all_read(lambda made: [_pictured(made, aligner)], [entry], skip)


def _pictured(entry: Entry, aligner: Aligner) -> Experience:
    """Return an experience with its picture, if the picture exists."""
    experience, picture = entry
    if picture is None or not isfile(picture):
        return experience
    return replace(experience, first=image_of(picture, aligner))


def _read(path: Path, task: str, entry: object, note: Callable[[str], None]) -> Iterator[Entry]:
    """Yield an entry's experience and its picture's path; yield nothing if the entry has no status."""
    where = f"'{path}' {shown(task)}"
    said = check_mapping(where, entry)
    if said.get("status") is None:
        note(f"{where} is left out, as it does not say how it ended")
    else:
        yield _entry(where, check_text(where, task), said, path.parent)


def _entry(where: str, task: str, entry: Mapping[str, Any], folder: Path) -> Entry:
    status = check_choice(f"{where}.status", entry["status"], tuple(_STATUS))
    time, image = (text_at(where, entry, name) for name in ("time", "image"))
    steps = check_list(f"{where}.plan", entry.get("plan") or [])
    item = item_of(task)
    if not item:
        raise BadValue(f"{where}: expected a task's name, got {shown(task)}")
    facts = {"source": _SOURCE, "kind": "plan", "time": time, "image": image}
    experience = Experience(
        key=f"jarvis-1:{task}:{time}",
        task=_ids().get(item, task),
        goal=f"Pick up {with_article(item)}.",
        environment="",
        start={"inventory": _pieces(f"{where}.init_inventory", entry.get("init_inventory"))},
        plan=tuple(
            text for k, step in enumerate(steps) for text in _step(f"{where}.plan[{k}]", step)
        ),
        pursuits=(),
        cases=(),
        status=_STATUS[status],
        ticks=0,
        told={name: fact for name, fact in facts.items() if fact},
    )
    return experience, folder / file_name(f"{where}.image", image) if image else None


def _step(where: str, step: object) -> list[str]:
    """Return the sub-goals of one step of a plan: one for each item in the step's goal."""
    said = check_mapping(where, step)
    wanted = _pieces(f"{where}.goal", said.get("goal"))
    if not wanted:
        return [text for text in [text_at(where, said, "text")] if text]
    verb = check_choice(f"{where}.type", said.get("type"), VERBS)
    return [f"{verb} {count} {item}" for item, count in wanted.items()]


def _pieces(where: str, value: object) -> dict[str, int]:
    """Return a mapping's counts of items, by this package's names of the items."""
    pieces: dict[str, int] = {}
    for word, count in check_mapping(where, value or {}).items():
        item = item_of(check_text(where, word))
        pieces[item] = pieces.get(item, 0) + whole_at(f"{where}.{word}", count)
    return pieces


@cache
def _ids() -> Mapping[str, str]:
    """Return task ids by wanted item, for items that exactly one task of JARVIS-1's suites wants."""
    known = [task for suite in _SUITES for task in tasks(suite).values()]
    named = [task.item for task in known]
    return {task.item: task.id for task in known if named.count(task.item) == 1}
