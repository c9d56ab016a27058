"""The command `optimus-gym plan`: print the steps to an item as a table, and draw them as a graph."""

import argparse
from html import escape
from pathlib import Path
from typing import Final

from rich.console import Console
from rich.table import Table

from optimus_gym.core.checks import check_count, check_path
from optimus_gym.core.errors import BadValue, shown
from optimus_gym.core.files import write_whole
from optimus_gym.core.types import TICKS_A_SECOND
from optimus_gym.game.items import item
from optimus_gym.game.ways import Place
from optimus_gym.knowledge.knowledge_graph import full_graph
from optimus_gym.knowledge.requirements import Requirements, Step
from optimus_gym.terminal.parser import listed, whole
from optimus_gym.terminal.printing import add_row, words

EXAMPLES: Final = (
    'optimus-gym plan "diamond pickaxe"',
    'optimus-gym plan chest --count 2 --have "oak log=3, stick" --graph chest.svg',
)
MOST_COUNT = 1_000_000
"""Maximum count of the wanted item and of a held item; more pieces would take years of game time."""
MANY_KINDS = 3
MOST_BIOMES = 3
BOX_WIDTH = 290
"""Width of an item's box in the drawing, in pixels."""
BOX_HEIGHT = 36
"""Height of an item's box in the drawing, in pixels."""
_ROW = 48
"""Pixels from the top of one item's box in the drawing to the top of the next."""
_MARGIN = 20
STRETCH = 9
"""Sideways bend of an arrow in the drawing, in pixels for each box from the arrow's start to its end."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument("item", metavar="ITEM", help='item to hold, such as "diamond pickaxe"')
    parser.add_argument(
        "--count", type=whole, default=1, metavar="N", help="number of pieces to hold (default: 1)"
    )
    parser.add_argument(
        "--have",
        action="append",
        default=[],
        metavar="ITEM=N,...",
        help="items held at the start, such as oak_log=3,stick=2; may be repeated (default: none)",
    )
    parser.add_argument(
        "--graph",
        type=Path,
        metavar="FILE.svg",
        help="file for a drawing of the items and steps (default: no drawing)",
    )


def run(parsed: argparse.Namespace) -> int:
    """Print the steps to an item and return 0.

    Raises:
        UnknownName: the item is unknown.
        BadValue: a count cannot be read, the picture's file is no SVG or cannot be written, or the
            item cannot be obtained.
    """
    name = item_named(parsed.item)
    if parsed.graph is not None and check_path("graph", parsed.graph).suffix != ".svg":
        raise BadValue(f"graph: expected a file that ends in .svg, got {str(parsed.graph)!r}")
    count = check_count("count", parsed.count, 1, MOST_COUNT)
    found = full_graph().requirements(name, count, read_items(",".join(parsed.have)))
    console = Console()
    console.print(_steps_table(found))
    console.print(words(summary(found)), soft_wrap=True)
    if parsed.graph is not None:
        _write(parsed.graph, drawing(found))
        console.print(words(f"graph: {parsed.graph}"), soft_wrap=True)
    return 0


def item_named(text: str) -> str:
    """Return the item that a text names, with spaces or underscores.

    Raises:
        UnknownName: the item is unknown; the message suggests the item with the most similar name.

    >>> item_named("Diamond pickaxe")
    'diamond_pickaxe'
    """
    return item("_".join(text.lower().split())).name


def read_items(text: str) -> dict[str, int]:
    """Read "oak_log=3,stick=2"; an item without a number counts as one piece.

    Raises:
        UnknownName: an item is unknown.
        BadValue: a count is no whole number of at least 1, or the text names an item twice.

    >>> read_items("oak log=3, stick")
    {'oak_log': 3, 'stick': 1}
    """
    held: dict[str, int] = {}
    for part in listed(text):
        name, equals, count = part.partition("=")
        name = item_named(name)
        if name in held:
            raise BadValue(f"have: expected each item once, got {name} twice")
        held[name] = _read_count(f"have: {name}", count) if equals else 1
    return held


def _read_count(name: str, text: str) -> int:
    """Read a whole number from 1 to `MOST_COUNT`.

    Raises:
        BadValue: the text is no whole number from 1 to `MOST_COUNT`; the message begins with `name`.

    >>> _read_count("have", " 12 ")
    12
    """
    digits, most = text.strip(), MOST_COUNT
    if digits.isdecimal() and len(digits) <= len(str(most)) and 1 <= int(digits) <= most:
        return int(digits)
    raise BadValue(f"{name}: expected an integer from 1 to {most}, got {shown(text)}")


def _steps_table(found: Requirements) -> Table:
    """Return a table with a row for each step of a plan."""
    made = Table(box=None, header_style="bold")
    made.add_column("", justify="right")
    made.add_column("step")
    made.add_column("uses")
    made.add_column("with")
    made.add_column("where")
    made.add_column("ticks", justify="right")
    for number, step in enumerate(found.steps, start=1):
        uses = ", ".join(f"{use.count} {use.item}{_others(use.kinds)}" for use in step.uses)
        held = ", ".join(name for name in (step.tool, step.station, *step.holds) if name)
        what = f"{step.verb} {step.count} {step.item}{_others(step.kinds)}"
        add_row(made, str(number), what, uses, held, _where(step), f"{step.ticks:,.0f}")
    return made


def summary(found: Requirements) -> str:
    """Return a plan's time in words, and whether the plan is proved to be the fastest."""
    proof = "no plan is faster" if found.optimal else "perhaps not the fastest"
    seconds = found.ticks / TICKS_A_SECOND
    return (
        f"{found.count} {found.item}: {len(found.steps)} steps, "
        f"{found.ticks:,.0f} ticks ({seconds / 60:.1f} min); {proof}"
    )


