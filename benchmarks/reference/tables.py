"""The ways to get items, read from the game's tables alone, for the second interpreter of plans.

The tables are `minecraft_data` and the JSON files of the game's data. The module imports no module of the
package. Netherite and fireworks are left out.
"""

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from fnmatch import filter as glob
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import minecraft_data

DATA = Path(__file__).resolve().parents[2] / "optimus_gym" / "game" / "data"
TABLE, FURNACE = "crafting_table", "furnace"
GAME = minecraft_data("1.16.5")
ITEMS = {int(one["id"]): str(one["name"]) for one in GAME.items_list}
BLOCKS = [str(one["name"]) for one in GAME.blocks_list]


class Way(NamedTuple):
    """A way to get an item: ingredients, the tool's kind and least tier, the station, things to hold."""

    verb: str
    product: str
    yields: float
    needs: tuple[tuple[tuple[str, ...], int], ...] = ()
    tool: tuple[str, int] | None = None
    station: str | None = None
    holds: tuple[str, ...] = ()


@cache
def rows(name: str) -> Any:
    """Return the rows of a data file."""
    return json.loads((DATA / f"{name}.json").read_text("utf-8"))


@cache
def select(patterns: tuple[str, ...], blocks: bool = False) -> tuple[str, ...]:
    """Return the items (or blocks) that match names, globs and tags."""
    tags = {f"#{row['tag']}": tuple(row["items"]) for row in rows("tags")}
    known = BLOCKS if blocks else list(ITEMS.values())
    found = (select(tags[one], blocks) if one in tags else glob(known, one) for one in patterns)
    return tuple(dict.fromkeys(name for names in found for name in names))


def by_block(name: str, value: Any) -> dict[str, Any]:
    """Return a value of each block's last row in a data file."""
    return {b: value(row) for row in rows(name) for b in select((*row["blocks"],), True)}


TOOLS = {row["item"]: row for row in rows("tools")}
HARVEST = by_block("harvest", lambda row: (row["tool"], row["tier"]) if row["tier"] else None)
FUELS = {name: row["ticks"] for row in rows("fuels") for name in select((*row["items"],))}
BURNT = [name for name in select((*rows("fuel_preference")[0]["items"],)) if FUELS.get(name)]


def crafted() -> Iterator[Way]:
    """Yield the recipes of the grid, with the kinds that may be mixed, and of the stonecutter."""
    mixes = [(select((*row["choices"],)), row["products"]) for row in rows("recipe_choices")]
    for number, entries in GAME.recipes.items():
        product, grids = ITEMS[int(number)], []
        for entry in entries:
            shape = entry.get("inShape") or [entry["ingredients"]]
            cells = Counter(ITEMS[cell] for line in shape for cell in line if cell)
            size = max(len(shape), *map(len, shape)) if "inShape" in entry else cells.total() / 2
            grids.append((cells, entry["result"]["count"], TABLE if size > 2 else None))
        known = [cells for cells, _, _ in grids]
        own = [kinds for kinds, products in mixes if {product, "*"} & {*products}]
        for cells, count, station in grids:
            needs = [((name,), pieces) for name, pieces in cells.items()]
            for place, ((name,), pieces) in enumerate(needs):
                rest = Counter({one: n for one, n in cells.items() if one != name})
                fits = [
                    k
                    for k in own
                    if name in k and all(rest + Counter({o: pieces}) in known for o in k)
                ]
                needs[place] = (max(fits, key=len, default=(name,)), pieces)
            yield Way("craft", product, count, tuple(needs), None, station)
    for row in rows("ways/stonecutting"):
        for name in row["products"]:
            pieces = 2 if name.endswith("_slab") else 1
            yield Way("craft", name, pieces, (((row["item"],), 1),), None, "stonecutter")


def gathered() -> Iterator[Way]:
    """Yield the ways to mine, to kill, to work by hand and to smelt."""
    loot = by_block("loot", lambda row: row["drops"])
    for block in (name for row in rows("sources/finds") for name in row["blocks"]):
        for drop in loot.get(block, [{"item": block, "low": 1, "high": 1, "chance": 1}]):
            tool = (drop["tool"], 0) if drop.get("tool") else HARVEST.get(block)
            if drop["high"] and drop.get("grown") is None:
                yield Way("mine", drop["item"], mean(drop), (), tool)
    for row in rows("ways/creatures"):
        yield from (Way("kill", drop["item"], mean(drop)) for drop in row["loot"])
    for row in rows("ways/handwork"):
        needs = tuple((select((*one["items"],)), one["count"]) for one in row["needs"])
        tool = TOOLS[row["tool"]] if row["tool"] else None
        able = (tool["kind"], tool["tier"]) if tool else None
        yield Way(row["verb"], row["product"], row["yields"], needs, able, None, (*row["holds"],))
    for row in rows("smelting"):
        needs = ((select((*row["choices"],)), 1),)
        for oven in filter(None, (row["faster"], FURNACE)):
            yield Way("smelt", row["product"], 1, needs, None, oven)


def mean(drop: Mapping[str, Any]) -> float:
    """Return the mean number of pieces of a drop."""
    return float(drop["chance"] * (drop["low"] + drop["high"]) / 2)


WAYS: dict[tuple[str, str], list[Way]] = {}
for _way in dict.fromkeys((*crafted(), *gathered())):
    WAYS.setdefault((_way.verb, _way.product), []).append(_way)
STATIONS = {way.station for many in WAYS.values() for way in many if way.station}
