"""The looks of all blocks, from `data/palette.json`; one entry there can serve all woods or dyes."""

import json
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any

import numpy as np
from numpy.typing import NDArray

from optimus_gym.core.errors import BadValue, UnknownName

BlockLook = str | dict[str, str]
"""The look of a block: one text that says how to paint all faces (for `art.blocks.paint`), or a mapping from
parts of the block ("all", "side", "top", "front", ...) to such texts."""

_SHAPES = (
    "_stairs", "_slab", "_wall", "_fence_gate", "_fence", "_pressure_plate", "_button", "_pane",
)  # fmt: skip
_BASES = ("{}", "{}s", "{}_planks", "{}_block")
_FALLBACK = "stone #8a8078 0.1"


@cache
def _tables() -> dict[str, Any]:
    """Return the tables of `data/palette.json`."""
    text = files("optimus_gym.worlds.voxel.art.data").joinpath("palette.json").read_text("utf-8")
    tables: dict[str, Any] = json.loads(text)
    return tables


def dyes() -> Mapping[str, str]:
    """Return dye name -> colour of the dye, "#rrggbb", for the sixteen dyes."""
    table: dict[str, str] = _tables()["dyes"]
    return table


def woods() -> Mapping[str, Mapping[str, str]]:
    """Return wood name -> "plank", "bark", "crack", "ring" or "leaf" -> colour of this part, "#rrggbb"."""
    table: dict[str, dict[str, str]] = _tables()["woods"]
    return table


def greens() -> Mapping[str, Mapping[str, str]]:
    """Return "grass" or "foliage" -> name of a biome's tint -> green of the tint, "#rrggbb"."""
    table: dict[str, dict[str, str]] = _tables()["greens"]
    return table


def painted_for(name: str) -> str:
    """Return the name of the tint whose green a tinted block's texture is painted in."""
    tint: str = _tables()["painted"].get(name, "temperate")
    return tint


@cache
def colour(text: str) -> NDArray[np.float32]:
    """Read a colour: "#rrggbb", or "#rrggbb~#rrggbb~30" for 30 % of the second colour in the first colour.

    Returns:
        float32[3], 0..255, read-only.

    Raises:
        BadValue: the text is not a colour in either form.
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
    """Replace the placeholders `{word}` of `names` and `$word` of `colours` in all texts of a look."""
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
    """Return {face of the block: how to paint it}, or {"all": how} if all faces look the same."""
    return {"all": look} if isinstance(look, str) else dict(look)


def parts(name: str) -> dict[str, str]:
    """Return a block's look: part ("all", "side", "top", "lit", ...) -> text that says how to paint the part.

    A block without a look of its own gets a similar block's. Slabs, stairs, walls and the like look like the
    block that they are cut from, and infested stone like stone. A wall sign looks like a standing sign, and a
    potted plant like the plant over a pot.
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
    """Return the text that says how to paint one face of a block; missing faces take "all" or "side".

    Args:
        name: block name.
        part: "top", "bottom", "side", "front", "back" or a part that only some blocks have ("lit").

    Raises:
        UnknownName: the block has neither this part nor "all" nor "side".
    """
    table = parts(name)
    for candidate in (part, "all", "side"):
        if candidate in table:
            return table[candidate]
    raise UnknownName("texture of a block", f"{name}:{part}", [f"{name}:{key}" for key in table])
