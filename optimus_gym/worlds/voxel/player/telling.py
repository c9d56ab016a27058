"""A tick of the messages on the player's screen: the held item's name, recipes, advancements, toasts.

The functions run in worlds with the rule `messages` alone, after their ticks. References: Minecraft Wiki,
"Heads-up display", "Toasts", "Recipe book", "Advancement", "Chat" (Java Edition 1.16).
"""

from functools import cache
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from optimus_gym.game.advancements import ADVANCEMENT_FRAMES, Advancement, advancements
from optimus_gym.game.creatures import creature_kinds
from optimus_gym.game.items import item, item_names
from optimus_gym.game.unlocks import unlocks
from optimus_gym.worlds.voxel.player.chatting import add_chat_line
from optimus_gym.worlds.voxel.state.message_row import (
    ADVANCED_TOAST,
    ADVANCEMENTS,
    GREEN_INK,
    NAME_TICKS,
    NO_TOAST,
    PLAYER_NAME,
    PURPLE_INK,
    RECIPES_TOAST,
    SHOWN_TOASTS,
    TOASTED_RECIPES,
    WHITE_INK,
)
from optimus_gym.worlds.voxel.state.worlds import KILLED, MOST_EVENTS, USED, Worlds

SLIDE_TICKS: Final = 12
"""Ticks (0.6 s) that a toast slides in, and out; Minecraft Wiki, "Toasts"."""
TOAST_TICKS: Final = 100
"""Ticks (5 s) that a toast stays after its slide in, or after its latest recipe; Minecraft Wiki, "Toasts"."""
_WHOLE: Final = SLIDE_TICKS**2
"""Part of a toast that shows when it is not sliding; the part grows with the square of time."""
_INKS: Final = {"task": GREEN_INK, "goal": GREEN_INK, "challenge": PURPLE_INK}
"""Ink of an advancement's title in the chat, by frame; Minecraft Wiki, "Advancement"."""

_Rows = NDArray[np.int64]


def tell_rows(worlds: Worlds, rows: _Rows) -> None:
    """Advance the messages of those worlds of `rows` (int64[n]) that have messages, after their tick."""
    told = rows[worlds.rules["messages"][rows] != 0]
    if told.size:
        _name_held(worlds, told)
        _note_items(worlds, told)
        _note_deeds(worlds, told)
        _move_toasts(worlds, told)


def _name_held(worlds: Worlds, rows: _Rows) -> None:
    """Show the name of the item in the hand when it becomes another item, and let the name grow older."""
    messages = worlds.messages
    held = worlds.slots["item"][rows, worlds.players["hotbar"][rows]]
    left = np.maximum(messages["name_left"][rows], 1) - 1
    left[held != messages["named"][rows]] = NAME_TICKS
    left[held == 0] = 0
    messages["name_left"][rows], messages["named"][rows] = left, held


def _note_items(worlds: Worlds, rows: _Rows) -> None:
    """Unlock recipes, and make advancements, by items that are in an inventory for the first time."""
    held = worlds.slots["item"][rows]
    fresh = (worlds.messages["held"][rows[:, None], held] == 0) & (held != 0)
    for k in np.flatnonzero(fresh.any(axis=1)).tolist():
        row, ever = int(rows[k]), worlds.messages["held"][rows[k]]
        known = (_needs() & (ever != 0)).any(axis=1)
        ever[held[k][fresh[k]]] = 1
        unlocked = (_needs() & (ever != 0)).any(axis=1) & ~known
        _toast_recipes(worlds, row, np.flatnonzero(unlocked))
        for item_id in sorted(set(held[k][fresh[k]].tolist())):
            _make_advancements(worlds, row, "held", item_names()[item_id])


def _note_deeds(worlds: Worlds, rows: _Rows) -> None:
    """Make advancements by kills, uses and sleep of the latest tick."""
    kinds = worlds.events["kind"][rows]
    told = (kinds == KILLED) | (kinds == USED)
    told &= np.arange(MOST_EVENTS) < worlds.players["events"][rows][:, None]
    for k, place in np.argwhere(told).tolist():
        event = worlds.events[rows[k], place]
        if event["kind"] == KILLED:
            _make_advancements(
                worlds, int(rows[k]), "killed", tuple(creature_kinds())[event["subject"]]
            )
        else:
            _make_advancements(worlds, int(rows[k]), "used", item_names()[event["subject"]])
    for row in rows[worlds.sleeps["ticks"][rows] > 0].tolist():
        _make_advancements(worlds, row, "sleeps", "")


def _make_advancements(worlds: Worlds, row: int, deed: str, subject: str) -> None:
    """Make the advancements of world `row` that a deed with a subject makes, each one once."""
    for number in _by_deed().get((deed, subject), ()):
        messages, made = worlds.messages[row : row + 1], advancements()[number]
        if messages["advanced"][0, number]:
            continue
        messages["advanced"][0, number] = 1
        _queue_toast(messages, ADVANCED_TOAST + number)
        add_chat_line(worlds, row, announcement(made))


