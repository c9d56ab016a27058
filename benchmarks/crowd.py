"""Place creatures around a player, some of them in the player's view, to measure the creatures' cost."""

from typing import Any

SEEN_WITHIN = 20
"""Largest distance in blocks of creatures in view."""
AROUND = 40
"""Largest distance in blocks of the other creatures."""
HALF_VIEW = 0.4
"""Half of the angle, in radians, of the sector ahead of the player that holds the creatures in view."""
MONSTERS = 8
"""Number of monsters among all creatures: the game's density, 70 in 201 chunks."""
STOREYS = 12
"""Largest distance in cells, up or down, between the player's feet and a creature's place to stand."""


def gather(worlds: Any, count: int, in_view: int) -> None:
    """Replace all creatures by `count` new creatures, `in_view` of them ahead of the player.

    Eight creatures are monsters, the others animals. If a column has no place to stand near the player's
    height, the creature stands on the ground of the column.
    """
    import numpy as np

    from optimus_gym.game.creatures import creature_kinds
    from optimus_gym.worlds.voxel.creatures.population import add_creature

    player, rng = worlds.players[0], np.random.default_rng(count)
    worlds.fauna["creatures"] = 0
    kinds = [kind.kind for kind in creature_kinds().values()]
    animals, monsters = (
        [k for k, kind in enumerate(kinds) if kind == wanted] for wanted in ("animal", "monster")
    )
    for number in range(count):
        chosen = monsters if number < MONSTERS else animals
        far, turn = AROUND * np.sqrt(rng.random()), 2 * np.pi * rng.random()
        if number < in_view:
            far = 3 + (SEEN_WITHIN - 3) * rng.random()
            turn = np.radians(player["yaw"] + 90.0) + HALF_VIEW * (2 * rng.random() - 1)
        x, z = player["x"] + far * np.cos(turn), player["z"] + far * np.sin(turn)
        y = _standing(worlds, int(np.floor(x)), int(player["y"]), int(np.floor(z)))
        add_creature(worlds, 0, chosen[number % len(chosen)], float(x), float(y), float(z))


def _standing(worlds: Any, x: int, y: int, z: int) -> int:
    """Return the height nearest to y where a body can stand in a column; else the ground's height."""
    from optimus_gym.worlds.voxel.creatures.peopling import ground_of
    from optimus_gym.worlds.voxel.land.cells import block_at

    for away in range(STOREYS + 1):
        for height in (y + away, y - away):
            cells = [int(block_at(worlds, 0, x, height + up, z)) & 1023 for up in (-1, 0, 1)]
            if height > 0 and cells[0] and not cells[1] and not cells[2]:
                return height
    return int(ground_of(worlds, 0, x, z))
