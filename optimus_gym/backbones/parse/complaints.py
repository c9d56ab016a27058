"""Complaints about a reply that cannot be used: few short sentences, each said once."""

import re
import unicodedata
from collections import Counter
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final

MOST_PROBLEMS: Final = 20
MOST_SAID: Final = 200
"""Characters of a problem."""
MOST_STEPS: Final = 12
"""Numbers of steps that one problem lists."""
FOREIGN: Final = 0.3
"""Share of an answer's letters in another script from which on it is not in English: our choice."""
MOST_LOOKED_AT: Final = 4_000
"""Characters of an answer whose script is looked at."""
SCRIPTS: Final[Mapping[str, str]] = MappingProxyType(
    {"CJK": "Chinese", "HIRAGANA": "Japanese", "KATAKANA": "Japanese", "HANGUL": "Korean"}
)
"""Scripts and how their language is called; others are called by their own names."""
_SHAPE: Final = re.compile(
    r"(?P<step>step [\w.]{1,8}): (?P<expected>expected .{1,300}?), got (?P<got>.+)", re.DOTALL
)


def in_english(text: str, problems: Sequence[str]) -> tuple[str, ...]:
    """Return a problem that names the language to answer in, if an answer with problems is in another script.

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
    """Return problems with those that expect the same as one, at most 20 of at most 200 characters.

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
    """Return problems of several steps that expect the same as one, with what came where there is room."""
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