def announcement(made: Advancement) -> str:
    """Return the chat line, with inks, that tells an advancement; Minecraft Wiki, "Advancement"."""
    deed, ink = ADVANCEMENT_FRAMES[made.frame].deed, chr(_INKS[made.frame])
    return f"{PLAYER_NAME} {deed} {ink}[{made.title}]{chr(WHITE_INK)}"


def _toast_recipes(worlds: Worlds, row: int, numbers: NDArray[np.int64]) -> None:
    """Add recipes to the toast about recipes; there is at most one such toast at a time."""
    if not numbers.size:
        return
    messages = worlds.messages[row : row + 1]
    shown = np.flatnonzero(messages["toast"][0] == RECIPES_TOAST)
    queue = messages["queue"][0, : messages["queued"][0]]
    if not shown.size and RECIPES_TOAST not in queue:
        messages["recipe_count"] = 0
        _queue_toast(messages, RECIPES_TOAST)
    if shown.size:
        age = worlds.players["tick"][row] - messages["toast_whole"][0, shown[0]]
        messages["recipes_after"] = max(int(age), 0)
    first = int(messages["recipe_count"][0])
    added = numbers[: TOASTED_RECIPES - first]
    messages["recipes"][0, first : first + len(added)] = added
    messages["recipe_count"] = first + len(added)


def _queue_toast(messages: NDArray[Any], code: int) -> None:
    """Let a toast wait for a place on the screen (`messages` is MESSAGE_ROW[1])."""
    waiting = int(messages["queued"][0])
    if waiting <= ADVANCEMENTS:
        messages["queue"][0, waiting] = code
        messages["queued"] = waiting + 1


def _move_toasts(worlds: Worlds, rows: _Rows) -> None:
    """Let toasts slide and end, and waiting toasts take the free places from the top."""
    messages = worlds.messages
    busy = (messages["toast"][rows] != NO_TOAST).any(axis=1)
    if busy.any():
        _age_toasts(worlds, rows[busy])
    for row in rows[messages["queued"][rows] > 0].tolist():
        _place_toasts(messages[row : row + 1], int(worlds.players["tick"][row]))


def _age_toasts(worlds: Worlds, rows: _Rows) -> None:
    """Let the toasts of worlds slide out after their time, and end."""
    messages, now = worlds.messages, worlds.players["tick"][rows][:, None]
    kinds, hides = messages["toast"][rows], messages["toast_hides"][rows] != 0
    moved, whole = messages["toast_moved"][rows], messages["toast_whole"][rows]
    whole = np.where(~hides & (now - moved <= SLIDE_TICKS), now, whole)
    stays = np.where(kinds == RECIPES_TOAST, messages["recipes_after"][rows][:, None], 0)
    leaves = now - whole - stays >= TOAST_TICKS
    turns = leaves != hides
    seen = toast_part(now - moved, hides)
    moved = np.where(turns, now - (_WHOLE - seen + SLIDE_TICKS // 2) // SLIDE_TICKS, moved)
    over = (kinds == NO_TOAST) | (leaves & (now - moved > SLIDE_TICKS))
    ends = (over & (kinds == RECIPES_TOAST)).any(axis=1)
    for name in ("recipe_count", "recipes_after"):
        messages[name][rows[ends]] = 0
    messages["toast"][rows] = np.where(over, NO_TOAST, kinds)
    messages["toast_hides"][rows] = leaves & ~over
    messages["toast_moved"][rows] = np.where(over, 0, np.maximum(moved, 0))
    messages["toast_whole"][rows] = np.where(over, 0, whole)


def toast_part(ticks: NDArray[np.int64], hides: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Return how much of toasts shows `ticks` after they began to slide: 0 (nothing) to 144 (all)."""
    slid = np.clip(ticks, 0, SLIDE_TICKS) ** 2
    return np.where(hides, _WHOLE - slid, slid)


def _place_toasts(messages: NDArray[Any], tick: int) -> None:
    """Put waiting toasts into free places of a screen (`messages` is MESSAGE_ROW[1])."""
    queue, places = messages["queue"][0], messages["toast"][0]
    for place in range(SHOWN_TOASTS):
        if messages["queued"][0] and places[place] == NO_TOAST:
            places[place] = queue[0]
            queue[:-1] = queue[1:].copy()
            messages["queued"] -= 1
            messages["toast_hides"][0, place] = 0
            messages["toast_moved"][0, place] = messages["toast_whole"][0, place] = tick
    queue[messages["queued"][0] :] = NO_TOAST


@cache
def _needs() -> NDArray[np.bool_]:
    """Return whether an item unlocks a recipe: bool[recipes, 976]."""
    table = np.zeros((len(unlocks()), len(item_names())), np.bool_)
    for number, recipe in enumerate(unlocks()):
        table[number, [item(name).id for name in recipe.needs]] = True
    return table


@cache
def _by_deed() -> dict[tuple[str, str], list[int]]:
    """Return the numbers of the advancements that each deed and its subject make."""
    table: dict[tuple[str, str], list[int]] = {}
    for number, made in enumerate(advancements()):
        deeds = [
            (deed, name) for deed in ("held", "used", "killed") for name in getattr(made, deed)
        ]
        for deed in [*deeds, *([("sleeps", "")] if made.sleeps else [])]:
            table.setdefault(deed, []).append(number)
    return table
