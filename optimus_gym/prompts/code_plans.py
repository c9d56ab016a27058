"""Plans as calls of functions, one call a line (JARVIS-1, appendix C.2): writing and reading.

    mine(obj={"cobblestone": 3}, tool="wooden_pickaxe")
    craft(obj={"stick": 4}, materials={"planks": 2}, tool=None)

The same line also tells a way to get an item, for instance in a request: the pieces that one batch gives and
uses up. The functions `told_*` write such lines, and the other functions read the written lines back. Models
may write calls in many other forms, which `backbones.parse.calls` reads.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from optimus_gym.prompts.memories import NOTHING, told_words

_COUNTED: Final = re.compile(r'"(\w+)": (\d+)')
_OBJECT: Final = r'\{(?:"\w+": \d+(?:, "\w+": \d+)*)?\}'
_CALL: Final = re.compile(
    rf'(\w+)\(obj=\{{"(\w+)": (\d+)\}}(?:, materials=({_OBJECT}))?(?:, holds=({_OBJECT}))?'
    r', tool=(?:None|"(\w+)")\)(?:  # (.*))?'
)
_DEFINED: Final = re.compile(r"def \w+\(\):")
_RETURNED: Final = re.compile(r'return "\w+"')
_REFERENCE: Final = re.compile(r'- "([^"]*)", begun in ([^:]*) with (.*):')


@dataclass(frozen=True, slots=True)
class Call:
    """One call of a plan, or one way to get an item.

    Attributes:
        verb: the function's name, a verb of sub-goals.
        item: the item's name, or a collective word such as "planks".
        count: the pieces that the call gets.
        materials: the pieces that the call uses up, by item.
        tool: the tool that must be in hand or the station that must be in reach; None: neither.
        holds: the pieces that must be held and are not used up, by item.
        note: the comment at the line's end, in words; "" without a comment.
    """

    verb: str
    item: str
    count: int = 1
    materials: Mapping[str, int] = field(default_factory=dict)
    tool: str | None = None
    holds: Mapping[str, int] = field(default_factory=dict)
    note: str = ""

    @property
    def inputs(self) -> tuple[str, ...]:
        """Return the items that the call needs: materials, held items and tool or station."""
        tools = () if self.tool is None else (self.tool,)
        return tuple(dict.fromkeys((*self.materials, *self.holds, *tools)))

    @property
    def origin(self) -> str:
        """Return the block or creature that the note names first, as an item's name; "" without one.

        >>> Call("mine", "diamond", note="from diamond ore, y 0 to 15").origin
        'diamond_ore'
        """
        named = self.note.split(",", 1)[0]
        return named[5:].replace(" ", "_") if named.startswith("from ") else ""

    def __str__(self) -> str:
        """Return the call as a line of code.

        >>> str(Call("mine", "log", 3, note="step 1"))
        'mine(obj={"log": 3}, tool=None)  # step 1'
        """
        materials = f", materials={_object(self.materials)}" if self.materials else ""
        holds = f", holds={_object(self.holds)}" if self.holds else ""
        tool = "None" if self.tool is None else f'"{self.tool}"'
        note = f"  # {self.note}" if self.note else ""
        obj = _object({self.item: self.count})
        return f"{self.verb}(obj={obj}{materials}{holds}, tool={tool}){note}"


def call_in(line: str) -> Call:
    """Return the call in a line.

    Raises:
        ValueError: the line holds no call in the form that `Call` writes.
    """
    found = _CALL.fullmatch(line.strip())
    if found is None:
        raise ValueError(f"expected a call, got {line!r}")
    verb, item, count, materials, holds, tool, note = found.groups()
    return Call(verb, item, int(count), _counts(materials), tool, _counts(holds), note or "")


def told_calls(calls: Iterable[Call]) -> str:
    """Return one line for each call; "nothing" without calls."""
    return "\n".join(map(str, calls)) or NOTHING


def calls_in(text: str) -> tuple[Call, ...]:
    """Return the calls in lines that `told_calls` wrote.

    Raises:
        ValueError: a line holds no call.
    """
    return () if text == NOTHING else tuple(map(call_in, text.splitlines()))


def told_program(calls: Sequence[Call], item: str) -> str:
    """Return a plan to an item as a function, with the number of each step in a comment.

    >>> print(told_program([Call("mine", "log", 3)], "log"))
    def obtain_log():
        mine(obj={"log": 3}, tool=None)  # step 1
        return "log"
    """
    numbered = (replace(call, note=f"step {n}") for n, call in enumerate(calls, 1))
    lines = [f"    {call}" for call in numbered]
    return "\n".join([f"def obtain_{item}():", *lines, f'    return "{item}"'])


def program_in(text: str) -> tuple[Call, ...] | None:
    """Return the calls of a plan in the form of `told_program`; None for any other text."""
    lines = [line.strip() for line in text.strip().splitlines()]
    if len(lines) < 2 or not _DEFINED.fullmatch(lines[0]) or not _RETURNED.fullmatch(lines[-1]):
        return None
    try:
        return tuple(map(call_in, lines[1:-1]))
    except ValueError:
        return None


def told_references(rows: Sequence[Mapping[str, Any]]) -> str:
    """Return the lines of remembered plans: for each plan its goal and beginning, then its calls.

    A plan has the keys "goal", "environment", "inventory" (pieces by item at the beginning) and "plan" (its
    calls).
    """
    return "\n".join(line for row in rows for line in _reference_lines(row)) or NOTHING


def _reference_lines(row: Mapping[str, Any]) -> list[str]:
    held = ", ".join(f"{count} {name}" for name, count in row["inventory"].items()) or NOTHING
    where = told_words(row["environment"]).replace(":", " ")
    head = f'- "{told_words(row["goal"])}", begun in {where} with {held}:'
    return [head, *(f"    {call}" for call in row["plan"])]


def references_in(text: str) -> tuple[dict[str, Any], ...]:
    """Return the remembered plans in lines that `told_references` wrote.

    Raises:
        ValueError: a line holds neither the beginning of a plan nor a call.
    """
    rows: list[dict[str, Any]] = []
    for line in () if text == NOTHING else text.splitlines():
        head = _REFERENCE.fullmatch(line)
        if head is not None:
            held = {} if head[3] == NOTHING else dict(map(_piece, head[3].split(", ")))
            rows.append({"goal": head[1], "environment": head[2], "inventory": held, "plan": ()})
        elif rows:
            rows[-1]["plan"] = (*rows[-1]["plan"], call_in(line))
        else:
            raise ValueError(f"expected the beginning of a remembered plan, got {line!r}")
    return tuple(rows)


def _piece(text: str) -> tuple[str, int]:
    count, name = text.split(" ", 1)
    return name, int(count)


def _object(counts: Mapping[str, int]) -> str:
    return "{" + ", ".join(f'"{name}": {count}' for name, count in counts.items()) + "}"


def _counts(text: str | None) -> dict[str, int]:
    return {name: int(count) for name, count in _COUNTED.findall(text or "")}
