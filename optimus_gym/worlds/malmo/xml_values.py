"""Values in a mission's XML: elements by their tags, texts and attributes as texts, truths and numbers.

A reader is a function that takes a text and returns its value; for a text that is no such value the reader
raises ValueError with a description of the values that it takes.
"""

from collections.abc import Callable
from typing import Final, TypeVar
from xml.etree.ElementTree import Element

from optimus_gym.core.errors import shown
from optimus_gym.worlds.malmo.framing import WireFault

XML_NAMESPACE: Final = "http://ProjectMalmo.microsoft.com"
MOST_LISTED: Final = 64
"""Maximum number of equal elements in one place."""
_MOST_NUMBER: Final = 1.0e9
_T = TypeVar("_T")
_M = TypeVar("_M")


def tag_of(element: Element) -> str:
    """Return an element's tag without Malmo's namespace."""
    return element.tag.removeprefix(f"{{{XML_NAMESPACE}}}")


def children_of(element: Element | None, tag: str) -> list[Element]:
    """Return the children with a tag, none if `element` is None.

    Raises:
        WireFault: the element has more than `MOST_LISTED` of them.
    """
    found = [] if element is None else [child for child in element if tag_of(child) == tag]
    if len(found) > MOST_LISTED:
        raise WireFault(f"{tag}: expected at most {MOST_LISTED} elements, got {len(found)}")
    return found


def child_of(element: Element | None, *tags: str) -> Element | None:
    """Return the first child with the first tag, of it the first child with the second tag, and so on.

    Raises:
        WireFault: as in `children_of`.
    """
    for tag in tags:
        element = next(iter(children_of(element, tag)), None)
    return element


def child_text(
    element: Element | None, tag: str, reader: Callable[[str], _T], missing: _M
) -> _T | _M:
    """Return the text of a child as a value, `missing` if there is no such child.

    Raises:
        WireFault: the reader does not take the text; the message names the child.
    """
    child = child_of(element, tag)
    return missing if child is None else _value(tag, child.text or "", reader)


def attribute_of(element: Element, name: str, reader: Callable[[str], _T]) -> _T:
    """Return an attribute as a value.

    Raises:
        WireFault: there is no such attribute, or the reader does not take its text; the message names both.
    """
    said = element.get(name)
    where = f"{tag_of(element)}.{name}"
    if said is None:
        raise WireFault(f"{where}: expected a value, got no such attribute")
    return _value(where, said, reader)


def attribute_or(element: Element, name: str, reader: Callable[[str], _T], missing: _M) -> _T | _M:
    """Return an attribute as a value, `missing` if there is no such attribute.

    Raises:
        WireFault: the reader does not take the text; the message names element and attribute.
    """
    return missing if element.get(name) is None else attribute_of(element, name, reader)


def _value(where: str, said: str, reader: Callable[[str], _T]) -> _T:
    try:
        return reader(said.strip())
    except ValueError as error:
        raise WireFault(f"{where}: expected {error}, got {shown(said)}") from None


def any_text(said: str) -> str:
    """Return the text."""
    return said


def full_text(said: str) -> str:
    """Return a text that is not empty.

    Raises:
        ValueError: the text is empty.
    """
    if not said:
        raise ValueError("a text")
    return said


def truth(said: str) -> bool:
    """Return whether a text is "true".

    Raises:
        ValueError: the text is neither "true" nor "false".
    """
    if said not in ("true", "false"):
        raise ValueError("true or false")
    return said == "true"


def number_from(least: float, most: float) -> Callable[[str], float]:
    """Return the reader of numbers from `least` to `most`."""

    def read(said: str) -> float:
        try:
            number = float(said)
        except ValueError:
            number = float("nan")
        if least <= number <= most:  # False for NaN
            return number
        raise ValueError(f"a number from {least:g} to {most:g}")

    return read


any_number: Final = number_from(-_MOST_NUMBER, _MOST_NUMBER)
"""Reader of numbers."""


def whole_from(least: int, most: int) -> Callable[[str], int]:
    """Return the reader of whole numbers from `least` to `most`, also in forms like "6000.0"."""

    def read(said: str) -> int:
        number = _as_whole(said)
        if number is None or not least <= number <= most:
            raise ValueError(f"a whole number from {least} to {most}")
        return number

    return read


def _as_whole(said: str) -> int | None:
    try:
        return int(said)
    except ValueError:
        pass
    try:
        number = float(said)
    except ValueError:
        return None
    return int(number) if number.is_integer() else None
