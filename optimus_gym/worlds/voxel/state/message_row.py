"""Row type (NumPy dtype) of the messages on a player's screen: item's name, toasts, chat.

References: Minecraft Wiki, "Heads-up display" (name of the held item), "Toasts", "Chat".
"""

from typing import Final

import numpy as np

from optimus_gym.game.advancements import advancements
from optimus_gym.game.items import item_names

NAME_TICKS = 40
"""Ticks for which the name of a newly held item shows; Minecraft Wiki, "Heads-up display"."""
SHOWN_TOASTS = 5
"""Maximum number of toasts on the screen; Minecraft Wiki, "Toasts"."""
TOASTED_RECIPES = 100
"""Maximum number of recipes that one toast shows in turn, one a tick for 5 s; further ones do not show."""
CHAT_LINES = 10
"""Number of chat lines on the screen; Minecraft Wiki, "Chat"."""
CHAT_LETTERS = 100
"""Maximum number of bytes of a chat line, codes of inks included; a longer line goes on in the next."""
CHAT_TICKS = 200
"""Ticks for which a chat line shows; Minecraft Wiki, "Chat"."""
PLAYER_NAME: Final = "Player"
"""Name of the player in the chat; Minecraft Wiki, "Player" (the default name of an offline one)."""

NO_TOAST = 0
RECIPES_TOAST = 1
"""Code of the toast about recipes; code 2 + n is the toast about advancement n."""
ADVANCED_TOAST = 2
ADVANCEMENTS = len(advancements())
WHITE_INK = 1
"""Byte of a chat line after which the letters are white; `GREEN_INK` and `PURPLE_INK` likewise."""
GREEN_INK = 2
PURPLE_INK = 3

MESSAGE_ROW = np.dtype(
    [
        ("named", "u2"),  # item in the hand in the latest tick, 0 = none
        ("name_left", "u1"),  # ticks for which the item's name shows on
        ("held", "u1", (len(item_names()),)),  # 1 for each item that was ever in the inventory
        ("advanced", "u1", (ADVANCEMENTS,)),  # 1 for each advancement that was made
        ("toast", "u1", (SHOWN_TOASTS,)),  # code of each toast from the top, NO_TOAST = none
        ("toast_hides", "u1", (SHOWN_TOASTS,)),  # 1 if it slides out
        ("toast_moved", "i8", (SHOWN_TOASTS,)),  # tick at which it began to slide in or out
        ("toast_whole", "i8", (SHOWN_TOASTS,)),  # tick at which its slide in was over
        ("queued", "u1"),  # how many entries of `queue` are used
        ("queue", "u1", (ADVANCEMENTS + 1,)),  # codes of the toasts that wait for a place
        ("recipes", "u2", (TOASTED_RECIPES,)),  # numbers of the recipes of the toast
        ("recipe_count", "u1"),  # how many entries of `recipes` are used
        ("recipes_after", "i8"),  # ticks from `toast_whole` to the latest new recipe
        ("chat", "u1", (CHAT_LINES, CHAT_LETTERS)),  # ASCII and inks, zeros behind, newest first
        ("chat_at", "i8", (CHAT_LINES,)),  # tick of each line
        ("chat_count", "u1"),  # how many lines are used
    ]
)
