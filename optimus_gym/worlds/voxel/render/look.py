"""The shapes and textures of blocks and the icons of items, packed into arrays for the kernels."""

import json
from fnmatch import fnmatchcase
from functools import cache
from importlib.resources import files
from typing import Any

import numpy as np
from numpy.typing import NDArray

from optimus_gym.game.blocks import block_names
from optimus_gym.game.smelting import OVENS
from optimus_gym.worlds.voxel.art.blocks import block_faces, face_index, face_table
from optimus_gym.worlds.voxel.art.items import item_icons
from optimus_gym.worlds.voxel.compiling.sealed import kept
from optimus_gym.worlds.voxel.render.greens import tint_faces
from optimus_gym.worlds.voxel.render.poses import SIDES_BY_FACING, facing_of, pose_faces
from optimus_gym.worlds.voxel.state.worlds import BLOCK_BITS
from optimus_gym.worlds.voxel.tables.attachments import hung_box
from optimus_gym.worlds.voxel.tables.panels import Corners, drawn_box, turned_box
from optimus_gym.worlds.voxel.tables.properties import ITEMS, PANELS

VOXELS = 1 << 16
NO_SHAPE = 0
"""Shape of a block that is not drawn, such as air."""
CUBE = 1
"""Shape of a whole opaque cube."""
HOLED = 2
"""Shape of a cube whose texels may be holes."""
GLAZED = 3
"""Shape of a translucent cube."""
CROSS = 4
"""Shape of two crossed planes."""
WATER_SHAPE = 5
"""Shape of water."""
LAVA_SHAPE = 6
"""Shape of lava."""
BOXES = 7
"""Lowest number of a shape that is one box; all shapes with higher numbers are one box, too."""
_SHAPES = {
    "air": NO_SHAPE,
    "holed": HOLED,
    "glazed": GLAZED,
    "cross": CROSS,
    "water": WATER_SHAPE,
    "lava": LAVA_SHAPE,
}
_STAGES = 10
"""Number of stages of a block's cracks; Minecraft Wiki, "Breaking"."""

_INSIDE = 0.5
"""Brightness of the holes between a far tree's leaves, as a share of the leaves' mean brightness."""

MOST_TEXTURES = 1536
"""Number of textures of faces for which LOOK has room."""
LOOK = np.dtype(
    [
        ("shapes", "u1", (VOXELS,)),  # by voxel value: the shape
        ("faces", "u4", (VOXELS * 8,)),  # by voxel value * 8 + face: texture << 8 | shape
        (
            "texels",
            "i4",
            (MOST_TEXTURES * 256,),
        ),  # texture * 256 + row * 16 + column: RGBA, red lowest
        ("boxes", "f4", (256 * 6,)),  # by shape * 6: lower and upper corner, [0, 1]
        (
            "corners",
            "i4",
            (256,),
        ),  # by shape: the six numbers in sixteenths, five bits each, the first lowest
        ("icons", "i4", (ITEMS * 256,)),  # by item id * 256 + row * 16 + column: RGBA
        ("cracks", "u1", (_STAGES * 256,)),  # 1 where a stage's cracks darken a texel
    ]
)
"""Record of the renderer's tables; kernels get an array LOOK[1]. Numba counts no references to arrays in a
record, so kernels read the tables without that cost."""

Look = NDArray[Any]


@cache
def shape_rows() -> tuple[dict[str, Any], ...]:
    """Return the rows of the table in `data/shapes.json`; each row gives the shape of some blocks."""
    text = files("optimus_gym.worlds.voxel.render.data").joinpath("shapes.json").read_text("utf-8")
    return tuple(json.loads(text)["rows"])


def shape_row(name: str) -> dict[str, Any] | None:
    """Return the row of `data/shapes.json` that fits a block's name; None for a whole opaque cube."""
    for row in shape_rows():
        if any(fnmatchcase(name, pattern) for pattern in row["names"]) and not any(
            fnmatchcase(name, pattern) for pattern in row.get("except", ())
        ):
            return row
    return None


def _packed(pictures: NDArray[np.uint8]) -> NDArray[np.int32]:
    return np.ascontiguousarray(pictures).reshape(-1, 4).view("<i4").ravel().astype(np.int32)


