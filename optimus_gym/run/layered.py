"""Draw an acyclic graph in layers, from top to bottom, as SVG."""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from itertools import pairwise

WIDTH, HEIGHT = 150, 40
"""Width and height of a box, pixels."""
ACROSS, DOWN = 24, 50
"""Distances between boxes, pixels."""
NARROW = 12
"""Width in pixels of the lane where a line passes a layer."""
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


Point = tuple[float, float]


def picture(boxes: Sequence[Box], arrows: Sequence[Arrow]) -> str:
    """Return the graph as an SVG text.

    Args:
        boxes: the nodes; at least one.
        arrows: the edges, between boxes that exist, without a cycle.
    """
    layer = _layers(boxes, arrows)
    rows: list[list[str]] = [[] for _ in range(max(layer.values()) + 1)]
    for name, number in layer.items():
        rows[number].append(name)
    lanes = [_lane(k, arrow, layer, rows) for k, arrow in enumerate(arrows)]
    _untangle(rows, lanes)
    middles = _middles(rows)
    width = max(x for x, _ in middles.values()) + WIDTH / 2 + MARGIN
    height = len(rows) * (HEIGHT + DOWN) - DOWN + 2 * MARGIN
    curves = [_curve(a, [middles[n] for n in lane]) for a, lane in zip(arrows, lanes, strict=True)]
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height}" '
        f'viewBox="0 0 {width:.0f} {height}">',
        f"<style>{STYLE}</style>",
        '<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" '
        'markerHeight="7" orient="auto"><path d="M0 0L8 4L0 8z" style="fill:#8a8a8a;stroke:none"/>'
        "</marker></defs>",
        '<rect width="100%" height="100%" style="fill:#fff;stroke:none"/>',
        *curves,
        *(_box(box, middles[box.name]) for box in boxes),
        "</svg>",
    ]
    return "\n".join(lines) + "\n"


def _lane(number: int, arrow: Arrow, layer: dict[str, int], rows: list[list[str]]) -> list[str]:
    """Return the nodes of an arrow; add a new node to each layer that the arrow passes."""
    passed = [f"{number}/{k}" for k in range(layer[arrow.start] + 1, layer[arrow.end])]
    for k, name in enumerate(passed, start=layer[arrow.start] + 1):
        rows[k].append(name)
    return [arrow.start, *passed, arrow.end]


def _middles(rows: Sequence[Sequence[str]]) -> dict[str, Point]:
    """Return the middle of each node in pixels, with the layers centred."""
    widths = [[NARROW if "/" in name else WIDTH for name in row] for row in rows]
    totals = [sum(row) + ACROSS * (len(row) - 1) for row in widths]
    middles: dict[str, Point] = {}
    for number, row in enumerate(rows):
        x = MARGIN + (max(totals) - totals[number]) / 2
        for name, width in zip(row, widths[number], strict=True):
            middles[name] = x + width / 2, MARGIN + number * (HEIGHT + DOWN) + HEIGHT / 2
            x += width + ACROSS
    return middles


def _layers(boxes: Sequence[Box], arrows: Sequence[Arrow]) -> dict[str, int]:
    """Return the layer of each box: the number of arrows on the longest path to it."""
    before: dict[str, list[str]] = {box.name: [] for box in boxes}
    for arrow in arrows:
        before[arrow.end].append(arrow.start)
    layer = dict.fromkeys(before, 0)
    for _ in boxes:
        for name, starts in before.items():
            layer[name] = max([layer[start] + 1 for start in starts], default=0)
    return layer


def _untangle(rows: list[list[str]], lanes: Sequence[Sequence[str]]) -> None:
    """Sort each layer by the mean place of its nodes' neighbours, in sweeps, so that few lines cross."""
    near: dict[str, list[str]] = {}
    for lane in lanes:
        for start, end in pairwise(lane):
            near.setdefault(start, []).append(end)
            near.setdefault(end, []).append(start)
    for sweep in range(SWEEPS):
        for row in rows if sweep % 2 == 0 else reversed(rows):
            place = {name: k - len(r) / 2 for r in rows for k, name in enumerate(r)}
            beside = {name: near.get(name, [name]) for name in row}
            row.sort(key=lambda name: sum(place[n] for n in beside[name]) / len(beside[name]))


def _curve(arrow: Arrow, points: Sequence[Point]) -> str:
    kind = ' class="dashed"' if arrow.dashed else ""
    (x, y), (u, v) = points[0], points[-1]
    ends = [(x, y + HEIGHT / 2), *points[1:-1], (u, v - HEIGHT / 2 - 2)]
    path = f"M{x:.0f} {y + HEIGHT / 2:.0f}"
    for (a, b), (c, d) in pairwise(ends):
        middle = (b + d) / 2
        path += f"C{a:.0f} {middle:.0f} {c:.0f} {middle:.0f} {c:.0f} {d:.0f}"
    note = ""
    if arrow.note:
        (a, b), (c, d) = ends[-2:]
        at = f'x="{(a + 3 * c) / 4 + 4:.0f}" y="{(b + 5 * d) / 6:.0f}"'
        note = f'<text class="small" {at}>{escape(arrow.note)}</text>'
    return f'<path{kind} d="{path}" marker-end="url(#tip)"/>{note}'


def _box(box: Box, middle: Point) -> str:
    x, y = middle
    name = escape(box.name.replace("_", " "))
    return (
        f'<rect x="{x - WIDTH / 2:.0f}" y="{y - HEIGHT / 2:.0f}" width="{WIDTH}" height="{HEIGHT}"/>'
        f'<text x="{x:.0f}" y="{y - 3:.0f}" text-anchor="middle">{name}</text>'
        f'<text class="small" x="{x:.0f}" y="{y + 12:.0f}" text-anchor="middle">'
        f"{escape(box.note)}</text>"
    )
