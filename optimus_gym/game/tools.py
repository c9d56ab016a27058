"""Tools, and the time to break a block with each."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType

from optimus_gym.core.checks import check_name
from optimus_gym.game.blocks import UNBREAKABLE, block, block_names
from optimus_gym.game.rows import rows
from optimus_gym.game.tags import select

TICKS_PER_HARDNESS = 30
TICKS_PER_HARDNESS_WITHOUT_DROP = 100
BARE_HAND_SPEED = 1.0
HINDRANCE = 5.0
CUTTERS = ("shears", "sword")
ROUNDING = 1e-9


@dataclass(frozen=True, slots=True)
class Tool:
    """One tool.

    Attributes:
        item: its item's name.
        kind: "pickaxe", "axe", "shovel", "hoe", "sword", "shears" or "trident".
        tier: 1 wood or gold, 2 stone, 3 iron, 4 diamond, 5 netherite.
        speed: factor of digging speed over a hand, on blocks of the tool's kind (a shovel's: dirt, sand).
        durability: uses before the tool breaks.
        attack: damage of a fully charged hit, half hearts.
        attack_speed: fully charged hits a second.
        wear_break: durability lost by breaking a block of hardness above 0.
        wear_hit: durability lost by hitting a creature.
    """

    item: str
    kind: str
    tier: int
    speed: float
    durability: int
    attack: float
    attack_speed: float
    wear_break: int
    wear_hit: int


@cache
def tools() -> Mapping[str, Tool]:
    """Return every tool by its item's name.

    Source: `data/tools.json`; Minecraft Wiki "Tiers", "Breaking", "Damage" and each tool's page.
    """
    return MappingProxyType(
        {
            row["item"]: Tool(**{key: value for key, value in row.items() if key != "source"})
            for row in rows("tools")
        }
    )


def tool(item: str) -> Tool:
    """Return one tool.

    Raises:
        UnknownName: no tool has this item's name.
    """
    return tools()[check_name("tool", item, tools())]


@cache
def able_tools(weakest: str) -> tuple[str, ...]:
    """Return the tools that can replace `weakest`, weakest first, `weakest` itself before its equals.

    >>> able_tools("iron_pickaxe")
    ('iron_pickaxe', 'diamond_pickaxe', 'netherite_pickaxe')

    Raises:
        UnknownName: no tool has this item's name.
    """
    least = tool(weakest)
    able = [t for t in tools().values() if t.kind == least.kind and t.tier >= least.tier]
    return tuple(t.item for t in sorted(able, key=lambda t: (t.tier, t.item != weakest)))


@cache
def uses_of(item: str) -> int:
    """Return how many blocks a new tool breaks, including the block at which the tool itself breaks.

    Source: Minecraft Wiki "Durability" (one use a block, two with a sword or a trident).

    >>> uses_of("wooden_pickaxe"), uses_of("wooden_sword")
    (59, 30)

    Raises:
        UnknownName: no tool has this item's name.
    """
    found = tool(item)
    return math.ceil(found.durability / max(found.wear_break, 1))


def speed_on(name: str, held: str | None) -> float:
    """Return how many times faster `held` digs the block `name` than a bare hand.

    Any item may be held; an item that is no tool digs like a hand. The speed is the same whether or not the
    block gives its drop. Source: Minecraft Wiki "Breaking" (tool speeds), `data/tool_speeds.json` for the
    exceptions.

    Raises:
        UnknownName: no such block.
    """
    target = block(name)
    found = tools().get(held) if held else None
    if found is None:
        return BARE_HAND_SPEED
    special = _special_speeds().get((found.kind, name))
    if special is not None:
        return special
    return found.speed if found.kind == target.tool else BARE_HAND_SPEED


def harvests(name: str, held: str | None) -> bool:
    """Return whether breaking the block `name` with `held` gives the block's drop.

    Source: Minecraft Wiki "Breaking" (mining levels); a cobweb gives its drop to a sword or shears.

    Raises:
        UnknownName: no such block.
    """
    target = block(name)
    if target.tier == 0:
        return True
    found = tools().get(held) if held else None
    if found is None:
        return False
    if target.tool in CUTTERS:
        return found.kind in CUTTERS
    return found.kind == target.tool and found.tier >= target.tier


def breaking_ticks(
    name: str, held: str | None = None, *, under_water: bool = False, on_ground: bool = True
) -> int | None:
    """Return the ticks of attacking that break a block: 0 = at once, None = never.

    The damage of a tick is speed / hardness / 30, or / 100 where the tool gives no drop; a head
    under water and feet off the ground each divide the speed by 5. A damage of 1 or more breaks
    the block with the first hit.
    Source: Minecraft Wiki "Breaking" (calculation).

    Raises:
        UnknownName: no such block.
    """
    hardness = block(name).hardness
    if hardness == UNBREAKABLE:
        return None
    divisor = TICKS_PER_HARDNESS if harvests(name, held) else TICKS_PER_HARDNESS_WITHOUT_DROP
    speed = speed_on(name, held)
    if under_water:
        speed /= HINDRANCE
    if not on_ground:
        speed /= HINDRANCE
    ticks = hardness * divisor / speed
    return 0 if ticks <= 1.0 else math.ceil(ticks - ROUNDING)


def cheapest_tool(name: str) -> str | None:
    """Return the item of the lowest tier that gets the block's drop; None = a bare hand is enough.

    Wood wins over gold, which has the same tier. A sword wins over shears.

    Raises:
        UnknownName: no such block.
    """
    if harvests(name, None):
        return None
    able = [found for found in tools().values() if harvests(name, found.item)]
    return min(able, key=lambda found: (found.tier, found.speed, found.kind != "sword")).item


def fastest_tool(name: str, held: tuple[str, ...]) -> str | None:
    """Return the item of `held` that breaks the block soonest with its drop; None = the hand.

    Items that get the drop win over items that do not; ties go to the hand, then to the earlier
    item in `held`.

    Raises:
        UnknownName: no such block.
    """

    def cost(candidate: str | None) -> tuple[bool, float]:
        ticks = breaking_ticks(name, candidate)
        return not harvests(name, candidate), math.inf if ticks is None else ticks

    return min((None, *held), key=cost)


@cache
def _special_speeds() -> Mapping[tuple[str, str], float]:
    """Return the digging speeds that differ from the general rule, by kind of tool and block."""
    return MappingProxyType(
        {
            (row["kind"], name): float(row["speed"])
            for row in rows("tool_speeds")
            for name in select(row["blocks"], block_names(), "tool_speeds.json")
        }
    )