def _shapes() -> tuple[NDArray[np.uint8], NDArray[np.float32]]:
    boxes = np.zeros((256, 6), np.float32)
    boxes[:, 3:] = 1
    numbers: dict[Corners, int] = {}
    by_state = np.full((VOXELS >> BLOCK_BITS, 1 << BLOCK_BITS), CUBE, np.uint8)
    for block, name in enumerate(block_names()):
        row = shape_row(name)
        if row is None:
            continue
        if row["shape"] not in ("box", "panel"):
            by_state[:, block] = _SHAPES[row["shape"]]
            continue
        corners = [_box_of(row, block, state) for state in range(len(by_state))]
        by_state[:, block] = [numbers.setdefault(box, BOXES + len(numbers)) for box in corners]
    for box, shape in numbers.items():
        boxes[shape] = np.array(box, np.float32) / 16
    return by_state.ravel(), boxes.ravel()


def _box_of(row: dict[str, Any], block: int, state: int) -> Corners:
    """Return the corners (sixteenths) of the box that a row of `shapes.json` gives a block in a state."""
    if row["shape"] == "panel":
        return drawn_box(int(PANELS[block]), state)
    if "boxes" in row:
        return hung_box(tuple(tuple(box) for box in row["boxes"]), state)
    facing = facing_of(state, row["turns"]) if "turns" in row else 0
    return turned_box(tuple(int(n) for n in row["box"]), facing)


def _faces() -> tuple[NDArray[np.uint16], NDArray[np.uint8]]:
    """Return the texture number of each face of each block state, and the textures (uint8[F, 16, 16, 4])."""
    faces = np.zeros((VOXELS >> BLOCK_BITS, 1 << BLOCK_BITS, 8), np.uint16)
    table = face_table()
    faces[:, : len(table), :6] = table
    for oven in OVENS:
        _turn_oven(faces, block_names().index(oven.name), face_index(oven.name, "lit"))
    pose_faces(faces)
    textures = tint_faces(faces, block_faces())
    return faces.ravel(), _with_insides(faces, textures)


def _with_insides(faces: NDArray[np.uint16], textures: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return the textures; holes of leaves get the colour of the leaves' dark inside and keep alpha 0."""
    filled = textures.copy()
    leaves = [k for k, name in enumerate(block_names()) if name.endswith("_leaves")]
    for texture in np.unique(faces[:, leaves, :6]):
        holes = textures[texture, ..., 3] == 0
        inside = textures[texture][~holes][:, :3].mean(axis=0) * _INSIDE
        filled[texture, holes, :3] = np.maximum(inside, 1)
    return filled


def _turn_oven(faces: NDArray[np.uint16], block: int, lit: int) -> None:
    """Set the textures of a furnace or another oven by state: bit 0 lit, bits 1 and 2 the mouth's side."""
    around = faces[0, block, [0, 1, 4, 5]]
    side = int(np.bincount(around).argmax())
    mouth = next((int(texture) for texture in around if texture != side), side)
    for state in range(len(faces)):
        faces[state, block, [0, 1, 4, 5]] = side
        faces[state, block, SIDES_BY_FACING[state >> 1 & 3]] = lit if state & 1 else mouth


def _cracks() -> NDArray[np.uint8]:
    """Draw the ten stages of a block's cracks: jagged lines that grow from the middle outward."""
    cracks = np.zeros((_STAGES, 16, 16), np.uint8)
    for arm in range(6):
        row, column = 7, 8
        for step in range(10):
            cracks[min(step + (arm > 2), _STAGES - 1) :, row % 16, column % 16] = 1
            turn = (arm * 7 + step * step * 5 + step * arm * 3) % 5
            row += (1, -1, 0, 0, 1, -1)[arm] + (turn == 1) * (arm in (2, 3)) - (turn == 3)
            column += (0, 0, 1, -1, 1, -1)[arm] + (turn == 2) * (arm in (0, 1)) - (turn == 4)
    return cracks.ravel()


@cache
def block_look() -> Look:
    """Return the renderer's tables (LOOK[1]), made at first use, then loaded from the disk."""
    return kept(__file__, _draw_look)


def _draw_look() -> Look:
    tables = np.zeros(1, LOOK)
    look = tables[0]
    look["shapes"], look["boxes"] = _shapes()
    sixteenths = (look["boxes"].reshape(256, 6) * 16).astype(np.int32)
    look["corners"] = (sixteenths << 5 * np.arange(6, dtype=np.int32)).sum(axis=1)
    faces, textures = _faces()
    look["faces"] = faces.astype(np.uint32) << 8 | look["shapes"].repeat(8)
    texels = _packed(textures)
    assert texels.size <= MOST_TEXTURES * 256
    look["texels"][: texels.size] = texels
    look["icons"] = _packed(item_icons())
    look["cracks"] = _cracks()
    return tables
