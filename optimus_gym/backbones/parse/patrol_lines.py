"""Reads the lines of MP5's patroller: its verdicts on actions, and its questions about a picture.

Success: no                       Question: mob: pig
Missing: 2 planks, 1 stick        Enough: no
Feedback: craft planks first      Missing: pig
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final

from optimus_gym.backbones.parse.plans import MOST_TEXT
from optimus_gym.backbones.parse.thoughts import answer_of
from optimus_gym.prompts.words import kinds_of, word_for

YES_WORDS: Final[Mapping[str, bool]] = MappingProxyType(
    {
        **dict.fromkeys(("yes", "true", "success", "succeeded", "done", "ok"), True),
        **dict.fromkeys(("no", "false", "fail", "failed", "failure", "not"), False),
    }
)
"""First words of a value, each with its meaning."""
MOST_LINE: Final = 600
"""Maximum number of characters of a line's value that are read."""
MOST_MISSING: Final = 12
"""Maximum number of missing things that are read."""
MOST_QUESTIONS: Final = 12
"""Maximum number of questions that are read of one answer."""
_FIELDS: Final = ("success", "missing", "feedback", "suggestion", "question", "enough")
_LINE: Final = re.compile(
    rf"^[\s>#*_`\-\d.]*({'|'.join(_FIELDS)})[*_`\s]*[:=](.*)$", re.IGNORECASE | re.MULTILINE
)
_PIECES: Final = re.compile(r"(?:(\d{1,4})\s*(?:x\s*)?)?([A-Za-z][\w ]{0,60})")


@dataclass(frozen=True, slots=True)
class CheckRead:
    """A verdict on an action.

    Attributes:
        success: whether the action can begin, or has succeeded; None if the text does not say.
        missing: missing pieces, by the item's word.
        feedback: feedback and suggestion for the planner, on one line.
        problems: faults of the text, in words.
    """

    success: bool | None
    missing: Mapping[str, int] = field(default_factory=dict)
    feedback: str = ""
    problems: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class InquiryRead:
    """Questions about a picture, or the word that enough is known.

    Attributes:
        questions: (aspect, thing) of each question.
        enough: whether all that is wanted is in sight; None if the text does not say.
        missing: what is missing in sight, in words.
        problems: faults of the text, in words.
    """

    questions: tuple[tuple[str, str], ...] = ()
    enough: bool | None = None
    missing: str = ""
    problems: tuple[str, ...] = ()


def check_in(text: str) -> CheckRead:
    """Return the verdict in a text.

    >>> check_in("Success: no").success
    False
    """
    told = dict(_fields(text))
    success = _is_yes(told.get("success", ""))
    feedback = " ".join(told[name] for name in ("feedback", "suggestion") if told.get(name))
    problems = () if success is not None else ("expected a line 'Success: yes' or 'no', got none",)
    return CheckRead(success, _missing(told.get("missing", "")), feedback[:MOST_LINE], problems)


def inquiry_in(text: str) -> InquiryRead:
    """Return the questions in a text, or its word whether enough is in sight.

    >>> inquiry_in("Question: mob: pig").questions
    (('mob', 'pig'),)
    """
    fields = list(_fields(text))
    asked = [_question(value) for name, value in fields if name == "question"]
    questions = tuple(one for one in asked if one is not None)[:MOST_QUESTIONS]
    told = dict(fields)
    enough = _is_yes(told.get("enough", ""))
    if not questions and enough is None:
        said = "expected a line 'Question: <aspect>: <thing>' or 'Enough: yes' or 'no', got neither"
        return InquiryRead(problems=(said,))
    return InquiryRead(questions, enough, told.get("missing", "")[:MOST_LINE])


def _fields(text: str) -> Iterator[tuple[str, str]]:
    """Yield the lines' names in lower case and their values, without thoughts before the answer."""
    for part in answer_of(text[:MOST_TEXT]).parts[:1]:
        for name, value in _LINE.findall(part):
            yield name.lower(), " ".join(value.strip(" *_`").split())[:MOST_LINE]


def _is_yes(value: str) -> bool | None:
    first = re.match(r"[a-z]+", value.lower())
    return None if first is None else YES_WORDS.get(first[0])


def _missing(value: str) -> dict[str, int]:
    """Return missing pieces by word; words that mean no item are left out.

    >>> _missing("2 planks, a unicorn, 1 Crafting Table")
    {'planks': 2, 'crafting_table': 1}
    """
    found: dict[str, int] = {}
    for part in value.split(",")[:MOST_MISSING]:
        match = _PIECES.match(part.strip())
        kinds = kinds_of(match[2].strip()) if match is not None else ()
        if match is not None and kinds:
            found[word_for(kinds[0], kinds)] = max(int(match[1] or 1), 1)
    return found


def _question(value: str) -> tuple[str, str] | None:
    aspect, mark, thing = value.partition(":")
    return (aspect.strip().lower(), thing.strip().lower()) if mark and thing.strip() else None
