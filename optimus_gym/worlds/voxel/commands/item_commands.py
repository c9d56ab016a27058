"""Commands on the player's items: /give, /replaceitem, /clear.

Reference: Minecraft Wiki, "Commands/give", "Commands/replaceitem", "Commands/clear", "Slot".
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from optimus_gym.core.checks import check_name
from optimus_gym.core.errors import UnknownName
from optimus_gym.game.dataset import dataset
from optimus_gym.game.items import item
from optimus_gym.worlds.voxel.commands.command_scene import CommandScene, Lifeless
from optimus_gym.worlds.voxel.commands.command_words import (
    AIRS,
    CommandWords,
    item_id,
    named_item,
    plain_name,
)
from optimus_gym.worlds.voxel.commands.selectors import (
    NO_ENTITY,
    Selector,
    is_target,
    take_player,
)
from optimus_gym.worlds.voxel.state.message_row import PLAYER_NAME
from optimus_gym.worlds.voxel.state.worlds import (
    CHEST,
    FEET,
    HEAD,
    LEGS,
    MAIN,
    OFFHAND,
    POCKETS,
    SLOTS,
)
from optimus_gym.worlds.voxel.things.drops import drop_from_player
from optimus_gym.worlds.voxel.things.inventory import add_items

MOST_STACKS: Final = 100
"""Maximum number of stacks that one /give gives; Minecraft Wiki, "Commands/give" (100 stacks)."""
_MOST: Final = 2**31 - 1
_MOST_REPLACED: Final = 64
"""Maximum count of /replaceitem; Minecraft Wiki, "Commands/replaceitem"."""
_HELD: Final = "weapon"
"""Slot name of the selected hotbar slot, also "weapon.mainhand"; Minecraft Wiki, "Slot"."""


def _slots() -> dict[str, int]:
    """Return the number of each slot by the game's name; -1 stands for the selected slot."""
    fixed = {
        _HELD: -1,
        f"{_HELD}.mainhand": -1,
        f"{_HELD}.offhand": OFFHAND,
        "armor.feet": FEET,
        "armor.legs": LEGS,
        "armor.chest": CHEST,
        "armor.head": HEAD,
    }
    hotbar = {f"hotbar.{k}": k for k in range(MAIN)}
    main = {f"inventory.{k - MAIN}": k for k in range(MAIN, POCKETS)}
    return {**fixed, **hotbar, **main, **{f"container.{k}": k for k in range(POCKETS)}}


SLOT_NUMBERS: Final = _slots()


def item_title(name: str) -> str:
    """Return an item's name as the game shows it in lines of commands.

    >>> item_title("oak_log")
    '[Oak Log]'
    """
    return f"[{dataset().items_name[name]['displayName']}]"


@dataclass(frozen=True)
class Give(Lifeless):
    """/give <targets> <item> [count]."""

    target: Selector
    item: str
    count: int

    def check(self, scene: CommandScene) -> int:
        """Return 0: the command changes no block."""
        return 0

    def run(self, scene: CommandScene) -> str:
        """Put the items into the pockets; drop at the player's feet what does not fit."""
        if not self.target.choose(scene):
            return NO_ENTITY
        left = add_items(scene.worlds, scene.row, item_id(self.item), self.count, 0)
        drop_from_player(scene.worlds, scene.row, item_id(self.item), left, 0)
        return f"Gave {self.count} {item_title(self.item)} to {PLAYER_NAME}"


def read_give(words: CommandWords) -> Give:
    """Read the words after "give".

    Raises:
        BadValue, UnknownName: the words are no /give of this world.
    """
    target, name = take_player(words), named_item(words.take("an item"))
    most = MOST_STACKS * item(name).stack_size
    count = words.take_whole(f"count of {name} (100 stacks)", 1, most) if words.left else 1
    return Give(target, name, count)


@dataclass(frozen=True)
class ReplaceItem(Lifeless):
    """/replaceitem entity <targets> <slot> <item> [count]; the slot -1 is the selected one."""

    target: Selector
    slot: int
    item: str
    count: int

    def check(self, scene: CommandScene) -> int:
        """Return 0: the command changes no block."""
        return 0

    def run(self, scene: CommandScene) -> str:
        """Replace the stack in the slot."""
        if not self.target.choose(scene):
            return NO_ENTITY
        slot = int(scene.player["hotbar"]) if self.slot < 0 else self.slot
        number = item_id(self.item)
        scene.worlds.slots[scene.row, slot] = (number, self.count if number else 0, 0)
        title = "[Air]" if self.item == AIRS[0] else item_title(self.item)
        return f"Replaced a slot on {PLAYER_NAME} with {title}"


def read_replaceitem(words: CommandWords) -> ReplaceItem:
    """Read the words after "replaceitem".

    Raises:
        BadValue, UnknownName: the words are no /replaceitem of this world.
    """
    kind = words.take_choice("kind of holder", ("entity", "block"))
    if kind == "block":
        raise words.fault("an entity", "a block (commands here do not fill containers)")
    target = take_player(words)
    slot = SLOT_NUMBERS[check_name("slot here", words.take("a slot"), SLOT_NUMBERS)]
    word = words.take("an item")
    name = AIRS[0] if plain_name(word) == AIRS[0] else named_item(word)
    most = _MOST_REPLACED if name == AIRS[0] else item(name).stack_size
    count = words.take_whole(f"count of {name} in one slot", 1, most) if words.left else 1
    return ReplaceItem(target, slot, name, count)


@dataclass(frozen=True)
class Clear(Lifeless):
    """/clear [targets] [item] [maxCount]; a maxCount of 0 only counts."""

    target: Selector
    item: str | None
    most: int

    def check(self, scene: CommandScene) -> int:
        """Return 0: the command changes no block."""
        return 0

    def run(self, scene: CommandScene) -> str:
        """Remove items from slots, crafting grid and cursor."""
        if not self.target.choose(scene):
            return NO_ENTITY
        wanted = None if self.item is None else item_id(self.item)
        found = 0
        for stack in _stacks(scene):
            if stack["item"] == 0 or (wanted is not None and stack["item"] != wanted):
                continue
            taken = min(int(stack["count"]), self.most - found) if self.most else 0
            found += taken if self.most else int(stack["count"])
            stack["count"] -= taken
            if stack["count"] == 0:
                stack["item"] = stack["damage"] = 0
        if not found:
            return f"No items were found on player {PLAYER_NAME}"
        if not self.most:
            return f"Found {found} matching items on player {PLAYER_NAME}"
        return f"Removed {found} items from player {PLAYER_NAME}"


def _stacks(scene: CommandScene) -> Iterator[Any]:
    """Yield the stacks of slots, then of grid and cursor."""
    for slot in range(SLOTS):
        yield scene.worlds.slots[scene.row, slot]
    for place in range(scene.worlds.laid.shape[1]):
        yield scene.worlds.laid[scene.row, place]


def read_clear(words: CommandWords) -> Clear:
    """Read the words after "clear".

    Raises:
        BadValue, UnknownName: the words are no /clear of this world.
    """
    if words.left and not is_target(words.peek()):
        raise UnknownName("target", words.peek(), ("@s", "@p", "@a"))
    target = take_player(words) if words.left else Selector()
    name = named_item(words.take("an item")) if words.left else None
    most = words.take_whole("maxCount", 0, _MOST) if words.left else _MOST
    return Clear(target, name, most)
