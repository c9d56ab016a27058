"""Draw the rooms of the package and their imports: python -m tools.architecture writes docs/architecture.svg.

Each box is a room, with the first line of its docstring. Rooms of the lowest layer in `tests/test_layers.py`
are at the bottom. An arc leads from a room to a room that it imports; where a longer chain of imports joins
two rooms, the direct arc between them is left out (transitive reduction). The drawing changes only when a
room or an import does, and `tests/test_house.py` remakes it.
"""

import ast
from collections.abc import Iterator, Sequence
from html import escape
from pathlib import Path
from typing import Final

import networkx

from tests.test_layers import (
    LAYERS,
    MODULES,
    RANK,
    ROOM_RANK,
    ROOMS,
    WORLD,
    home,
    imported,
)

ROOT: Final = Path(__file__).resolve().parents[1]
FILE: Final = ROOT / "docs" / "architecture.svg"
BOX: Final = (560, 44)
"""Width and height of a room's box in pixels."""
STEP: Final = 54
"""Pixels from one box to the next."""
LEFT: Final = 20
"""Free pixels to the left of the leftmost column of boxes."""
TOP: Final = 60
"""Pixels above the first box of a column."""
ARCS: Final = 230
"""Pixels to the right of a column, for its arcs."""
LONGEST: Final = 90
"""Largest number of characters of a docstring in a line of a box."""
COLOURS: Final = ("#1f6feb", "#b35900", "#1a7f37", "#8250df", "#bf3989")
"""Colours of the arcs, one after the other by the importing room."""


def imports(ranks: dict[str, int]) -> networkx.DiGraph:
    """Return the rooms, and an edge from each room to each room that it needs directly."""
    graph = networkx.DiGraph()
    graph.add_nodes_from(ranks)
    for name, path in MODULES:
        for target in imported(ast.parse(path.read_text("utf-8"))):
            mine, theirs = home(name, ranks), home(target, ranks)
            if mine and theirs and mine != theirs:
                graph.add_edge(mine, theirs)
    return networkx.transitive_reduction(graph)


def meaning(room: str) -> str:
    """Return the first sentence of a room's docstring."""
    path = next(path for name, path in MODULES if name == room)
    first = (ast.get_docstring(ast.parse(path.read_text("utf-8"))) or "").split("\n")[0]
    sentence = first.split(" (")[0].rstrip(".")
    if len(sentence) > LONGEST:
        raise ValueError(
            f"{room}: expected a first sentence of at most {LONGEST} characters, got {sentence!r}"
        )
    return sentence


def column(title: str, rooms: Sequence[str], ranks: dict[str, int], left: int) -> Iterator[str]:
    """Return the drawing of one column: its rooms from top to bottom, and the arcs between them."""
    yield f'<text x="{left}" y="34" class="title">{escape(title)}</text>'
    tops = {room: TOP + number * STEP for number, room in enumerate(rooms)}
    width, height = BOX
    for room, top in tops.items():
        yield f'<rect x="{left}" y="{top}" width="{width}" height="{height}" rx="6"/>'
        yield f'<text x="{left + 12}" y="{top + 18}" class="room">{escape(room.rpartition(".")[2])}</text>'
        yield f'<text x="{left + 12}" y="{top + 35}" class="meaning">{escape(meaning(room))}</text>'
    edges = sorted(imports(ranks).edges, key=lambda edge: (tops[edge[0]], tops[edge[1]]))
    for above, below in edges:
        yield arc(left + width, tops[above], tops[below], rooms.index(above))


def arc(x: int, above: int, below: int, number: int) -> str:
    """Return an arrow from the right side of one box down to another's."""
    start, end = above + BOX[1] // 2 + 6, below + BOX[1] // 2 - 6
    out = x + 16 + min(ARCS - 30, (end - start) // 3)
    colour = COLOURS[number % len(COLOURS)]
    return (
        f'<path d="M{x},{start} C{out},{start} {out},{end} {x + 6},{end}" stroke="{colour}"/>'
        f'<path d="M{x + 1},{end} l8,-4 v8 z" style="fill:{colour};stroke:none"/>'
    )


def drawing() -> str:
    """Return the drawing as SVG."""
    layers = [f"optimus_gym.{name}" for names in reversed(LAYERS) for name in names]
    rooms = [f"{WORLD}.{name}" for names in reversed(ROOMS) for name in names]
    second = LEFT + BOX[0] + ARCS
    size = (second + BOX[0] + ARCS, TOP + max(len(layers), len(rooms)) * STEP)
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size[0]} {size[1]}">',
        "<style>rect{fill:#f6f8fa;stroke:#8c959f} path{fill:none;stroke-width:1.5}"
        " text{font-family:sans-serif;fill:#1f2328} .title{font-size:20px;font-weight:bold}"
        " .room{font-size:15px;font-weight:bold} .meaning{font-size:12px}</style>",
        f'<rect width="{size[0]}" height="{size[1]}" style="fill:#ffffff;stroke:none"/>',
        *column("The package: a room imports rooms below it", layers, RANK, LEFT),
        *column("The embedded world, worlds/voxel", rooms, ROOM_RANK, second),
        "</svg>",
    ]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    FILE.write_text(drawing(), "utf-8")
    print(f"written: {FILE.relative_to(ROOT)}")
