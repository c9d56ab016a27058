"""Reads the memory folder of Optimus-1's public code: `plan/`, `reflection/` and `replan/`.

The files name no episode for a reflection or a new plan. Each reflection and each new plan
becomes a separate experience with the status "abandoned" (neither success nor failure of a task); the
experience's `told["kind"]` is "reflection" or "replan".
"""

from collections.abc import Callable, Iterator, Mapping
from functools import cache
from os.path import isfile
from pathlib import Path
from typing import Any, Final

from optimus_gym.core.checks import check_path
from optimus_gym.core.deliberation import Judgement
from optimus_gym.core.errors import BadValue, shown
from optimus_gym.core.types import VERBS
from optimus_gym.game.tasks import tasks
from optimus_gym.memory.exchange.public import (
    all_read,
    biome_of,
    file_name,
    fingerprint,
    image_of,
    item_of,
    read_public,
    text_at,
    whole_at,
)
from optimus_gym.memory.experience import Case, Experience, PastPursuit
from optimus_gym.memory.json_checks import check_choice, check_list, check_mapping, check_text
from optimus_gym.vision.aligner import Aligner

_SOURCE: Final = "Optimus-1"
_STATUS: Final[Mapping[str, str]] = {"success": "success", "failed": "budget"}
"""This package's status for each folder of plans; an episode of Optimus-1's public code fails only by using
up its steps."""
LABELS: Final[Mapping[str, Judgement]] = {
    "done": "COMPLETE",
    "continue": "CONTINUE",
    "replan": "REPLAN",
}
_SUITES: Final = ("optimus-67", "optimus-code-6")

_Pair = tuple[str, str, str, Path, Path]
"""A reflection: sub-goal, biome or "cave", label, paths of the pictures before the sub-goal and now."""


def read_optimus1(
    folder: Path,
    aligner: Aligner,
    note: Callable[[str], None],
    skip: Callable[[str], None] | None = None,
) -> Iterator[Experience]:
    """Yield the experiences of a memory folder of Optimus-1's public code, in the order of file names.

    - An entry of `plan/<status>/<task>.json` becomes an experience with the key "optimus-1:<id>" and no
      pursued sub-goals, since the file does not list pursued sub-goals. A plan's sub-goals are reworded as
      this package words them; `told["words"]` has the original words.
    - A pair of pictures of `reflection/<sub-goal>.json` becomes an experience with one case (stored
      reflection) and no pursued sub-goal. The reflection's file only has the model's judgement, which becomes
      the case's verdict and also its label. The index of the case's sub-goal in its episode is unknown and
      set to 0, and so are all ticks.
    - A plan of `replan/<sub-goal>.json` becomes an experience with one pursued sub-goal, which failed with
      the error that the file names. `told["replan"]` is the new plan, whose result is unknown.

    An experience's key depends only on its content, so importing a grown folder again adds only what is new.
    All JSON files are read before the first experience is yielded; each picture is read only when its
    experience is yielded.

    Args:
        folder: a folder that holds a subfolder "plan", "reflection" or "replan".
        aligner: makes the pictures' vectors.
        note: called with a sentence about each reflection file with missing pictures, whose pairs (picture
            before the sub-goal, picture now) are left out, and about each plan entry whose "status" is not
            the name of its folder (plan/success or plan/failed); the entry counts.
        skip: called with the fault of each damaged JSON file, which is left out whole, and of each pair with
            a damaged picture, which is left out; None: the first fault raises an error.

    Raises:
        BadValue: the folder lacks all three subfolders, a file is no JSON or has another structure, or a
            picture cannot be read; the error names the file and the place in the file.
    """
    folder = check_path("memory", folder)
    if not any((folder / name).is_dir() for name in ("plan", "reflection", "replan")):
        raise BadValue(f"'{folder}': expected a folder that holds 'plan', 'reflection' or 'replan'")
    made = all_read(lambda file: _plans(*file, note), _plan_files(folder), skip)
    made += all_read(_replans, _files(folder / "replan"), skip)
    pairs = all_read(lambda path: _pairs(path, note), _files(folder / "reflection"), skip)
    yield from made
    for pair in pairs:
        yield from all_read(lambda one: [_reflection(one, aligner)], [pair], skip)


def _files(folder: Path) -> list[Path]:
    return sorted(folder.glob("*.json")) if folder.is_dir() else []


def _words(path: Path) -> str:
    """Return the task or sub-goal that a file's name spells with underscores."""
    return check_text(f"'{path}'", path.stem.replace("_", " "))


def _plan_files(folder: Path) -> Iterator[tuple[str, Path]]:
    """Yield (status, path) for each file of plans; the status is the name of the file's folder."""
    for status in _STATUS:
        yield from ((status, path) for path in _files(folder / "plan" / status))


def _plans(status: str, path: Path, note: Callable[[str], None]) -> Iterator[Experience]:
    entries = check_mapping(f"'{path}'", read_public(path)).get("plan") or []
    for k, entry in enumerate(check_list(f"'{path}' plan", entries)):
        where = f"'{path}' plan[{k}]"
        said = check_mapping(where, entry).get("status") or status
        check_choice(f"{where}.status", said, tuple(_STATUS))
        if said != status:
            note(f"{where} says {said!r} in the folder {status!r}; the import follows the entry")
        yield _plan(where, entry, _words(path), said)


