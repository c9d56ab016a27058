"""Checks of chat commands before they are sent: the game tells its refusal in its picture alone."""

from typing import Final

from optimus_gym.core.checks import check_name
from optimus_gym.core.errors import BadValue, shown
from optimus_gym.game.items import items
from optimus_gym.worlds.malmo.wire_actions import MOST_CHAT

_NAMES: Final = """
    advancement attribute ban ban-ip banlist bossbar clear clone data datapack debug defaultgamemode deop
    difficulty effect enchant execute experience fill forceload function gamemode gamerule give help kick kill
    list locate locatebiome loot me msg op pardon pardon-ip particle playsound publish recipe reload
    replaceitem save-all save-off save-on say schedule scoreboard seed setblock setidletimeout setworldspawn
    spawnpoint spectate spreadplayers stop stopsound summon tag team teammsg teleport teleportbiome tell
    tellraw time title tm tp trigger w weather whitelist worldborder xp
"""
GAME_COMMANDS: Final = frozenset(_NAMES.split())
"""Names of the commands of Minecraft 1.16.5 (Minecraft Wiki, "Commands"), and "teleportbiome" of MineRL."""


def check_chat(text: object) -> str:
    """Return a chat command with its slash.

    Only faults that can be seen without the game are found: an unknown command, and in `/give` a missing
    word, an unknown item or a wrong count.

    Raises:
        BadValue, UnknownName: the text is no command of the game.

    >>> check_chat("time set day")
    '/time set day'
    """
    if not isinstance(text, str) or not text.strip(" /"):
        raise BadValue(f"command: expected a chat command, got {shown(text)}")
    line = "/" + text.strip().removeprefix("/")
    if len(line) > MOST_CHAT or not line.isprintable():
        raise BadValue(
            f"command: expected at most {MOST_CHAT} printable characters, got {shown(text)}"
        )
    words = line[1:].split()
    check_name("command", words[0], GAME_COMMANDS)
    if words[0] == "give":
        _check_give(words[1:])
    return line


def _check_give(words: list[str]) -> None:
    if len(words) not in (2, 3):
        raise BadValue(f"give: expected a player, an item and a count, got {' '.join(words)!r}")
    check_name("item", words[1].partition("{")[0].removeprefix("minecraft:"), items())
    if len(words) == 3 and not (words[2].isdecimal() and int(words[2][:9]) > 0):
        raise BadValue(f"give: expected a count of at least 1, got {shown(words[2])}")
