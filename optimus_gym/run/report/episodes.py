"""The report page's data on episodes: compressed columns of values, and as many key frames as fit."""

import base64
import gzip
import json
import os
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final

from optimus_gym.run.report.failures import failure_in_words, why
from optimus_gym.run.results.replies import replies_in
from optimus_gym.run.results.results_folder import FRAMES, VIDEOS, Results
from optimus_gym.run.results.row import EpisodeRow
from optimus_gym.run.results.sheets import moments_kept, sheet_name
from optimus_gym.terminal.printing import printable

_LEVEL: Final = 6
"""Compression level of gzip; level 9 would take four times as long."""
_LARGEST: Final = 2**53
"""Least integer that is written as a text: JavaScript does not hold every larger integer exactly."""


class _Words:
    """A list of distinct texts, each with a number."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}

    def number(self, text: str) -> int:
        """Return the number that stands for a text; a new text gets the next number."""
        return self._numbers.setdefault(text, len(self._numbers))

    @property
    def all(self) -> list[str]:
        """Return the texts in the order of their numbers."""
        return list(self._numbers)


def packed_episodes(folders: Sequence[Results], page: Path) -> str:
    """Return all episodes as JSON, compressed by gzip, in base64.

    Args:
        folders: the evaluations.
        page: the page's path; links to pictures are relative to this path.
    """
    words = _Words()
    told = {"folders": [_columns(folder, words, page) for folder in folders], "words": words.all}
    content = json.dumps(told, separators=(",", ":"), ensure_ascii=False).encode()
    return base64.b64encode(gzip.compress(content, _LEVEL, mtime=0)).decode()


def _columns(folder: Results, words: _Words, page: Path) -> dict[str, Any]:
    """Return a folder's episodes as columns of values; a text is replaced by its number in `words`."""
    number, rows = words.number, folder.rows
    return {
        "name": folder.name,
        "path": _seen_from(page, folder.path),
        "films": _pictures(folder, VIDEOS, ".mp4"),
        "sheets": _pictures(folder, FRAMES, ".webp"),
        "task": [number(row.task) for row in rows],
        "group": [number(row.group) for row in rows],
        "episode": [row.episode for row in rows],
        "seed": [row.seed if row.seed < _LARGEST else str(row.seed) for row in rows],
        "status": [number(row.status) for row in rows],
        "why": [number("" if row.success else row.reason or why(row)) for row in rows],
        "ticks": [row.ticks for row in rows],
        "budget": [row.budget for row in rows],
        "wall": [round(row.wall_s, 2) for row in rows],
        "replans": [row.replans for row in rows],
        "calls": [row.calls for row in rows],
        "faults": [row.faults for row in rows],
        "replies": [number(printable(replies_in([row]).told)) for row in rows],
        "tokens": [row.prompt_tokens + row.completion_tokens for row in rows],
        "milestones": [_flat(row.milestones.items(), number) for row in rows],
        "deaths": [_flat(((one.cause, one.tick) for one in row.deaths), number) for row in rows],
        "subgoals": [_subgoals(row, number) for row in rows],
    }


def _pictures(folder: Results, kind: str, ending: str) -> dict[str, list[str]]:
    """Return the names of pictures, without their ending, by the path of their folder."""
    found = {}
    for part in folder.parts:
        names = sorted(file.stem for file in (part / kind).glob(f"*{ending}"))
        if names:
            found[(part / kind).relative_to(folder.path).as_posix()] = names
    return found


def _flat(pairs: Iterable[tuple[str, int]], number: Any) -> list[int]:
    """Return pairs of a name and a tick as one list: a name's number, its tick, the next name's number ..."""
    return [value for name, tick in pairs for value in (number(name.replace("_", " ")), tick)]


def _subgoals(row: EpisodeRow, number: Any) -> list[int]:
    """Return for each sub-goal the numbers that stand for its text, end and failure, and its last tick."""
    found = []
    for one in row.subgoals:
        failed = failure_in_words(one) if one.failure else ""
        detail = f" ({one.detail})" if one.detail else ""
        found += [number(one.subgoal), number(one.end), number(failed + detail), one.tick]
    return found


def _seen_from(page: Path, folder: Path) -> str:
    """Return the relative path from a page to a folder, with slashes; "" if there is no such path."""
    try:
        return Path(os.path.relpath(folder.resolve(), page.resolve().parent)).as_posix()
    except ValueError:  # the page and the folder are on different drives
        return ""


def key_frames(folders: Sequence[Results], room: int) -> Iterator[tuple[str, str]]:
    """Yield the names and base64 texts of the episodes' key frames, as many as fit, failures first.

    Args:
        folders: the evaluations.
        room: maximum number of bytes of all names and texts together.
    """
    for number, folder, row in _in_turn(folders):
        name = sheet_name(row.task, row.episode)
        places = (part / FRAMES / name for part in folder.parts)
        file = next((one for one in places if one.is_file()), None)
        if file is None:
            continue
        name = f"{number}/{row.task}/{row.episode}"
        size = len(name) + 4 * -(-file.stat().st_size // 3) + len('"":"",')
        if size > room:
            return
        room -= size
        yield name, base64.b64encode(file.read_bytes()).decode()


def _in_turn(folders: Sequence[Results]) -> Iterator[tuple[int, Results, EpisodeRow]]:
    """Yield all failed episodes, then all successful ones; both times the folders take turns."""
    for success in (False, True):
        own = [[row for row in folder.rows if row.success is success] for folder in folders]
        for place in range(max(map(len, own), default=0)):
            for number, rows in enumerate(own):
                if place < len(rows):
                    yield number, folders[number], rows[place]


def kept_moments(folders: Sequence[Results]) -> dict[str, list[int]]:
    """Return the sub-goals (0: the start) that have key frames, for each number of sub-goals of an episode.

    Episodes short enough that every sub-goal has a key frame are left out.
    """
    counts = {len(row.subgoals) for folder in folders for row in folder.rows}
    kept = {count: list(moments_kept(count)) for count in sorted(counts)}
    return {str(count): moments for count, moments in kept.items() if len(moments) <= count}
