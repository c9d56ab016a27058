"""Dialects of the wire: which keys, commands and reports MineRL 0.4.4, MineRL 1.0 and MineStudio have."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from optimus_gym.core.checks import check_name

_MOVES: Final = ("forward", "left", "back", "right", "jump")
_SLOTS: Final = tuple(f"hotbar.{slot}" for slot in range(1, 10))


@dataclass(frozen=True, slots=True)
class Dialect:
    """The form in which one client and its game exchange messages.

    Attributes:
        name: the dialect's name.
        keys: names of the keys in the lines of a step, in the client's order.
        seconds: seconds that the client waits for an answer.
        functions: whether steps craft, smelt, equip and place by name (`wire_actions.FUNCTIONS`).
        chat: whether steps carry chat lines.
        near: whether steps ask for blocks and creatures near the player.
        slots: whether reports tell the slot of each stack.
        nested: whether worn and held items are JSON objects; else they are texts that hold JSON.
        old_names: whether items have the names of Minecraft 1.11 (`old_names`).
        rewards: whether the game computes the reward and ends the episode; else the client does.
    """

    name: str
    keys: tuple[str, ...]
    seconds: float
    functions: bool = False
    chat: bool = False
    near: bool = False
    slots: bool = False
    nested: bool = False
    old_names: bool = False
    rewards: bool = False


MINERL_0_4: Final = Dialect(
    name="minerl-0.4.4",
    keys=(*_MOVES, "sneak", "sprint", "attack", "use"),
    seconds=240.0,
    functions=True,
    nested=True,
    old_names=True,
    rewards=True,
)
"""MineRL 0.4.4 and its game, Minecraft 1.11.2 with the mod Malmo 0.37.0."""
MINERL_1_0: Final = Dialect(
    name="minerl-1.0",
    keys=(
        *(*_MOVES, "inventory", "drop", "swapHands", "sneak", "sprint", "attack", "use"),
        *("pickItem", *_SLOTS, "ESC"),
    ),
    seconds=240.0,
)
"""MineRL 1.0 and its game, Minecraft 1.16.5."""
MINESTUDIO: Final = Dialect(
    name="minestudio",
    keys=(
        *(*_MOVES, "inventory", "sneak", "sprint", "attack", "use", "pickItem"),
        *_SLOTS,
    ),
    seconds=120.0,
    chat=True,
    near=True,
    slots=True,
)
"""MineStudio 1.1.6 and its game, Minecraft 1.16.5."""
DIALECTS: Final[Mapping[str, Dialect]] = MappingProxyType(
    {dialect.name: dialect for dialect in (MINERL_0_4, MINERL_1_0, MINESTUDIO)}
)
"""All dialects by name."""


def dialect_named(name: str) -> Dialect:
    """Return the dialect with a name.

    Raises:
        UnknownName: no dialect has the name.

    >>> dialect_named("minestudio").slots
    True
    """
    return DIALECTS[check_name("dialect", name, DIALECTS)]
