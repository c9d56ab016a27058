"""Our actions as the game's: keys by their names in MineRL, and turns of the view."""

from typing import Final

from optimus_gym.core.actions import FUNCTION, INVENTORY, ITEM, MEANINGS, PITCH, Function
from optimus_gym.game.items import item_names
from optimus_gym.worlds.malmo.old_names import old_item
from optimus_gym.worlds.malmo.wire_actions import MOST_TURN, NO_BOX, WireAction, WireBox

_RENAMED: Final = {"swap_hands": "swapHands"}
_NAMES: Final = tuple(
    tuple(_RENAMED.get(name, name) for name in meanings) for meanings in MEANINGS[:PITCH]
)
"""For each entry of an action before the camera's, the key of each value; the first presses none."""
_WORDS: Final = {
    Function.CRAFT: "craft",
    Function.SMELT: "smeltNearby",
    Function.EQUIP: "equip",
    Function.PLACE: "place",
}
"""Words of `wire_actions.FUNCTIONS` for our functions; "craft" stands for "craftNearby", too."""
CLOSE_SCREEN: Final = WireAction(frozenset({"inventory"}))
"""The action that closes any open screen."""


def strokes(
    action: list[int],
    turns: list[float],
    screens: bool,
    voxels: WireBox = NO_BOX,
    mobs: WireBox = NO_BOX,
) -> WireAction:
    """Return an action (fifteen entries, as in `core.actions`) as the game's.

    Args:
        action: the action; its function becomes one of MineRL 0.4.4, which other dialects leave out.
        turns: turns of pitch and yaw, degrees.
        screens: whether the key "inventory" works.
        voxels: the box of blocks to report.
        mobs: the box of creatures to report.

    >>> sorted(strokes([1, 0, 1, *[0] * 12], [0.0, 2.0], screens=True).keys)
    ['forward', 'jump']
    """
    keys = frozenset(
        names[value]
        for place, (names, value) in enumerate(zip(_NAMES, action, strict=False))
        if value and (screens or place != INVENTORY)
    )
    pitch, yaw = (min(max(turn, -MOST_TURN), MOST_TURN) for turn in turns)
    return WireAction(keys, pitch, yaw, _functions(action), voxels=voxels, mobs=mobs)


def _functions(action: list[int]) -> tuple[tuple[str, str], ...]:
    """Return the word of an action's function with its item's name in Minecraft 1.11."""
    word = _WORDS.get(Function(action[FUNCTION]))
    old = old_item(item_names()[action[ITEM]])
    return () if word is None or old is None else ((word, old[0]),)
