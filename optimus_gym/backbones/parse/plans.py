"""From any model's text to sub-goals; what cannot be read becomes words, never an exception.

The formats are tried in this order, and the first that gives a sub-goal counts:

1. objects and lists (`entries`): MP5's workflows, DEPS's parsed goals, JARVIS-1's goals, Optimus-1's steps;
2. calls (`calls`), as DEPS and JARVIS-1 write them;
3. parsed goals as lines (`records`);
4. numbered lines (`lines`).

What follows a mark of the answer (`</think>`, `<task planning>`, `<replan>`) is read first, then all of it.
"""

import re
from collections.abc import Collection
from typing import Final

from optimus_gym.backbones.parse import calls, entries, lines, records
from optimus_gym.backbones.parse.deeds import Found, subgoals_of

MOST_TEXT: Final = 100_000
"""Characters of a text that is read."""
MOST_PROBLEMS: Final = 20
MOST_SAID: Final = 200
"""Characters of a problem."""
READERS: Final = (entries.read, calls.read, records.read, lines.read)
_MARK: Final = re.compile(r"</think>|<task planning>|<replan>", re.IGNORECASE)


def parse(text: str, near: Collection[str] = ()) -> Found:
    """Return the sub-goals that a text holds, and what in it could not be read.

    Args:
        text: what a model wrote, in any of the formats, with fences, prose around it and slips.
        near: stations in reach before the plan begins, which nobody places for a step that names them.

    Returns:
        At most `deeds.MOST_STEPS` sub-goals, and at most 20 problems of at most 200 characters each. A text
        of more than 100,000 characters is not read, which is its problem.
    """
    if len(text) > MOST_TEXT:
        return (), (f"expected at most {MOST_TEXT} characters, got {len(text)}",)
    problems: tuple[str, ...] = ()
    for part in dict.fromkeys((answer_in(text), text)):
        for read in READERS:
            subgoals, unread = subgoals_of(read(part), near)
            if subgoals:
                return subgoals, _short(unread)
            problems = problems or unread
    return (), _short(problems) or (
        "expected a JSON object of steps or numbered lines, got neither",
    )


def answer_in(text: str) -> str:
    """Return what follows the last mark of an answer, the whole text if it has none.

    >>> answer_in("<think>1. mine 9 dirt</think>1. mine 1 log")
    '1. mine 1 log'
    """
    end = 0
    for mark in _MARK.finditer(text):
        end = mark.end()
    return text[end:]


def _short(problems: tuple[str, ...]) -> tuple[str, ...]:
    if len(problems) > MOST_PROBLEMS:
        left = len(problems) - MOST_PROBLEMS + 1
        problems = (*problems[: MOST_PROBLEMS - 1], f"and {left} more problems")
    return tuple(
        said if len(said) <= MOST_SAID else said[: MOST_SAID - 3] + "..." for said in problems
    )
