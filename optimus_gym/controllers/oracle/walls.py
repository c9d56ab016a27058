"""Building cover: place blocks between the player and a monster, on one side or all around."""

import numpy as np

from optimus_gym.controllers.body import Cell
from optimus_gym.controllers.oracle.digging import dig
from optimus_gym.controllers.oracle.grid import HOT, IS_WATER, PASS, STAND
from optimus_gym.controllers.oracle.miner import FILLERS, Miner
from optimus_gym.controllers.oracle.steps import settle_at
from optimus_gym.controllers.oracle.travel import pillar, stand_on
from optimus_gym.controllers.pose import READY, look_at
from optimus_gym.controllers.rays import EYE_HEIGHT, HIT, aim_point
from optimus_gym.controllers.script import Steps
from optimus_gym.controllers.threats import threats

_SIDES = ((1, 0), (-1, 0), (0, 1), (0, -1))
_FACES = ((1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0), (0, 0, 1), (0, 0, -1))
"""Offsets to a cell's neighbours; neighbour k touches the cell with its face k (see `rays.aim_point`)."""
_PATIENCE = 30
_MOST_TRIES = 8
"""Maximum number of ticks of attempts to place one block."""
_CLEAR_OF_BODY = 0.8
"""Level distance (blocks) between a cell's middle and a body's from which a block fits into the cell."""
_TALL = 1.9
"""Height of a body in blocks, with a margin."""
MOST_SCREENS = 3
"""Maximum number of blocks that the player places between itself and a monster before it looks again."""
_AHEAD = 0.4
"""Cosine of the greatest angle from a direction at which a cell counts as lying in that direction."""
UPON = 2.5
"""Distance (blocks) of a monster within which the player has no time to build."""
TOWER = 3
"""Height in blocks at which no zombie reaches the player, while a sword reaches zombies at the foot
(Minecraft Wiki, "Zombie": zombies strike within 1.4 blocks; "Player": players within 3 of the eye)."""
HOLE_DEPTH = 3
"""Depth of a hole in blocks: the ground closes the hole on all sides but above."""


def spare_block(miner: Miner) -> str | None:
    """Return a held block to build with, if possible one not kept for crafting; None if no block is held."""
    name = miner.filler()
    if name is not None:
        return name
    held = miner.counts()
    return next((name for name in FILLERS if name in held), None)


def is_open(miner: Miner, cell: Cell) -> bool:
    """Return whether a cell is passable or water, so that a body or an arrow could enter it."""
    return bool(miner.flags(*cell) & (PASS | IS_WATER))


def close(miner: Miner, cell: Cell) -> Steps:
    """Place a block in a cell next to the body while the body stays in place; return False if that fails."""
    waited = 0
    (own_x, _, own_z), _ = miner.feet()
    for _ in range(_PATIENCE):
        if not is_open(miner, cell):
            return True
        name, spot = spare_block(miner), _face_into(miner, cell)
        if name is None or spot is None or waited > _MOST_TRIES or _is_taken(miner, cell):
            return False
        block, face = spot
        yield from miner.ready(name)
        action = miner.fresh()
        state = look_at(miner.worlds, miner.row, block, face, miner.point, miner.found, action)
        if state == READY:
            miner.put(action, name)
            waited += 1
        settle_at(miner.worlds, miner.row, own_x, own_z, action)
        yield action
    return not is_open(miner, cell)


def _is_taken(miner: Miner, cell: Cell) -> bool:
    """Return whether a threatening monster stands in a cell, so that no block fits."""
    player, (x, y, z) = miner.player, cell
    return any(
        abs(player["x"] + foe.dx - x - 0.5) < _CLEAR_OF_BODY
        and abs(player["z"] + foe.dz - z - 0.5) < _CLEAR_OF_BODY
        and -_TALL < player["y"] + foe.dy - y < 1.0
        for foe in threats(miner)
    )


def _face_into(miner: Miner, cell: Cell) -> tuple[Cell, int] | None:
    """Return a block next to a cell and its visible face towards the cell, None if there is none."""
    player = miner.player
    eye = (float(player["x"]), float(player["y"]) + EYE_HEIGHT, float(player["z"]))
    for face, (dx, dy, dz) in enumerate(_FACES):
        beside = (cell[0] + dx, cell[1] + dy, cell[2] + dz)
        if not miner.flags(*beside) & STAND:
            continue
        seen = aim_point(miner.worlds, miner.row, eye, beside, face, miner.point, miner.found)
        if seen == HIT:
            return beside, face
    return None


