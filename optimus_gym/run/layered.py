"""Draws a graph without cycles in layers, from left to right, as SVG."""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

WIDTH, HEIGHT = 150, 40
"""Width and height of a box, pixels."""
ACROSS, DOWN = 70, 18
"""Distances between boxes, pixels."""
MARGIN = 20
SWEEPS = 8
STYLE = (
    "text{font:12px sans-serif;fill:#222}.small{font-size:10px;fill:#666}"
    "rect{fill:#f3f6ee;stroke:#7a9a5c;rx:6}path{fill:none;stroke:#8a8a8a;stroke-width:1.3}"
    ".dashed{stroke-dasharray:5 4;stroke:#b0a080}"
)


@dataclass(frozen=True, slots=True)
class Box:
    """A node: its name and a line below it."""

    name: str
    note: str


@dataclass(frozen=True, slots=True)
class Arrow:
    """An edge from one box to another, with a word at its end."""

    start: str
    end: str
    note: str
    dashed: bool = False


def picture(boxes: Sequence[Box], arrows: Sequence[Arrow]) -> str:
    """Return the graph as an SVG text.

    Args:
        boxes: the nodes, each after those that lead to it.
        arrows: the edges, between boxes that exist.
    """
    places = _places(boxes, arrows)
    width = max(x for x, _ in places.values()) + WIDTH + MARGIN
    height = max(y for _, y in places.values()) + HEIGHT + MARGIN
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}">',
        f"<style>{STYLE}</style>",
        '<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" '
        'markerHeight="7" orient="auto"><path d="M0 0L8 4L0 8z" style="fill:#8a8a8a;stroke:none"/>'
        "</marker></defs>",
        '<rect width="100%" height="100%" style="fill:#fff;stroke:none"/>',
        *(_curve(arrow, places) for arrow in arrows),
        *(_box(box, places[box.name]) for box in boxes),
        "</svg>",
    ]
    return "\n".join(lines) + "\n"


def _places(boxes: Sequence[Box], arrows: Sequence[Arrow]) -> dict[str, tuple[int, int]]:
    """Return the upper left corner of each box, pixels."""
    layer = _layers(boxes, arrows)
    rows: list[list[str]] = [[] for _ in range(max(layer.values(), default=0) + 1)]
    for name, number in layer.items():
        rows[number].append(name)
    _untangle(rows, arrows)
    tallest = max(len(row) for row in rows)
    places = {}
    for number, row in enumerate(rows):
        above = (tallest - len(row)) * (HEIGHT + DOWN) // 2
        for place, name in enumerate(row):
            x = MARGIN + number * (WIDTH + ACROSS)
            places[name] = x, MARGIN + above + place * (HEIGHT + DOWN)
    return places


def _layers(boxes: Sequence[Box], arrows: Sequence[Arrow]) -> dict[str, int]:
    """Return how many arrows the longest way to each box has."""
    before: dict[str, list[str]] = {box.name: [] for box in boxes}
    for arrow in arrows:
        before[arrow.end].append(arrow.start)
    layer = dict.fromkeys(before, 0)
    for _ in boxes:
        for name, starts in before.items():
            layer[name] = max([layer[start] + 1 for start in starts], default=0)
    return layer


def _untangle(rows: list[list[str]], arrows: Sequence[Arrow]) -> None:
    """Order each layer by the middle of its neighbours, to and fro, so that few arrows cross."""
    near: dict[str, list[str]] = {}
    for arrow in arrows:
        near.setdefault(arrow.start, []).append(arrow.end)
        near.setdefault(arrow.end, []).append(arrow.start)
    for sweep in range(SWEEPS):
        for row in rows if sweep % 2 == 0 else reversed(rows):
            place = {n: k - len(r) / 2 for r in rows for k, n in enumerate(r)}
            middle = {
                name: sum(place[other] for other in near.get(name, [name]))
                / len(near.get(name, [name]))
                for name in row
            }
            row.sort(key=middle.__getitem__)


def _curve(arrow: Arrow, places: dict[str, tuple[int, int]]) -> str:
    x, y = places[arrow.start]
    u, v = places[arrow.end]
    x, y, v = x + WIDTH, y + HEIGHT // 2, v + HEIGHT // 2
    bend = max(ACROSS // 2, (u - x) // 2)
    kind = ' class="dashed"' if arrow.dashed else ""
    note = ""
    if arrow.note:
        note = f'<text class="small" x="{x + 6}" y="{y - 4}">{escape(arrow.note)}</text>'
    curve = f"M{x} {y}C{x + bend} {y} {u - bend} {v} {u - 2} {v}"
    return f'<path{kind} d="{curve}" marker-end="url(#tip)"/>{note}'


def _box(box: Box, place: tuple[int, int]) -> str:
    x, y = place
    middle = x + WIDTH // 2
    name = escape(box.name.replace("_", " "))
    return (
        f'<rect x="{x}" y="{y}" width="{WIDTH}" height="{HEIGHT}"/>'
        f'<text x="{middle}" y="{y + 17}" text-anchor="middle">{name}</text>'
        f'<text class="small" x="{middle}" y="{y + 32}" text-anchor="middle">{escape(box.note)}</text>'
    )
