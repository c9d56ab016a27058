"""Prompts are files with `${name}` places; a place without a value is an error, and so the reverse.

A place that bears the name of a part (`PARTS`) is filled with that part, whose own places are filled too.
"""

import re
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from string import Template

from optimus_gym.core.errors import BadValue, UnknownName

PROMPTS = ("see", "plan", "plan_unaided", "replan", "replan_unaided", "reflect", "correct")
PARTS = ("situation", "rules")
"""Texts that several prompts have in common."""
_PLACE = re.compile(r"\$\{(\w+)\}")


def render(name: str, values: Mapping[str, str]) -> str:
    """Return the prompt `name` with its places filled.

    Raises:
        UnknownName: there is no such prompt.
        BadValue: values and places are not the same.
    """
    template = _template(name)
    places = set(template.get_identifiers())
    if places != set(values):
        raise BadValue(
            f"expected values for {', '.join(sorted(places))}, got {', '.join(sorted(values))}"
            f" (prompt {name})"
        )
    return template.substitute(values)


def values_in(name: str, text: str) -> dict[str, str] | None:
    """Return the values from which `render` made a text, or None if it made none like it.

    Each value ends where the words that follow it in the prompt come for the first time.

    Raises:
        UnknownName: there is no such prompt.

    >>> values_in("correct", render("correct", {"request": "Q", "answer": "A", "problems": "P"}))
    {'request': 'Q', 'answer': 'A', 'problems': 'P'}
    """
    found = _reader(name).fullmatch(text)
    return None if found is None else found.groupdict()


@cache
def _template(name: str) -> Template:
    if name not in PROMPTS:
        raise UnknownName("prompt", name, PROMPTS)
    return Template(_PLACE.sub(_part, _file(name)))


def _part(place: re.Match[str]) -> str:
    """Return what stands in a place before any value is known: a part's text, or the place itself."""
    return _file(place[1]).rstrip("\n") if place[1] in PARTS else place[0]


def _file(name: str) -> str:
    return files("optimus_gym.prompts").joinpath(f"{name}.md").read_text("utf-8")


@cache
def _reader(name: str) -> re.Pattern[str]:
    """Return the pattern of all texts of a prompt."""
    pieces = _PLACE.split(_template(name).template)
    pattern = "".join(
        f"(?P<{piece}>.*?)" if k % 2 else re.escape(piece) for k, piece in enumerate(pieces)
    )
    return re.compile(pattern, re.DOTALL)
