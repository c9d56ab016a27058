"""Staying alive: coming up for air and leaving harmful blocks."""

import numpy as np

from optimus_gym.controllers.keys import press
from optimus_gym.controllers.oracle.digging import dig
from optimus_gym.controllers.oracle.grid import HOT, IS_WATER, PASS, STAND
from optimus_gym.controllers.oracle.miner import Miner
from optimus_gym.controllers.script import Steps
from optimus_gym.core.actions import JUMP

_LITTLE_AIR = 120
MUCH_AIR = 280
LONGEST_DIVE = 200


def survive(miner: Miner) -> Steps:
    """Leave harmful blocks and come up for air; return False if neither was necessary."""
    player = miner.player
    busy = False
    if player["in_lava"] or miner.flags(*_cell(miner)) & HOT:
        yield from _flee(miner)
        busy = True
    if is_choking(miner):
        yield from breathe(miner)
        busy = True
    return busy


def is_choking(miner: Miner) -> bool:
    """Return whether the player must come up for air."""
    return bool(miner.player["head_in_water"]) and int(miner.player["air"]) < _LITTLE_AIR


def _cell(miner: Miner) -> tuple[int, int, int]:
    player = miner.player
    return tuple(int(np.floor(player[axis])) for axis in "xyz")  # type: ignore[return-value]


def breathe(miner: Miner) -> Steps:
    """Swim up, digging through blocks overhead, until the lungs are nearly full."""
    for _ in range(LONGEST_DIVE):
        player = miner.player
        if not player["head_in_water"] and player["air"] >= MUCH_AIR:
            return True
        x, y, z = _cell(miner)
        if player["head_in_water"] and not miner.flags(x, y + 2, z) & (PASS | IS_WATER):
            yield from dig(miner, (x, y + 2, z))
        action = miner.fresh()
        action[JUMP] = 1
        yield action
    return False


def _flee(miner: Miner) -> Steps:
    """Step towards the nearest cell that does not hurt."""
    for _ in range(60):
        x, y, z = _cell(miner)
        if not miner.player["in_lava"] and not miner.flags(x, y, z) & HOT:
            return True
        way = _way_out(miner, x, y, z)
        action = miner.fresh()
        if way is not None:
            player = miner.player
            press(
                miner.worlds, miner.row,
                float(way[0] + 0.5 - player["x"]), float(way[1] + 0.5 - player["z"]), action,
            )  # fmt: skip
        action[JUMP] = 1 if miner.player["in_lava"] or way is None or way[2] > y else 0
        yield action
    return False


def _way_out(miner: Miner, x: int, y: int, z: int) -> tuple[int, int, int] | None:
    """Return x, z and y of the nearest harmless cell to stand in, within four blocks."""
    best: tuple[int, int, int] | None = None
    least = 99.0
    for dx in range(-4, 5):
        for dz in range(-4, 5):
            for dy in (0, 1, -1):
                away = abs(dx) + abs(dz) + 1.5 * abs(dy)
                if away >= least or miner.flags(x + dx, y + dy, z + dz) & (HOT | PASS) != PASS:
                    continue
                if miner.flags(x + dx, y + dy - 1, z + dz) & STAND:
                    best, least = (x + dx, z + dz, y + dy), away
    return best
