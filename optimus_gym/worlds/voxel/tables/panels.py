"""Doors, trapdoors and gates: thin boxes that turn with the block's state.

Facings are 0 south, 1 west, 2 north, 3 east. State bits of a door: 0 upper half, 1 open, 2 and 3 facing (in
which the placing player looked), 4 hinge on the right; of a trapdoor: 0 and 1 facing (away from its hinge),
2 open, 3 in the upper half of its cell; of a gate: 0 and 1 facing, 2 open.

Reference: Minecraft Wiki, "Door", "Trapdoor", "Fence Gate" (1.16: block states, behaviour; sixteenths).
"""

Corners = tuple[float, ...]
"""x, y, z of the lower and of the upper corner of a box, in sixteenths of a block."""
# Kinds of panels.
DOOR = 1
TRAPDOOR = 2
GATE = 3
PATTERNS = ((DOOR, "*_door"), (TRAPDOOR, "*_trapdoor"), (GATE, "*_fence_gate"))
"""Kind of panel (door, trapdoor or gate), and the pattern of the names of its blocks."""
DOOR_OPEN = 2
"""State bit that is set for an open door."""
DOOR_FACING = 2
"""Number of the lowest of the two state bits of a door's facing."""
DOOR_RIGHT = 16
"""State bit that is set for a door with its hinge on the right."""
OPEN = 4
"""State bit that is set for an open trapdoor or gate."""
UPPER = 8
"""State bit that is set for a trapdoor in the upper half of its cell."""
_UPRIGHT: Corners = (0, 0, 0, 16, 16, 3)
_LOW: Corners = (0, 0, 0, 16, 3, 16)
_HIGH: Corners = (0, 13, 0, 16, 16, 16)
_BARRED: Corners = (0, 0, 6, 16, 24, 10)
_BARRED_SEEN: Corners = (0, 0, 6, 16, 16, 10)
_GATE: Corners = (0, 5, 7, 16, 15, 9)
_GATE_OPEN: Corners = (0, 5, 7, 2, 15, 15)


def turned_box(box: Corners, facing: int) -> Corners:
    """Return a box that is given for facing south, turned to another facing."""
    for _ in range(facing):
        x0, y0, z0, x1, y1, z1 = box
        box = (16 - z1, y0, x0, 16 - z0, y1, x1)
    return box


def solid_box(kind: int, state: int) -> Corners | None:
    """Return a panel's box that stops bodies; None for an open gate, which stops no body."""
    if kind == GATE:
        return None if state & OPEN else turned_box(_BARRED, state & 3)
    return _leaf(kind, state)


def outline_box(kind: int, state: int) -> Corners:
    """Return a panel's box that stops the crosshair."""
    return turned_box(_BARRED_SEEN, state & 3) if kind == GATE else _leaf(kind, state)


def drawn_box(kind: int, state: int) -> Corners:
    """Return a panel's box that pictures show; an open gate shows one of its wings."""
    if kind == GATE:
        return turned_box(_GATE_OPEN if state & OPEN else _GATE, state & 3)
    return _leaf(kind, state)


def _leaf(kind: int, state: int) -> Corners:
    """Return the box of a door or trapdoor in a state."""
    if kind == DOOR:
        facing = state >> DOOR_FACING & 3
        if state & DOOR_OPEN:
            facing += 3 if state & DOOR_RIGHT else 1
        return turned_box(_UPRIGHT, facing & 3)
    if state & OPEN:
        return turned_box(_UPRIGHT, state & 3)
    return _HIGH if state & UPPER else _LOW
