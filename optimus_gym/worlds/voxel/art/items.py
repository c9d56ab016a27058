"""The icons of all items: coloured drawings of items, and blocks as small solids."""

import json
from functools import cache
from importlib.resources import files
from typing import Any

import numpy as np
from numpy.typing import NDArray

from optimus_gym.core.errors import UnknownName
from optimus_gym.game.blocks import block_names
from optimus_gym.game.items import items
from optimus_gym.worlds.voxel.art.blocks import FACES, block_faces, face_table, paint
from optimus_gym.worlds.voxel.art.cubes import solid_icon
from optimus_gym.worlds.voxel.art.grain import TEXELS
from optimus_gym.worlds.voxel.art.palette import dyes, woods
from optimus_gym.worlds.voxel.compiling.sealed import kept

_FLAT = "flat"
_MARKS = {"infested_": "#8a929c", "petrified_": "#5a5a5a"}
"""Prefix of items that look like another item in the game -> colour of a dot that this package's icons
add."""


@cache
def _tables() -> dict[str, Any]:
    """Return the tables of `data/items.json`."""
    text = files("optimus_gym.worlds.voxel.art.data").joinpath("items.json").read_text("utf-8")
    tables: dict[str, Any] = json.loads(text)
    return tables


@cache
def _drawn() -> dict[str, str]:
    """Return item name -> text of layers for `paint`, for items that are drawn as flat pictures."""
    tables = _tables()
    table: dict[str, str] = {}
    for material, value in tables["materials"].items():
        for suffix, text in tables["made"].items():
            table[f"{material}_{suffix}"] = text.replace("$m", value)
    for dye, value in dyes().items():
        for suffix, text in tables["dyed"].items():
            table[f"{dye}_{suffix}"] = text.replace("$dye", value)
    for wood, colours in woods().items():
        for suffix, text in tables["wooden"].items():
            table[f"{wood}_{suffix}"] = text.replace("$plank", colours["plank"])
    table.update(tables["items"])
    return table


def _shape(name: str) -> str:
    """Return the shape of a block's icon: a key of "shapes" in `data/items.json`, or "flat"."""
    shaped: dict[str, str] = _tables()["shaped"]
    if name in shaped:
        return shaped[name]
    endings = [ending for ending in shaped if ending[0] == "_" and name.endswith(ending)]
    return shaped[max(endings, key=len)] if endings else "cube"


def _icon(name: str) -> NDArray[np.uint8]:
    """Draw the icon of one item: uint8[16, 16, 4]."""
    text = _drawn().get(name)
    names = block_names()
    if text is None and name not in names:
        raise UnknownName("item with an icon", name, [*_drawn(), *names])
    if text is not None:
        icon: NDArray[np.uint8] = np.floor(paint(text) + np.float32(0.5)).astype(np.uint8)
        return icon
    faces = face_table()[names.index(name)]
    shape = _shape(name)
    if shape == _FLAT:
        return np.array(block_faces()[faces[FACES.index("north")]])
    icon = solid_icon(block_faces(), faces, _tables()["shapes"][shape])
    for prefix, dot in _MARKS.items():
        if name.startswith(prefix):
            icon[13:15, 12:15] = [*bytes.fromhex(dot[1:]), 255]
    return icon


def solid_of(name: str) -> tuple[list[list[int]], NDArray[np.uint8]] | None:
    """Return the boxes and six faces of an item that is a small solid; None for a flat picture.

    Returns:
        boxes ([x0, y0, z0, x1, y1, z1] each, in texels, 0..16) and uint8[6, 16, 16, 4]: the item's west,
        east, lower, upper, north and south face.
    """
    if name in _drawn() or _shape(name) == _FLAT:
        return None
    faces = face_table()[block_names().index(name)]
    return _tables()["shapes"][_shape(name)], block_faces()[faces[:6]]


@cache
def item_icons() -> NDArray[np.uint8]:
    """Return the icon of every item, read-only; drawn at first use, then loaded from the disk.

    Returns:
        uint8[976, 16, 16, 4], red, green, blue, alpha; index = item id, 0 = empty.
    """
    return kept(__file__, _draw_icons)


def _draw_icons() -> NDArray[np.uint8]:
    table = items()
    icons = np.zeros((1 + max(item.id for item in table.values()), TEXELS, TEXELS, 4), np.uint8)
    for name, item in table.items():
        icons[item.id] = _icon(name)
    icons[icons[:, :, :, 3] == 0] = 0
    return icons
