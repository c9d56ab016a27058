"""The looks of all blocks' faces, read from `data/palette.json`, with families and shapes spelled out."""

import json
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any

import numpy as np
from numpy.typing import NDArray

from optimus_gym.core.errors import BadValue, UnknownName

BlockLook = str | dict[str, str]
"""The look of a block: one expression for all faces, or part ("all", "side", "top", "front", ...) ->
expression."""

_SHAPES = (
    "_stairs", "_slab", "_wall", "_fence_gate", "_fence", "_pressure_plate", "_button", "_pane",
)  # fmt: skip
_BASES = ("{}", "{}s", "{}_planks", "{}_block")
_FALLBACK = "stone #8a8078 0.1"


@cache
def _tables() -> dict[str, Any]:
    """Return the data file's tables."""
    text = files("optimus_gym.worlds.voxel.art.data").joinpath("palette.json").read_text("utf-8")
    tables: dict[str, Any] = json.loads(text)
    return tables


def dyes() -> Mapping[str, str]:
    """Return the sixteen dye names -> their colour, "#rrggbb"."""
    table: dict[str, str] = _tables()["dyes"]
    return table


def woods() -> Mapping[str, Mapping[str, str]]:
    """Return wood name -> colour of its plank, bark, crack, ring and leaf, "#rrggbb"."""
    table: dict[str, dict[str, str]] = _tables()["woods"]
    return table


def greens() -> Mapping[str, Mapping[str, str]]:
    """Return "grass" and "foliage" -> name of a tint -> its green, "#rrggbb"."""
    table: dict[str, dict[str, str]] = _tables()["greens"]
    return table


def painted_for(name: str) -> str:
    """Return the tint for which a tinted block's texture is painted."""
    tint: str = _tables()["painted"].get(name, "temperate")
    return tint


@cache
def colour(text: str) -> NDArray[np.float32]:
    """Read a colour: "#rrggbb", or "#rrggbb~#rrggbb~30" for 30 % of the second and 70 % of the first.

    Returns:
        float32[3], 0..255, read-only.

    Raises:
        BadValue: the text has neither form.
    """
    try:
        if "~" in text:
            first, second, percent = text.split("~")
            value = colour(first) + (colour(second) - colour(first)) * np.float32(
                int(percent) / 100
            )
        else:
            value = np.frombuffer(bytes.fromhex(text[1:]), np.uint8).astype(np.float32)
            if text[0] != "#" or value.shape != (3,):
                raise ValueError(text)
    except (ValueError, IndexError) as error:
        raise BadValue(f"expected a colour such as '#7d7d7d', got {text!r}") from error
    value.flags.writeable = False
    return value


def _fill_in(look: BlockLook, names: Mapping[str, str], colours: Mapping[str, str]) -> BlockLook:
    """Replace `{name}` and `$colour` in every expression of a look."""
    filled = _parts(look)
    for part, text in filled.items():
        for word, value in names.items():
            text = text.replace("{" + word + "}", value)
        for word, value in colours.items():
            text = text.replace("$" + word, value)
        filled[part] = text
    return filled


@cache
def looks() -> dict[str, BlockLook]:
    """Return block name -> look, for the blocks whose look is not derived from another block's."""
    tables = _tables()
    table: dict[str, BlockLook] = {}
    for dye, value in dyes().items():
        for suffix, look in tables["dyed"].items():
            table[f"{dye}_{suffix}"] = _fill_in(look, {"dye": dye}, {"dye": value})
    for wood, colours in woods().items():
        for suffix, look in tables["wooden"].items():
            kind, stripped = suffix.removeprefix("stripped_"), suffix.startswith("stripped_")
            name = f"stripped_{wood}_{kind}" if stripped else f"{wood}_{kind}"
            table[name] = _fill_in(look, {"wood": wood}, colours)
    table.update(tables["blocks"])
    return table


def _parts(look: BlockLook) -> dict[str, str]:
    """Return a look as a table of parts."""
    return {"all": look} if isinstance(look, str) else dict(look)


def parts(name: str) -> dict[str, str]:
    """Return the expressions of a block's faces, derived from its name if the block has none itself.

    Slabs, stairs, walls and the like look like the block that they are cut from, and infested stone like
    stone. A block on a wall looks like its standing form, and a potted plant like the plant over a pot.
    """
    known, alike = looks(), _tables()["alike"]
    if name in known:
        return _parts(known[name])
    if name in alike:
        return parts(alike[name])
    if name.startswith("infested_"):
        return parts(name.removeprefix("infested_"))
    if name.startswith("potted_"):
        plant = name.removeprefix("potted_")
        plant = f"{plant}_sapling" if plant == "bamboo" else plant
        return {"all": f"@{plant} + raise 5 + flower_pot #84442f #4a3220"}
    if "wall_" in name:
        return parts(name.replace("wall_", ""))
    for shape in _SHAPES:
        if name.endswith(shape):
            for base in _BASES:
                whole = base.format(name.removesuffix(shape))
                if whole in known:
                    return _parts(known[whole])
    return {"all": _FALLBACK}


def expression(name: str, part: str) -> str:
    """Return the expression of one face.

    Args:
        name: a block.
        part: "top", "bottom", "side", "front", "back" or a part of that block alone ("lit").

    Raises:
        UnknownName: the block has no such part and no face to replace it.
    """
    table = parts(name)
    for candidate in (part, "all", "side"):
        if candidate in table:
            return table[candidate]
    raise UnknownName("part of a block", f"{name}:{part}", [f"{name}:{key}" for key in table])
