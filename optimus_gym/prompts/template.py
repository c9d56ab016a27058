"""Prompts are files with `${name}` places; a place without a value is an error, and so the reverse."""

from functools import cache
from importlib.resources import files
from string import Template

from optimus_gym.core.errors import BadValue, UnknownName

PROMPTS = ("plan", "replan", "correct")


def render(name: str, **values: str) -> str:
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


@cache
def _template(name: str) -> Template:
    if name not in PROMPTS:
        raise UnknownName("prompt", name, PROMPTS)
    return Template(files("optimus_gym.prompts").joinpath(f"{name}.md").read_text("utf-8"))
