"""The looks of creatures: boxes that hang on joints, and the textures of the boxes' sides.

`data/creatures.json` has the boxes of each kind of creature. The texture of a side is one layer of a
block's texture (`art.blocks.paint`), with the layers "patches" and "bars" over it. A creature's face
is a small drawing over the front side of a box.
"""

import json
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from optimus_gym.core.errors import BadValue, UnknownName
from optimus_gym.game.creatures import creature_kinds, sheep_colours
from optimus_gym.worlds.voxel.art.blocks import FACES, paint
from optimus_gym.worlds.voxel.art.grain import TEXELS, cloud
from optimus_gym.worlds.voxel.art.palette import colour, dyes
from optimus_gym.worlds.voxel.art.patterns import FULL_ALPHA, TEXEL_ROW, Canvas

_SIDES = ("west", "east", "down", "up", "back", "front")
"""Sides of a box of a creature that looks south, in the order of a block's faces."""
FRONT = _SIDES.index("front")
_DRAWN = 8
"""Letters along an edge of the drawing of a creature's face; each letter paints 2 x 2 texels of a side."""

PART = np.dtype(
    [
        ("pivot", "f4", (3,)),  # place of the joint, blocks from the feet; x to the left, z ahead
        ("low", "f4", (3,)),  # lower corner of the box, from the joint
        ("high", "f4", (3,)),
        ("pitch", "f4"),  # turn of the box at rest, degrees, in the order roll, pitch, yaw
        ("yaw", "f4"),
        ("roll", "f4"),
        ("swing", "f4"),  # largest swing, at a run, degrees
        ("phase", "f4"),  # lag of the phase of the swing, degrees
        ("turns", "u1"),  # 1 if the box swings about its yaw, not its pitch
        ("wool", "u1"),  # 1 if the box is a sheep's wool: in its colour, absent if shorn
        ("faces", "u2", (6,)),  # number of the texture of each side
    ]
)


class Models(NamedTuple):
    """The looks of all kinds of creatures."""

    starts: NDArray[np.int64]
    """int64[kinds + 1]: index in `parts` of each kind's first box; the kind's boxes end before the next
    index."""
    parts: NDArray[Any]
    """PART[n]: the boxes of all kinds, then an arrow, then a flame of a block's size."""
    textures: NDArray[np.uint8]
    """uint8[T, 16, 16, 4]: the textures of the boxes' sides."""
    wools: NDArray[np.uint8]
    """uint8[colours, 3]: red, green and blue of the wool of each colour of sheep."""


@cache
def _tables() -> dict[str, Any]:
    text = files("optimus_gym.worlds.voxel.art.data").joinpath("creatures.json").read_text("utf-8")
    tables: dict[str, Any] = json.loads(text)
    return tables


def _patches(canvas: Canvas, words: list[str], key: str) -> None:
    """Paint soft patches over a side; `words` are the patches' colour and their share of the side, 0..1."""
    chosen = cloud(key, 4, 4) < np.quantile(cloud(key, 4, 4), float(words[1]))
    canvas[chosen, :3] = colour(words[0])


def _bars(canvas: Canvas, words: list[str], key: str) -> None:
    """Paint horizontal bars over a side; `words` are the bars' colour and the rows of a bar and of a gap."""
    every = int(words[1])
    canvas[TEXEL_ROW % (2 * every) < every, :3] = colour(words[0])


_LAYERS = {"patches": _patches, "bars": _bars}


def paint_side(text: str, face: str | None = None) -> Canvas:
    """Paint a side of a creature's box: one layer of `paint`, then layers "patches" and "bars", then a face.

    Returns:
        float32[16, 16, 4], red, green, blue, alpha, 0..255; row 0 is the upper edge.

    Raises:
        UnknownName: the layer or the face does not exist.
    """
    first, *layers = text.split(" + ")
    canvas = paint(first).copy()
    for layer in layers:
        word, *words = layer.split()
        if word not in _LAYERS:
            raise UnknownName("word for a layer of a creature's skin", word, _LAYERS)
        _LAYERS[word](canvas, words, text)
    if face is not None:
        _draw_face(canvas, face)
    return canvas


def _draw_face(canvas: Canvas, name: str) -> None:
    faces = _tables()["faces"]
    if name not in faces:
        raise UnknownName("drawing of a creature's face", name, faces)
    rows, inks = faces[name]["rows"], faces[name]["inks"]
    if len(rows) != _DRAWN or any(len(row) != _DRAWN for row in rows):
        raise BadValue(f"expected {_DRAWN} rows of {_DRAWN} letters (face of a creature {name!r})")
    scale = TEXELS // _DRAWN
    for row, letters in enumerate(rows):
        for column, letter in enumerate(letters):
            if letter != ".":
                spot = canvas[
                    row * scale : (row + 1) * scale, column * scale : (column + 1) * scale
                ]
                spot[..., :3], spot[..., 3] = colour(inks[letter]), FULL_ALPHA


@cache
def models() -> Models:
    """Return the looks of all kinds of creatures, in the order of `creature_kinds`; read-only.

    Raises:
        UnknownName: a kind has no model, or a side names an unknown layer or face.
    """
    tables = _tables()
    numbers: dict[tuple[str, str | None], int] = {}
    starts, parts = [0], []
    for kind in creature_kinds():
        if kind not in tables["models"]:
            raise UnknownName("model of a creature", kind, tables["models"])
        parts += [_part(row, numbers) for row in tables["models"][kind]]
        starts.append(len(parts))
    parts.append(_part({"pivot": [0, 0, 0], **tables["arrow"]}, numbers))
    flame = {"pivot": [0, 0, 0], "box": [-8, 0, -8, 8, 16, 8], "all": "@fire"}
    parts.append(_part(flame, numbers))
    textures = np.stack([paint_side(text, face) for text, face in numbers])
    pixels = np.floor(np.clip(textures, 0, 255) + np.float32(0.5)).astype(np.uint8)
    wools = np.array([colour(dyes()[name]) for name in sheep_colours()])
    arrays = (np.array(starts), np.concatenate(parts), pixels, wools.astype(np.uint8))
    for array in arrays:
        array.flags.writeable = False
    return Models(*arrays)


def _part(row: dict[str, Any], numbers: dict[tuple[str, str | None], int]) -> NDArray[Any]:
    """Return one box of a model (PART[1]); add its new textures to `numbers`."""
    part = np.zeros(1, PART)
    box = np.array(row["box"], np.float32) / TEXELS
    part["pivot"] = np.array(row["pivot"], np.float32) / TEXELS
    part["low"], part["high"] = box[:3], box[3:]
    for name in ("pitch", "yaw", "roll", "swing", "phase"):
        part[name] = row.get(name, 0.0)
    part["turns"] = row.get("axis", "pitch") == "yaw"
    part["wool"] = row.get("wool", False)
    for side, name in enumerate(_SIDES):
        face = row.get("face") if side == FRONT else None
        texture = (row.get(name, row["all"]), face)
        part["faces"][0, side] = numbers.setdefault(texture, len(numbers))
    return part


assert len(_SIDES) == len(FACES), "a box has the sides of a block"
