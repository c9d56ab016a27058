"""The command `optimus-gym plan`: print the steps to an item as a table, and draw their sub-graph."""

import argparse
from pathlib import Path

from rich.console import Console
from rich.table import Table

from optimus_gym.core.checks import check_count, check_path
from optimus_gym.core.errors import BadValue
from optimus_gym.core.files import write_whole
from optimus_gym.core.types import TICKS_A_SECOND
from optimus_gym.game.items import item
from optimus_gym.game.ways import Place
from optimus_gym.knowledge.knowledge_graph import full_graph
from optimus_gym.knowledge.requirements import Requirements, Step
from optimus_gym.run.layered import Arrow, Box, picture
from optimus_gym.run.numbers import read_count
from optimus_gym.terminal.printing import add_row, words

MOST_COUNT = 1_000_000
"""Largest count of an item, wanted or held; more would take years of game time."""
MANY_KINDS = 3
MOST_BIOMES = 3


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument("item", metavar="ITEM", help='what to hold, such as "diamond pickaxe"')
    parser.add_argument("--count", type=int, default=1, metavar="N", help="how many (default 1)")
    parser.add_argument(
        "--have",
        action="append",
        default=[],
        metavar="ITEM=N,...",
        help="what is held, such as oak_log=3,stick=2; may be given several times",
    )
    parser.add_argument("--graph", type=Path, metavar="FILE.svg", help="draw the sub-graph")


def plan(parsed: argparse.Namespace) -> int:
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
    console.print(table(found))
    console.print(words(summary(found)), soft_wrap=True)
    if parsed.graph is not None:
        _write(parsed.graph, drawing(found))
        console.print(words(f"graph: {parsed.graph}"), soft_wrap=True)
    return 0


def item_named(text: str) -> str:
    """Return the item that a text names, with spaces or underscores.

    Raises:
        UnknownName: the item is unknown; the message names the nearest.

    >>> item_named("Diamond pickaxe")
    'diamond_pickaxe'
    """
    return item("_".join(text.lower().split())).name


def read_items(text: str) -> dict[str, int]:
    """Read "oak_log=3,stick=2"; an item without a number is held once.

    Raises:
        UnknownName: an item is unknown.
        BadValue: a count is no whole number of at least 1, or an item comes twice.

    >>> read_items("oak log=3, stick")
    {'oak_log': 3, 'stick': 1}
    """
    held: dict[str, int] = {}
    for part in (part for part in text.split(",") if part.strip()):
        name, equals, count = part.partition("=")
        name = item_named(name)
        if name in held:
            raise BadValue(f"have: expected each item once, got {name} twice")
        held[name] = read_count(f"have: {name}", count, MOST_COUNT) if equals else 1
    return held


def table(found: Requirements) -> Table:
    """Return the steps as a table, one a row."""
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
    """Return a plan's time and whether it is proved to be the shortest."""
    proof = "no plan is faster" if found.optimal else "perhaps not the fastest"
    seconds = found.ticks / TICKS_A_SECOND
    return (
        f"{found.count} {found.item}: {len(found.steps)} steps, "
        f"{found.ticks:,.0f} ticks ({seconds / 60:.1f} min); {proof}"
    )


def drawing(found: Requirements) -> str:
    """Return the sub-graph of a plan as SVG: parts as lines, tools and stations dashed."""
    boxes: dict[str, Box] = {}
    arrows: list[Arrow] = []
    for step in found.steps:
        held = [name for name in (step.tool, step.station, *step.holds) if name]
        for name in (*(use.item for use in step.uses), *held):
            boxes.setdefault(name, Box(name, "held"))
        former = boxes.get(step.item, Box(step.item, "held")).note
        got = f"{step.verb} {step.count}"
        boxes[step.item] = Box(step.item, got if former == "held" else f"{former}, {got}")
        arrows += [Arrow(use.item, step.item, str(use.count)) for use in step.uses]
        arrows += [Arrow(name, step.item, "", dashed=True) for name in held]
    boxes.setdefault(found.item, Box(found.item, "held"))
    return picture(tuple(boxes.values()), arrows)


def _write(path: Path, text: str) -> None:
    try:
        write_whole(path, text.encode())
    except OSError as error:
        why = error.strerror
        raise BadValue(f"graph: expected a file to write, got {str(path)!r} ({why})") from None


def _others(kinds: tuple[str, ...]) -> str:
    """Return a note on the other kinds of an item that serve as well; "" if there are none."""
    if len(kinds) == 1:
        return ""
    return " (or like)" if len(kinds) > MANY_KINDS else f" (or {', '.join(kinds[1:])})"


def _where(step: Step) -> str:
    """Return the creature and the place of a step in words."""
    place = step.place or Place()
    words = [step.creature] if step.creature else []
    if place.low is not None:
        words.append(f"y {place.low} to {place.high}")
    if place.biomes:
        more = ", ..." if len(place.biomes) > MOST_BIOMES else ""
        words.append(", ".join(place.biomes[:MOST_BIOMES]) + more)
    return "; ".join(words)
