"""Grass and leaves in the green of their biome, and grass blocks white under snow.

A tint multiplies a texture by the ratio of two greens: the tint's green and the green that the texture was
painted for (`data/palette.json` of `art`, tables "greens" and "painted").
"""

import numpy as np
from numpy.typing import NDArray

from optimus_gym.game.blocks import block
from optimus_gym.worlds.voxel.art.blocks import face_index, face_table
from optimus_gym.worlds.voxel.art.palette import colour, greens, painted_for
from optimus_gym.worlds.voxel.terrain.tints import FOLIAGES, GRASSES, SNOWY, tint_of

_UP = 3
_SIDES = (0, 1, 4, 5)


def tint_faces(faces: NDArray[np.uint16], textures: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Give grass and leaves a tinted texture for each block state; return the given and the new textures.

    faces (uint16[64, 1024, 8], number of a texture by state, block and face): changed in place.
    textures: uint8[F, 16, 16, 4].
    """
    added: list[NDArray[np.uint8]] = []
    for kind, names in (("grass", GRASSES), ("foliage", FOLIAGES)):
        for name in names:
            here = faces[:, block(name).id, :6]
            numbers: dict[tuple[int, str], int] = {}
            for state in range(len(here)):
                tint = tint_of(block(name).id, state)
                if tint == painted_for(name):
                    continue
                for face in range(6):
                    key = int(here[state, face]), tint
                    if key not in numbers:
                        numbers[key] = len(textures) + len(added)
                        added.append(_tinted(textures[key[0]], name, kind, tint))
                    here[state, face] = numbers[key]
    _whiten(faces)
    return np.concatenate([textures, np.stack(added)])


def _tinted(texture: NDArray[np.uint8], name: str, kind: str, tint: str) -> NDArray[np.uint8]:
    """Return a block's texture (uint8[16, 16, 4]) in another green; keep the earth of a grass block."""
    table = greens()[kind]
    ratio = colour(table[tint]) / colour(table[painted_for(name)])
    changed = texture.copy()
    changed[..., :3] = np.floor(np.minimum(texture[..., :3] * ratio + np.float32(0.5), 255))
    if name == "grass_block":
        earth = (texture[..., 1] <= texture[..., 0])[..., None]
        changed = np.where(earth, texture, changed)
    return changed


def _whiten(faces: NDArray[np.uint16]) -> None:
    """Give grass blocks under snow snowy sides and a white upper face."""
    here = faces[:, block("grass_block").id]
    for state in range(len(here)):
        if state & SNOWY:
            here[state, list(_SIDES)] = face_index("grass_block", "snowy")
            here[state, _UP] = face_table()[block("snow").id, _UP]