def screen_off(miner: Miner, towards: tuple[float, float, float]) -> Steps:
    """Place blocks into the open cells around the body towards a monster, nearest to that direction first.

    Args:
        miner: the player's body, which stands on ground.
        towards: the vector (in blocks) from the feet to the monster to hide from.

    Returns:
        Whether a cell was closed.
    """
    for _ in range(_PATIENCE):
        if miner.feet()[1]:
            break
        yield miner.fresh()
    closed = False
    for _ in range(MOST_SCREENS):
        ways = openings_towards(miner, towards)
        if not ways:
            break
        x, y, z = ways[0]
        if _face_into(miner, (x, y, z)) is None and is_open(miner, (x, y - 1, z)):
            yield from close(miner, (x, y - 1, z))
        done = yield from close(miner, (x, y, z))
        if not done:
            break
        closed = True
        if not threats(miner):
            break
    return closed


def openings(miner: Miner) -> list[Cell]:
    """Return the open cells around the body: next to feet and head, and above."""
    (x, y, z), _ = miner.feet()
    around = [(x + dx, y + up, z + dz) for up in (0, 1) for dx, dz in _SIDES]
    return [cell for cell in (*around, (x, y + 2, z)) if is_open(miner, cell)]


def openings_towards(miner: Miner, towards: tuple[float, float, float]) -> list[Cell]:
    """Return the open cells around the body that lie towards a vector, nearest to that direction first."""
    player = miner.player
    middle = np.array([player["x"], player["y"] + 0.9, player["z"]], float)
    length = max(float(np.linalg.norm(towards)), 1e-6)
    ways = []
    for cell in openings(miner):
        way = np.array(cell) + 0.5 - middle
        ways.append((float(way @ towards) / float(np.linalg.norm(way)) / length, cell))
    return [cell for cosine, cell in sorted(ways, reverse=True) if cosine > _AHEAD]


def shut_in(miner: Miner) -> Steps:
    """Close every side of the body, in a hole if blocks are few; return False if a side stays open."""
    feet, carried = miner.feet()
    if not carried or bool(miner.player["in_water"]):
        return False
    yield from stand_on(miner, feet)
    spare = sum(miner.counts().get(name, 0) for name in FILLERS)
    if len(openings(miner)) > min(spare, HOLE_DEPTH):
        yield from dig_in(miner, bold=False)
    for cell in openings(miner):
        if any(foe.far < UPON for foe in threats(miner)):
            return False
        yield from close(miner, cell)
    return not openings(miner)


def climb_tower(miner: Miner) -> Steps:
    """Place `TOWER` blocks beneath the player, out of melee monsters' reach; return False if that fails."""
    (x, y, z), carried = miner.feet()
    room = all(is_open(miner, (x, y + up, z)) for up in range(2, TOWER + 2))
    if not carried or not room or miner.fillers() < TOWER:
        return False
    for level in range(TOWER):
        if not (yield from pillar(miner, (x, y + level, z))):
            return False
    return True


def is_on_tower(miner: Miner) -> bool:
    """Return whether the ground around the feet is so low that no melee monster reaches up."""
    (x, y, z), carried = miner.feet()
    beside = ((x + dx, y - down, z + dz) for dx, dz in _SIDES for down in range(1, TOWER))
    return carried and all(is_open(miner, cell) for cell in beside)


def dig_in(miner: Miner, bold: bool) -> Steps:
    """Dig straight down into solid ground; stop when a monster sees the player, unless `bold`."""
    for _ in range(HOLE_DEPTH):
        (x, y, z), _ = miner.feet()
        if not bold and threats(miner):
            return False
        floor, below = miner.flags(x, y - 1, z), miner.flags(x, y - 2, z)
        if (floor | below) & HOT or not below & STAND:
            return False
        yield from stand_on(miner, (x, y, z))
        done = yield from dig(miner, (x, y - 1, z))
        if not done:
            return False
        for _ in range(_PATIENCE):
            if miner.player["on_ground"] and miner.player["y"] < y - 0.5:
                break
            yield miner.fresh()
    return True
