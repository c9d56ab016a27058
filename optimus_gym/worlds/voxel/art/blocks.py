"""The textures of all blocks: a table of distinct faces, and the texture of each block's faces."""

from functools import cache

import numpy as np
from numpy.typing import NDArray

from optimus_gym.core.errors import BadValue, UnknownName
from optimus_gym.game.blocks import block_names
from optimus_gym.worlds.voxel.art.grain import TEXELS
from optimus_gym.worlds.voxel.art.greenery import PLANTS
from optimus_gym.worlds.voxel.art.overlays import OVERLAYS
from optimus_gym.worlds.voxel.art.palette import colour, expression, parts
from optimus_gym.worlds.voxel.art.patterns import FILLS, Canvas, Layer
from optimus_gym.worlds.voxel.art.sprites import draw, drawings

FACES = ("west", "east", "down", "up", "north", "south")
"""Order of a block's faces: -x, +x, -y, +y, -z, +z."""
_PART_OF_FACE = ("side", "side", "bottom", "top", "front", "back")
_LAYERS: dict[str, Layer] = {**FILLS, **OVERLAYS, **PLANTS}


def paint(text: str) -> Canvas:
    """Paint the face that an expression of `data/palette.json` describes.

    An expression is layers joined by " + ". A layer is a pattern, overlay, plant or drawing with
    its colours and an amount (strength, share of the face or number of marks); `@name` and `@name:part` stand
    for another block's face.

    Returns:
        float32[16, 16, 4], red, green, blue, alpha, 0..255; row 0 is the upper edge.

    Raises:
        UnknownName: a layer or a block does not exist.
    """
    canvas = np.zeros((TEXELS, TEXELS, 4), dtype=np.float32)
    for index, layer in enumerate(text.split(" + ")):
        word, *arguments = layer.split()
        colours = [colour(argument) for argument in arguments if argument.startswith("#")]
        numbers = [float(argument) for argument in arguments if not argument.startswith("#")]
        amount = numbers[0] if numbers else 0.0
        if word.startswith("@"):
            canvas = _painted(_resolved(word)).copy()
        elif word == "raise":
            canvas = np.roll(canvas, -int(amount), axis=0)
        elif word in _LAYERS:
            _LAYERS[word](canvas, f"{index} {layer}", colours, amount)
        elif word in drawings():
            draw(canvas, word, colours)
        else:
            raise UnknownName("layer of a texture", word, [*_LAYERS, *drawings()])
    return np.clip(canvas, 0, 255)


def _resolved(reference: str) -> str:
    """Return the expression that `@name` or `@name:part` stands for."""
    name, _, part = reference.removeprefix("@").partition(":")
    return expression(name, part or "side")


@cache
def _painted(text: str) -> Canvas:
    """Return `paint(text)`, cached because many faces are painted over another face."""
    return paint(text)


@cache
def _faces() -> tuple[NDArray[np.uint8], NDArray[np.int32], dict[str, int]]:
    """Return the arrays of `block_faces` and `face_table`, and block `name:part` -> index of a texture."""
    index: dict[str, int] = {}
    named: dict[str, int] = {}
    names = block_names()
    table = np.zeros((len(names), len(FACES)), dtype=np.int32)
    for block, name in enumerate(names):
        for face, part in enumerate(_PART_OF_FACE):
            text = _canonical(expression(name, part))
            table[block, face] = index.setdefault(text, len(index))
        for part in parts(name):
            text = _canonical(expression(name, part))
            named[f"{name}:{part}"] = index.setdefault(text, len(index))
    pixels = np.stack([_painted(text) for text in index])
    textures = np.floor(pixels + np.float32(0.5)).astype(np.uint8)
    textures[textures[:, :, :, 3] == 0] = 0
    textures.flags.writeable = False
    table.flags.writeable = False
    return textures, table, named


def _canonical(text: str) -> str:
    """Follow expressions that are only a reference (`@name`), so that equal faces are stored once."""
    while text.startswith("@") and " " not in text:
        text = _resolved(text)
    return text


def block_faces() -> NDArray[np.uint8]:
    """Return the textures of all block faces, each distinct texture once; read-only.

    Returns:
        uint8[F, 16, 16, 4], red, green, blue, alpha (0 = hole, 255 = opaque; water 160). Row 0 is a side's
        upper edge; column 0 is the left edge as seen from outside. On upper and lower faces columns count
        along +x; rows count along +z on upper faces and along -z on lower faces.
    """
    return _faces()[0]


def face_table() -> NDArray[np.int32]:
    """Return the index in `block_faces()` of each block's six faces: int32[763, 6], order `FACES`, read-only.

    A furnace, chest or pumpkin has its front on the north face. All six faces of a plant have the texture of
    the plant's two crossed planes.
    """
    return _faces()[1]


def face_index(name: str, part: str) -> int:
    """Return the index in `block_faces()` of the texture of a block's named part.

    Args:
        name: block name.
        part: for example "lit" (furnace, smoker, blast_furnace), "upper" (doors, tall plants), "snowy"
            (grass_block), "pillow" (beds), or "top", "side", "front" as in `data/palette.json`.

    Raises:
        UnknownName: the block has no such part.
    """
    named = _faces()[2]
    key = f"{name}:{part}"
    if key not in named:
        raise UnknownName("texture of a block", key, named)
    return named[key]


def mean_colour(name: str) -> tuple[int, int, int]:
    """Return the mean colour of the solid texels of a block's upper face: red, green, blue, 0..255.

    Raises:
        BadValue: the block does not exist or its upper face is all holes.
    """
    names = block_names()
    texture = block_faces()[face_table()[names.index(name), 3]] if name in names else None
    if texture is None or not texture[:, :, 3].any():
        raise BadValue(f"expected a block whose upper face is not all holes, got {name!r}")
    mean = texture[texture[:, :, 3] > 0][:, :3].astype(np.int64).mean(axis=0)
    return int(mean[0]), int(mean[1]), int(mean[2])
