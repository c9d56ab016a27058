"""Read sub-goals from any model's text; unreadable text becomes a problem in words, never an exception.

The formats are tried in this order, and the first format that gives a sub-goal counts:

1. objects and lists (`entries`): MP5's workflows, DEPS's parsed goals, JARVIS-1's goals, Optimus-1's steps;
2. calls of functions such as `mine(...)` (`calls`), as DEPS and JARVIS-1 write them;
3. goals as lines with action, object, number and tool (`goal_lines`);
4. tables (`tables`);
5. lines with numbers, bullets or words such as "first" (`step_lines`).

Thoughts are removed first (`thoughts`), and a part of the text that is marked as the answer is read before
the other parts.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from types import MappingProxyType
from typing import Final

from optimus_gym.backbones.parse.calls import read_calls
from optimus_gym.backbones.parse.deeds import Found, subgoals_of
from optimus_gym.backbones.parse.entries import read_entries
from optimus_gym.backbones.parse.goal_lines import read_goal_lines
from optimus_gym.backbones.parse.step_lines import read_step_lines
from optimus_gym.backbones.parse.tables import read_tables
from optimus_gym.backbones.parse.thoughts import answer_of

MOST_TEXT: Final = 100_000
"""Maximum number of characters of a text that is read."""
NO_PLAN: Final = "expected a JSON object of steps or numbered lines, got neither"
"""The problem that the parser reports for a text that holds no plan."""
_READERS: Final = (read_entries, read_calls, read_goal_lines, read_tables, read_step_lines)
"""Readers of the formats, in the order in which they are tried."""
MOST_PROBLEMS: Final = 20
"""Maximum number of problems that the parser reports for one reply."""
MOST_SAID: Final = 200
"""Maximum number of characters of the text of a problem."""
MOST_NUMBERS: Final = 12
"""Maximum number of step numbers that one problem lists."""
FOREIGN: Final = 0.3
"""Share of letters that are not Latin, above which an answer is not in English: our choice."""
MOST_LOOKED_AT: Final = 4_000
"""Maximum number of characters of an answer that are checked for letters that are not Latin."""
SCRIPT_LANGUAGES: Final[Mapping[str, str]] = MappingProxyType(
    {"CJK": "Chinese", "HIRAGANA": "Japanese", "KATAKANA": "Japanese", "HANGUL": "Korean"}
)
"""Scripts and the names of their languages; for a script that is not listed, the script's name serves."""
_SHAPE: Final = re.compile(
    r"(?P<step>step [\w.]{1,8}): (?P<expected>expected .{1,300}?), got (?P<got>.+)", re.DOTALL
)


def parse_plan(text: str, near: Collection[str] = (), acts: bool = False) -> Found:
    """Return the sub-goals in a text, and its problems.

    Args:
        text: a model's text in any of the formats, also with fences, surrounding prose and slips.
        near: stations in reach before the plan begins; steps that name them get no "place".
        acts: whether each action is a sub-goal of its own (`deeds.subgoals_of`).

    Returns:
        At most `deeds.MOST_PLAN_STEPS` sub-goals, and at most 20 problems of at most 200 characters each. A
        text of more than 100,000 characters is not read and gives a problem; so does a thought without an
        answer.
    """
    if len(text) > MOST_TEXT:
        return Found((), (f"expected at most {MOST_TEXT} characters, got {len(text)}",))
    answer = answer_of(text)
    problems: tuple[str, ...] = (answer.fault,) if answer.fault else ()
    for part in answer.parts:
        for read in _READERS:
            found = subgoals_of(read(part), near, acts)
            if found.subgoals:
                return found._replace(
                    problems=merged_problems((*in_english(part, found.problems), *found.problems))
                )
            problems = problems or found.problems
    problems = problems or (NO_PLAN,)
    told = in_english(answer.parts[-1], problems) if answer.parts else ()
    return Found((), merged_problems((*told, *problems)))


def in_english(text: str, problems: Sequence[str]) -> tuple[str, ...]:
    """Return a problem that asks for English, if an answer has problems and many letters that are not Latin.

    >>> in_english("1. \u6316\u6728\u5934", ["?"])
    ('expected an answer in English, with the verbs and names of the request, got one in Chinese',)
    """
    letters = [letter for letter in text[:MOST_LOOKED_AT] if letter.isalpha()]
    scripts = Counter(unicodedata.name(letter, "AN UNKNOWN ONE").split()[0] for letter in letters)
    del scripts["LATIN"]
    if not problems or sum(scripts.values()) <= FOREIGN * len(letters):
        return ()
    script = max(scripts, key=lambda name: (scripts[name], name))
    script = "HIRAGANA" if "HIRAGANA" in scripts else script
    named = SCRIPT_LANGUAGES.get(script, script.capitalize())
    return (
        f"expected an answer in English, with the verbs and names of the request, got one in {named}",
    )


def merged_problems(problems: Sequence[str]) -> tuple[str, ...]:
    """Merge problems of steps that expected the same; return at most 20 problems of at most 200 characters.

    >>> merged_problems(["step 1: expected a verb, got 'a'", "step 2: expected a verb, got 'b'"])
    ("steps 1, 2: expected a verb, got 'a'; 'b'",)
    """
    alike: dict[str, list[re.Match[str]]] = {}
    for problem in dict.fromkeys(problems):
        found = _SHAPE.fullmatch(problem)
        if found is not None:
            alike.setdefault(found["expected"], []).append(found)
    said: list[str] = []
    for problem in dict.fromkeys(problems):
        found = _SHAPE.fullmatch(problem)
        same = [] if found is None else alike.get(found["expected"], [])
        if found is None or len(same) < 2:
            said.append(problem)
        elif same[0][0] == problem:
            said.append(_joined(same))
    return _short(said)


def _joined(same: Sequence[re.Match[str]]) -> str:
    """Merge problems of several steps that expected the same; quote what they got, as far as it fits."""
    steps = [one["step"].removeprefix("step ") for one in same]
    named = ", ".join(steps[:MOST_NUMBERS]) + (", ..." if len(steps) > MOST_NUMBERS else "")
    said = f"steps {named}: {same[0]['expected']}, got {same[0]['got']}"
    for one in same[1:]:
        if len(said) + len(one["got"]) + 2 > MOST_SAID - 5:
            return f"{said}; ..."
        said += f"; {one['got']}"
    return said


def _short(problems: Sequence[str]) -> tuple[str, ...]:
    if len(problems) > MOST_PROBLEMS:
        left = len(problems) - MOST_PROBLEMS + 1
        problems = (*problems[: MOST_PROBLEMS - 1], f"and {left} more problems")
    return tuple(
        said if len(said) <= MOST_SAID else said[: MOST_SAID - 3] + "..." for said in problems
    )