def drawing(found: Requirements) -> str:
    """Return a drawing of a plan as SVG: a box for each item, from top to bottom in the plan's order.

    An arrow at the left leads from each ingredient to the item that uses it up. A dashed arrow at the right
    leads from each tool and station to the item that needs it.
    """
    notes: dict[str, list[str]] = {}
    uses: dict[str, list[str]] = {}
    lines: list[tuple[str, str, bool]] = []
    for step in found.steps:
        held = [name for name in (step.tool, step.station, *step.holds) if name]
        for name in (*(use.item for use in step.uses), *held, step.item):
            notes.setdefault(name, [])
        notes[step.item].append(f"{step.verb} {step.count}")
        uses.setdefault(step.item, []).extend(f"{use.count} {use.item}" for use in step.uses)
        lines += [(use.item, step.item, False) for use in step.uses]
        lines += [(name, step.item, True) for name in held]
    notes.setdefault(found.item, [])
    places = {name: place for place, name in enumerate(notes)}
    spans = [abs(places[end] - places[start]) for start, end, _ in lines]
    side = _MARGIN + STRETCH * max(spans, default=0)
    width, height = 2 * side + BOX_WIDTH, _ROW * len(places) + _MARGIN
    drawn = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'width="{width}" height="{height}" font-family="sans-serif" font-size="12">',
        '<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" '
        'markerHeight="7" orient="auto"><path d="M0 0L8 4L0 8z" fill="#888"/></marker></defs>',
        f'<rect width="{width}" height="{height}" fill="#fff"/>',
        *(
            _line(places[start], places[end], side + BOX_WIDTH * is_held, is_held)
            for start, end, is_held in lines
        ),
    ]
    for name, place in places.items():
        note = ", ".join(notes[name]) or "held"
        drawn.append(_box(side, place, name, note, ", ".join(uses.get(name, []))))
    return "\n".join([*drawn, "</svg>", ""])


def _line(start: int, end: int, x: int, is_held: bool) -> str:
    """Return the SVG of an arrow between two boxes: bent right for tool or station (`is_held`), else left."""
    bend = x + STRETCH * abs(end - start) * 4 // 3 * (1 if is_held else -1)
    y, v = (_MARGIN + _ROW * start + BOX_HEIGHT * 2 // 3, _MARGIN + _ROW * end + BOX_HEIGHT // 3)
    dashed = ' stroke-dasharray="5 4"' if is_held else ""
    return (
        f'<path d="M{x} {y}C{bend} {y} {bend} {v} {x} {v}" fill="none" stroke="#888"{dashed} '
        'marker-end="url(#tip)"/>'
    )


def _box(x: int, place: int, name: str, note: str, uses: str) -> str:
    """Return the SVG of an item's box: name, how the plan gets the item, and the ingredients used up."""
    y = _MARGIN + _ROW * place
    texts = [
        f'<text x="{x + 8}" y="{y + 15}">{escape(name.replace("_", " "))}</text>',
        f'<text x="{x + BOX_WIDTH - 8}" y="{y + 15}" text-anchor="end">{escape(note)}</text>',
    ]
    if uses:
        texts.append(
            f'<text x="{x + 8}" y="{y + 30}" font-size="10" fill="#666">'
            f"{escape(uses.replace('_', ' '))}</text>"
        )
    return (
        f'<rect x="{x}" y="{y}" width="{BOX_WIDTH}" height="{BOX_HEIGHT}" rx="6" fill="#f3f6ee" '
        f'stroke="#7a9a5c"/>{"".join(texts)}'
    )


def _write(path: Path, text: str) -> None:
    try:
        write_whole(path, text.encode())
    except OSError as error:
        why = error.strerror
        raise BadValue(f"graph: expected a file to write, got {str(path)!r} ({why})") from None


def _others(kinds: tuple[str, ...]) -> str:
    """Return a note on the items that can replace the first of `kinds`, such as other logs; "" for none."""
    if len(kinds) == 1:
        return ""
    return " (or like)" if len(kinds) > MANY_KINDS else f" (or {', '.join(kinds[1:])})"


def _where(step: Step) -> str:
    """Return in words the creature that a step needs, and the heights and biomes of the step."""
    place = step.place or Place()
    words = [step.creature] if step.creature else []
    if place.low is not None:
        words.append(f"y {place.low} to {place.high}")
    if place.biomes:
        more = ", ..." if len(place.biomes) > MOST_BIOMES else ""
        words.append(", ".join(place.biomes[:MOST_BIOMES]) + more)
    return "; ".join(words)
