"""Prompts are text files with places `${name}` to fill; places and given values must match exactly.

If a place has the name of another prompt in the same folder, that prompt's text fills the place. The places
in that text are filled, too.
"""

import re
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from string import Template

from optimus_gym.core.errors import BadValue, UnknownName

_PLACE = re.compile(r"\$\{(\w+)\}")


def render(folder: str, name: str, values: Mapping[str, str]) -> str:
    """Return a prompt with its places filled.

    Args:
        folder: the package that holds the prompt, such as "optimus_gym.agents.optimus1.prompts".
        name: the name of the prompt's file, without ".md".
        values: the text for each place, by the place's name.

    Raises:
        UnknownName: the folder has no such prompt.
        BadValue: a place has no value, or a value has no place.
    """
    template = _template(folder, name)
    places = set(template.get_identifiers())
    if places != set(values):
        raise BadValue(
            f"expected values for {', '.join(sorted(places))}, got {', '.join(sorted(values))}"
            f" (prompt {name})"
        )
    return template.substitute(values)


@cache
def _template(folder: str, name: str) -> Template:
    known = _names(folder)
    if name not in known:
        raise UnknownName("prompt", name, known)

    def part(place: re.Match[str]) -> str:
        return _text(folder, place[1]).rstrip("\n") if place[1] in known else place[0]

    return Template(_PLACE.sub(part, _text(folder, name)))


@cache
def _names(folder: str) -> tuple[str, ...]:
    found = (path.name for path in files(folder).iterdir())
    return tuple(sorted(name.removesuffix(".md") for name in found if name.endswith(".md")))


def _text(folder: str, name: str) -> str:
    return files(folder).joinpath(f"{name}.md").read_text("utf-8")
