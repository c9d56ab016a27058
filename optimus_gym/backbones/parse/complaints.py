"""Complaints about an unusable reply: a few short sentences, without repetition."""

import re
import unicodedata
from collections import Counter
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final

MOST_PROBLEMS: Final = 20
MOST_SAID: Final = 200
"""Most characters of a problem."""
MOST_STEPS: Final = 12
"""Most step numbers that one problem lists."""
FOREIGN: Final = 0.3
"""Share of letters in another script above which an answer is not in English: our choice."""
MOST_LOOKED_AT: Final = 4_000
"""Most characters of an answer that the check of the script reads."""
SCRIPTS: Final[Mapping[str, str]] = MappingProxyType(
    {"CJK": "Chinese", "HIRAGANA": "Japanese", "KATAKANA": "Japanese", "HANGUL": "Korean"}
)
"""Scripts and the names of their languages; any other script serves as its language's name."""
_SHAPE: Final = re.compile(
    r"(?P<step>step [\w.]{1,8}): (?P<expected>expected .{1,300}?), got (?P<got>.+)", re.DOTALL
)


def in_english(text: str, problems: Sequence[str]) -> tuple[str, ...]:
    """Return a problem that asks for English, if an answer with problems is in another script.

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
    named = SCRIPTS.get(script, script.capitalize())
    return (
        f"expected an answer in English, with the verbs and names of the request, got one in {named}",
    )


def together(problems: Sequence[str]) -> tuple[str, ...]:
    """Merge problems with the same expectation; return at most 20 problems of at most 200 characters.

    >>> together(["step 1: expected a verb, got 'a'", "step 2: expected a verb, got 'b'"])
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
    """Merge problems of several steps with the same expectation, with as many of their texts as fit."""
    steps = [one["step"].removeprefix("step ") for one in same]
    named = ", ".join(steps[:MOST_STEPS]) + (", ..." if len(steps) > MOST_STEPS else "")
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
