"""Markdown tables and comma-separated tables: a row is a step; column names are "action", "item", ...

| # | Action | Item | Count |
|---|--------|------|-------|
| 1 | mine | log | 3 |
"""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from optimus_gym.backbones.parse import goal_lines, step_objects
from optimus_gym.backbones.parse.action_calls import COUNT_KEYS
from optimus_gym.backbones.parse.deeds import Told
from optimus_gym.backbones.parse.values import Members, plain_key
from optimus_gym.backbones.parse.wanted import verb_of

MOST_ROW_LINE: Final = 400
"""Maximum number of characters of a line that are read."""
KNOWN_COLUMNS: Final = frozenset(
    (
        *goal_lines.OBJECTS,
        *goal_lines.ACTION,
        *goal_lines.NUMBER,
        *step_objects.TASKS,
        *goal_lines.TOOL,
    )
)
"""Names of the table columns that a reader of steps understands."""
NUMBER_COLUMNS: Final = ("#", "no", "no.", "step", "nr", "index", "id", "step_no", "step_#")
_RULE: Final = re.compile(r"[\s|:+=-]*-[\s|:+=-]*")
_PLURAL: Final = re.compile(r"s?(?:_?\([^)]*\))?$")


def read_tables(text: str) -> Iterator[Told]:
    """Yield the actions (`Deed`) of the rows of a text's tables, and problems, in words."""
    header: list[str] | None = None
    number = 0
    for line in text.splitlines():
        line = line[:MOST_ROW_LINE]
        cells = _cells(line)
        if len(cells) < 2:
            header = None
            continue
        if header is None:
            header = [_PLURAL.sub("", plain_key(cell)) for cell in cells]
            if len(KNOWN_COLUMNS & set(header)) >= (1 if "|" in line else 2):
                continue
            bare = "|" in line and _first_verb(cells) is not None
            header = [""] * len(cells) if bare else None
        if header is not None and _RULE.fullmatch(line) is None:
            number += 1
            yield from _told(number, header, cells)


def _cells(line: str) -> list[str]:
    """Return the cells of a table's row; empty if the line is no row."""
    line = line.replace("`", "").replace("**", "").strip()
    if "|" in line:
        return [cell.strip() for cell in line.strip("|").split("|")]
    words = [cell.strip(" \"'") for cell in line.split("," if "," in line else "\t")]
    short = 2 < len(words) <= 8 and all(len(word) <= 30 for word in words)
    return words if short and not re.match(r"[\s\W\d]*\w+ +\S", words[0]) else []


def _first_verb(cells: Sequence[str]) -> str | None:
    """Return the first cell that has several words and begins with a verb; None if there is none."""
    return next((cell for cell in cells if " " in cell and verb_of(cell) is not None), None)


def _told(number: int, header: Sequence[str], cells: Sequence[str]) -> Iterator[Told]:
    fields = dict(zip(header, cells, strict=False))
    own = next((fields[key] for key in NUMBER_COLUMNS if key in fields), cells[0])
    name = f"step {own}" if own.isdecimal() else f"step {number}"
    row = Members(tuple((key, cell) for key, cell in fields.items() if cell not in ("", "-")))
    if goal_lines.is_goal_record(row):
        yield from goal_lines.goal_record_deeds(name, row)
    elif (task := _first_verb(cells)) is not None:
        yield from step_objects.worded(name, task, row.get(*COUNT_KEYS))
    else:
        yield f"{name}: expected an action, an item and a count, got {' | '.join(cells)[:80]!r}"
