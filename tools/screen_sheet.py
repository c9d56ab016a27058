"""The gallery's sheet of the game's screens: one picture with the contents that `screens.json` lists."""

import json
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from optimus_gym.core.types import Setup
from optimus_gym.game.blocks import block
from optimus_gym.game.items import item
from optimus_gym.game.screens import game_screen
from optimus_gym.worlds.voxel.clicking.opening import open_block, open_inventory
from optimus_gym.worlds.voxel.clicking.places import put_stack_at
from optimus_gym.worlds.voxel.land.cells import set_block
from optimus_gym.worlds.voxel.state.screen_row import LAID_CURSOR, LEFT_BUTTON
from optimus_gym.worlds.voxel.world import VoxelWorld

FILE = Path(__file__).resolve().with_name("screens.json")
PART = (slice(80, 280), slice(160, 480))
"""Rows and columns of a picture of 640x360 that the sheet shows."""
SMALL = 128
ACROSS = 3
INVENTORY = {
    "oak_log": 13,
    "iron_pickaxe": 1,
    "cobblestone": 64,
    "torch": 27,
    "bread": 3,
    "diamond": 12,
}
"""Items of the player in every picture."""


def screens_sheet() -> NDArray[np.uint8]:
    """Return all screens on one sheet, each with the small picture that an agent sees: uint8[h, w, 3]."""
    world = VoxelWorld(1, view_distance=96)
    tiles = []
    for row in json.loads(FILE.read_text(encoding="utf-8")):
        world.reset(0, Setup(seed=2, biome="plains", time=6000, inventory=INVENTORY, screens=True))
        show(world, row)
        large, small = (
            np.zeros((1, 360, 640, 3), np.uint8),
            np.zeros((1, SMALL, SMALL, 3), np.uint8),
        )
        world.frames([0], large)
        world.frames([0], small)
        part = large[0][PART]
        side = np.zeros((len(part), SMALL, 3), np.uint8)
        side[:SMALL] = small[0]
        tiles.append(np.concatenate([part, side], axis=1))
    lines = [tiles[k : k + ACROSS] for k in range(0, len(tiles), ACROSS)]
    return np.concatenate([np.concatenate(line, axis=1) for line in lines])


def show(world: VoxelWorld, row: dict[str, Any]) -> None:
    """Open a screen with the contents of a row of `screens.json`."""
    worlds, player, name = world.worlds, world.worlds.players[0], row["name"]
    if name == "inventory":
        open_inventory(worlds, 0)
    else:
        x, y, z = (int(player[axis] // 1) for axis in "xyz")
        set_block(worlds, 0, x, y + 1, z + 3, block(name).id)
        open_block(worlds, 0, x, y + 1, z + 3)
    for place, item_name, count, *damage in row["puts"]:
        put_stack_at(worlds, 0, place, item(item_name).id, count, *damage or [0])
    for number, value in row.get("oven", {}).items():
        worlds.furnaces[number][0, 0] = value
    if "held" in row:
        worlds.laid[0, LAID_CURSOR] = (item(row["held"][0]).id, row["held"][1], 0)
    screen = worlds.screens[:1]
    middle = game_screen(name).slot(row["place"]).middle if "place" in row else row["cursor"]
    screen["cursor_x"], screen["cursor_y"] = middle
    if "drags" in row:
        screen["drags"] = LEFT_BUTTON
        screen["dragged"][0, row["drags"]] = 1
    screen["recipe"] = row.get("recipe", -1)
