"""Places of ores and similar veins in the ground of Minecraft 1.16.5."""

from dataclasses import dataclass
from functools import cache

from optimus_gym.game.blocks import block
from optimus_gym.game.rows import rows


@dataclass(frozen=True, slots=True)
class OreRule:
    """The distribution of one kind of vein over a chunk of 16 x 16 columns.

    Attributes:
        block: block of the vein.
        size: the game's vein size; 1 = a single block.
        count: minimum number of veins that the game tries to place in a chunk.
        low: lowest height of a vein's middle, block.
        high: highest height of a vein's middle, block.
        shape: "uniform" between low and high, or "triangle": likeliest midway.
        biome: the only kind of biome with such veins; None = veins in all biomes.
        replaces: blocks that the vein may replace.
        count_high: maximum number of veins that the game tries to place in a chunk.
    """

    block: str
    size: int
    count: int
    low: int
    high: int
    shape: str
    biome: str | None
    replaces: tuple[str, ...]
    count_high: int


@cache
def ore_rules() -> tuple[OreRule, ...]:
    """Return the rules of all veins in the order in which the game places the veins.

    Source: `data/ores.json`; Minecraft Wiki "Ore" (Java Edition 1.16).
    """
    return tuple(
        OreRule(
            block=block(row["block"]).name,
            size=int(row["size"]),
            count=int(row["count"]),
            low=int(row["low"]),
            high=int(row["high"]),
            shape=str(row["shape"]),
            biome=row["biome"],
            replaces=tuple(block(name).name for name in row["replaces"]),
            count_high=int(row["count_high"]),
        )
        for row in rows("ores")
    )