def _plan(where: str, entry: Mapping[str, Any], task: str, status: str) -> Experience:
    words, plan = _steps(f"{where}.planning", entry.get("planning"))
    facts = {name: text_at(where, entry, name) for name in ("visual_info", "goal", "video")}
    return _experience(
        text_at(where, entry, "id") or f"plan:{fingerprint(task, entry)}",
        "plan",
        {**{name: fact for name, fact in facts.items() if fact}, "words": words},
        task=_task_id(task),
        goal=task,
        environment=biome_of(text_at(where, entry, "environment")),
        plan=tuple(plan),
        status=_STATUS[status],
        ticks=whole_at(f"{where}.steps", entry.get("steps") or 0),
    )


def _steps(where: str, value: object) -> tuple[list[str], list[str]]:
    """Return a plan's sub-goals twice: in the original words, and as this package words sub-goals."""
    words, plan = [], []
    for k, step in enumerate(check_list(where, value or [])):
        place = f"{where}[{k}]"
        words.append(text_at(place, check_mapping(place, step), "task"))
        plan.append(_subgoal(place, words[-1], step.get("goal")))
    return words, plan


def _subgoal(where: str, words: str, goal: object) -> str:
    """Return a sub-goal as "verb count item", or in the original words if its goal names no item.

    As in Optimus-1's public code, the first word is the verb, "create" means craft, "smelt" may stand
    anywhere, and every other verb (chop, dig down, break ...) means mine.
    """
    named = check_list(f"{where}.goal", [goal] if isinstance(goal, str) else goal or [])
    item = check_text(f"{where}.goal[0]", named[0]) if named else ""
    if not item.strip():
        return words
    given = named[1] if len(named) > 1 else None
    count = 1 if given is None else whole_at(f"{where}.goal[1]", given)
    said = words.lower().split() or [""]
    verb = "craft" if said[0] == "create" else said[0]
    if verb not in VERBS:
        verb = "smelt" if "smelt" in said else "mine"
    return f"{verb} {count} {item_of(item)}"


def _replans(path: Path) -> Iterator[Experience]:
    subgoal = _words(path)
    for error, plans in check_mapping(f"'{path}'", read_public(path)).items():
        failure = check_text(f"'{path}' {shown(error)}", error)
        for k, steps in enumerate(check_list(f"'{path}' {shown(error)}", plans)):
            words, plan = _steps(f"'{path}' {shown(error)}[{k}]", steps)
            yield _experience(
                f"replan:{fingerprint(subgoal, error, steps)}",
                "replan",
                {"words": words, "replan": plan},
                task=subgoal,
                goal=subgoal,
                pursuits=(PastPursuit(subgoal, "failed", failure, 0, 0),),
            )


def _pairs(path: Path, note: Callable[[str], None]) -> Iterator[_Pair]:
    """Yield the reflections in a file whose two pictures both exist."""
    pairs = list(_pairs_of(path))
    there = [pair for pair in pairs if isfile(pair[3]) and isfile(pair[4])]
    if len(there) < len(pairs):
        note(
            f"'{path}': {len(pairs) - len(there)} of {len(pairs)} pairs are left out, as their pictures "
            "are not there"
        )
    yield from there


def _pairs_of(path: Path) -> Iterator[_Pair]:
    subgoal, images = _words(path), path.parent / "img"
    for place, labels in check_mapping(f"'{path}'", read_public(path)).items():
        where = f"'{path}' {shown(place)}"
        environment = check_text(where, place)
        for label, pairs in check_mapping(where, labels).items():
            check_choice(where, label, tuple(LABELS))
            for k, pair in enumerate(check_list(f"{where}.{label}", pairs or [])):
                at = f"{where}.{label}[{k}]"
                names = [file_name(at, name) for name in check_list(at, pair)]
                if len(names) != 2:
                    raise BadValue(f"{at}: expected the names of two pictures, got {shown(pair)}")
                yield subgoal, environment, label, images / names[0], images / names[1]


def _reflection(pair: _Pair, aligner: Aligner) -> Experience:
    subgoal, place, label, *paths = pair
    before, present = (image_of(path, aligner) for path in paths)
    environment, word = biome_of(place), LABELS[label]
    return _experience(
        f"reflection:{fingerprint(subgoal, place, label, *(path.name for path in paths))}",
        "reflection",
        {},
        task=subgoal,
        goal=subgoal,
        environment=environment,
        cases=(Case(0, subgoal, environment, before, present, "", word, word),),
    )


def _experience(
    key: str,
    kind: str,
    told: Mapping[str, Any],
    *,
    task: str,
    goal: str,
    environment: str = "",
    plan: tuple[str, ...] = (),
    pursuits: tuple[PastPursuit, ...] = (),
    cases: tuple[Case, ...] = (),
    status: str = "abandoned",
    ticks: int = 0,
) -> Experience:
    return Experience(
        key=f"optimus-1:{key}",
        task=task,
        goal=goal,
        environment=environment,
        start={},
        plan=plan,
        pursuits=pursuits,
        cases=cases,
        status=status,
        ticks=ticks,
        told={"source": _SOURCE, "kind": kind, **told},
    )


def _task_id(instruction: str) -> str:
    """Return the id of the task with this instruction (articles ignored), else the instruction itself."""
    return _ids().get(_bare(instruction), instruction)


@cache
def _ids() -> Mapping[str, str]:
    return {_bare(task.instruction): task.id for suite in _SUITES for task in tasks(suite).values()}


def _bare(instruction: str) -> str:
    return " ".join(word for word in instruction.lower().split() if word not in ("a", "an"))
