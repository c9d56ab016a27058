"""Steps as lines: "1. craft 4 oak_planks", "Step 2: chop a tree", "## 3. smelt", "- mine 3 log", "first dig".

    plan = { numbered [ bulleted ... ] } | { bulleted } | task { "->" task }

Numbered lines are the steps if there are any. If all bullets below a numbered line begin with a verb, the
bullets are the steps and the line is their heading. If no bullet begins with a verb, the bullets explain the
line. Bullets with and without a verb below one line are a fault, and so is a step without a verb.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from optimus_gym.backbones.parse.deeds import Told
from optimus_gym.backbones.parse.step_objects import worded
from optimus_gym.backbones.parse.wanted import VERBS_MEANT, verb_of

MOST_STEP_LINE: Final = 300
"""Maximum number of characters of a line that are read."""
_ORDER: Final = (
    "first", "second", "third", "then", "next", "after that", "afterwards", "finally", "lastly",
)  # fmt: skip
_WORDS: Final = (
    "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
)  # fmt: skip
_ROMAN: Final = (
    "i",
    "ii",
    "iii",
    "iv",
    "v",
    "vi",
    "vii",
    "viii",
    "ix",
    "x",
    "xi",
    "xii",
    "xiii",
    "xiv",
    "xv",
)
_COUNTED: Final = r"(?:step|task|sub-?goal|goal|action|phase|stage|part)"
_NUMBERED: Final = re.compile(
    rf"\s*(?:[-+\u2022\u2013>#]{{1,6}}\s*)?(?:\[[ xX]?\]\s*)?"
    rf"(?:{_COUNTED}[\s_#]*(?P<worded>[0-9]{{1,4}}|{'|'.join(_WORDS)})\b\W{{0,4}}\s*"
    rf"|[(\[#]?(?P<number>[0-9]{{1,4}}(?:\.[0-9]{{1,3}}){{0,3}})[\ufe0f\u20e3]{{0,2}}\s*(?:[.):\]\u3001\uff0e\uff1a|-]+|(?<=\u20e3))\s*"
    rf"|[(]?(?P<roman>{'|'.join(sorted(_ROMAN, key=len, reverse=True))})[.)]\s+)"
    r"(?P<task>\S.*)",
    re.IGNORECASE,
)
_BULLETED: Final = re.compile(
    r"\s*(?:[-*+\u2022\u2023\u25aa\u25e6\u2013\u2014\u00b7\u25cf]|[\u2705\u2714\u2610\u2611]\ufe0f?)\s*"
    r"(?:\[[ xX]?\]\s*)?(?P<task>\S.*)|\s*[(]?[a-h][.)]\s+(?P<lettered>\S.*)"
)
_ORDERED: Final = re.compile(
    rf"\s*(?P<order>{'|'.join(_ORDER)})\b[\s,:]*(?P<task>\S.*)", re.IGNORECASE
)
_TAG: Final = re.compile(r"<(?P<end>/?)(?P<name>[a-z]{1,10})\b[^<>\n]{0,40}>", re.IGNORECASE)
_ELEMENTS: Final = ("step", "li", "task", "subgoal", "action")
"""Elements of HTML and XML that hold a step."""
_ARROW: Final = re.compile(r"\s*(?:-+>|=+>|[\u2192\u21d2\u279c\u27a1])\ufe0f?\s*")
_INNER: Final = re.compile(
    rf"(?<=\S)\s+(?=(?:{_COUNTED}\s{{0,2}})?[(]?[0-9]{{1,3}}[.):]\s+[*`\"]{{0,3}}(?:{'|'.join(VERBS_MEANT)})\b)",
    re.IGNORECASE,
)
"""Pattern for the place in a line where another step begins."""


@dataclass(slots=True)
class _Step:
    """A line that is a step, and the bullets below it."""

    name: str
    task: str
    beneath: list[str] = field(default_factory=list)


def read_step_lines(text: str) -> Iterator[Told]:
    """Yield the actions (`Deed`) of the steps in a text's lines, and problems, in words."""
    numbered, bullets, ordered = _lines(text)
    if numbered:
        for step in numbered:
            yield from _told(step)
        return
    for steps in (bullets, ordered):
        if any(verb_of(step.task) is not None for step in steps):
            for step in steps:
                yield from worded(step.name, step.task)
            return
    yield from _chained(text)


def _as_bullet(tag: re.Match[str]) -> str:
    """Return a line break in place of a tag, with a bullet if the tag opens a step."""
    return "\n- " if not tag["end"] and tag["name"].lower() in _ELEMENTS else "\n"


def _lines(text: str) -> tuple[list[_Step], list[_Step], list[_Step]]:
    """Return three lists: numbered lines, bullets above them, lines that begin with "First" or the like."""
    numbered: list[_Step] = []
    bullets: list[_Step] = []
    ordered: list[_Step] = []
    text = _INNER.sub("\n", _TAG.sub(_as_bullet, text))
    for line in text.splitlines():
        said = line[:MOST_STEP_LINE].replace("**", "").replace("__", "").replace("`", "")
        found = _NUMBERED.match(said)
        if found is not None:
            own = found["worded"] or found["number"] or found["roman"]
            numbered.append(_Step(f"step {_number(own.lower())}", found["task"].strip(" #*_")))
        elif (bullet := _BULLETED.match(said)) is not None:
            task = (bullet["task"] or bullet["lettered"]).strip(" *_")
            if numbered:
                numbered[-1].beneath.append(task)
            else:
                bullets.append(_Step(f"step {len(bullets) + 1}", task))
        elif numbered and said[:1].isspace() and verb_of(said) is not None:
            numbered[-1].beneath.append(said.strip())
        elif (order := _ORDERED.match(said)) is not None:
            ordered.append(_Step(f"step {len(ordered) + 1}", order["task"]))
    return numbered, bullets, ordered


def _told(step: _Step) -> Iterator[Told]:
    """Yield the deeds of a numbered line, or of the bullets below it if the bullets are the steps."""
    verbs = [verb_of(task) is not None for task in step.beneath]
    if step.beneath and all(verbs):
        for task in step.beneath:
            yield from worded(step.name, task)
        return
    yield from worded(step.name, step.task)
    if any(verbs):
        said = "; ".join(step.beneath)[:80]
        yield f"{step.name}: expected one sub-goal a step, got more beneath it: {said!r}"


def _number(word: str) -> str:
    """Return a step's number in digits."""
    for words in (_WORDS, _ROMAN):
        if word in words:
            return str(words.index(word) + 1)
    return word


def _chained(text: str) -> Iterator[Told]:
    """Yield the deeds of tasks joined by arrows, or of bare tasks with one line each."""
    lines = [line[: MOST_STEP_LINE * 10] for line in text.splitlines()]
    chains: list[Sequence[str]] = [_ARROW.split(line) for line in lines]
    chains = [chain for chain in chains if len(chain) > 1]
    bare = [line for line in lines if line.strip(" `") and not line.rstrip(" *_`").endswith(":")]
    for tasks in (*chains, bare):
        if tasks and all(verb_of(task) is not None for task in tasks):
            for number, task in enumerate(tasks, start=1):
                yield from worded(f"step {number}", task)
            return
