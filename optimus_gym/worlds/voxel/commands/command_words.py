"""Reads a command's text word by word: names, numbers, switches.

Reference: Minecraft Wiki, "Commands" (syntax, Java Edition 1.16), "Chat" (256 characters).
"""

import re
from collections.abc import Collection
from typing import Final

from optimus_gym.core.checks import check_name
from optimus_gym.core.errors import BadValue, hint, shown
from optimus_gym.game.blocks import block, block_names
from optimus_gym.game.items import item, items

LONGEST_COMMAND: Final = 256
"""Maximum number of characters of a command's text; Minecraft Wiki, "Chat"."""
NAMESPACE: Final = "minecraft:"
"""Namespace of the game's names, which a command may leave out; Minecraft Wiki, "Namespaced ID"."""
_WHOLE: Final = re.compile(r"[+-]?[0-9]+", re.ASCII)
_NUMBER: Final = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)", re.ASCII)
_OPENING: Final = "[{"
_CLOSING: Final = "]}"
AIRS: Final = ("air", "cave_air", "void_air")
"""Names of the game's kinds of air, which are one block in this world; Minecraft Wiki, "Air"."""


class CommandWords:
    """The words of a command's text, read from the first to the last.

    Args:
        text: the text, with or without the slash.

    Raises:
        BadValue: the text is no text, empty, or longer than 256 characters.
    """

    def __init__(self, text: object) -> None:
        if not isinstance(text, str) or not text.strip().removeprefix("/").strip():
            raise BadValue(f"command: expected a text such as '/time set day', got {shown(text)}")
        if len(text) > LONGEST_COMMAND:
            raise BadValue(
                f"command: expected at most {LONGEST_COMMAND} characters, got {len(text)}: {shown(text)}"
            )
        self.text = text
        self._words = _split(text.strip().removeprefix("/"))
        self._read = 0

    @property
    def left(self) -> int:
        """Return the number of words that have not been read."""
        return len(self._words) - self._read

    def peek(self) -> str:
        """Return the next word without reading it; "" after the last word."""
        return self._words[self._read] if self.left else ""

    def take(self, wanted: str) -> str:
        """Read the next word; `wanted` describes it for the error.

        Raises:
            BadValue: there is no further word.
        """
        if not self.left:
            raise self.fault(wanted, "the end of the text")
        self._read += 1
        return self._words[self._read - 1]

    def take_choice(self, kind: str, choices: Collection[str]) -> str:
        """Read the next word, which must be one of `choices`.

        Raises:
            UnknownName: `choices` lacks the word.
            BadValue: there is no further word.
        """
        return check_name(kind, self.take(f"a {kind} ({hint('', choices)})"), choices)

    def take_whole(self, wanted: str, least: int, most: int) -> int:
        """Read a whole number from `least` to `most`.

        Raises:
            BadValue: the word is no such number, or there is no further word.
        """
        return whole_number(self.take(wanted), wanted, least, most)

    def take_switch(self) -> bool:
        """Read "true" or "false"."""
        return self.take_choice("truth value", ("true", "false")) == "true"

    def end(self) -> None:
        """Check that all words have been read.

        Raises:
            BadValue: words are left.
        """
        if self.left:
            raise self.fault("the end of the text", shown(self.peek()))

    def refuse_nbt(self) -> None:
        """Refuse NBT as the next word.

        Raises:
            BadValue: the next word is NBT.
        """
        if self.peek().startswith("{"):
            raise self.fault("no NBT (commands here take none)", shown(self.peek()))

    def fault(self, wanted: str, got: str) -> BadValue:
        """Return the error for a word that is not what the command wants."""
        return BadValue(f"command {shown(self.text)}: expected {wanted}, got {got}")


def _split(text: str) -> list[str]:
    """Split a text at its spaces, except inside brackets and braces.

    >>> _split("kill @e[type=cow, limit=2]  now")
    ['kill', '@e[type=cow, limit=2]', 'now']
    """
    words, word, depth = [], "", 0
    for character in text:
        if character == " " and depth == 0:
            words.append(word)
            word = ""
            continue
        depth += (character in _OPENING) - (character in _CLOSING)
        word += character
    return [one for one in (*words, word) if one]


def plain_name(word: str) -> str:
    """Return a name without the game's namespace.

    >>> plain_name("minecraft:stone"), plain_name("stone")
    ('stone', 'stone')
    """
    return word.removeprefix(NAMESPACE)


def whole_number(word: str, wanted: str, least: int, most: int) -> int:
    """Return a word as a whole number from `least` to `most`.

    Raises:
        BadValue: the word is no such number.
    """
    if _WHOLE.fullmatch(word) and least <= int(word) <= most:
        return int(word)
    raise BadValue(f"{wanted}: expected an integer from {least} to {most}, got {shown(word)}")


def real_number(word: str, wanted: str) -> float:
    """Return a word as a finite number.

    Raises:
        BadValue: the word is no decimal number.
    """
    if _NUMBER.fullmatch(word):
        return float(word)
    raise BadValue(f"{wanted}: expected a decimal number, got {shown(word)}")


def named_item(word: str) -> str:
    """Return the name of an item that a command names.

    Raises:
        UnknownName: no such item.
        BadValue: the word is a tag, or carries NBT.
    """
    _refuse_extras("item", word)
    return check_name("item", plain_name(word), items())


def item_id(name: str) -> int:
    """Return an item's number, 0 for "air"."""
    return 0 if name == AIRS[0] else item(name).id


def named_block(word: str) -> int:
    """Return the id of a block that a command names; all kinds of air have id 0.

    Raises:
        UnknownName: no such block.
        BadValue: the word is a tag, or carries block states or NBT.
    """
    _refuse_extras("block", word)
    name = check_name("block", plain_name(word), block_names())
    return 0 if name in AIRS else block(name).id


def _refuse_extras(kind: str, word: str) -> None:
    if word.startswith("#"):
        raise BadValue(
            f"{kind} {shown(word)}: expected a name, got a tag (commands here take no tags)"
        )
    for mark, what in (("[", "block states"), ("{", "NBT")):
        if mark in word:
            raise BadValue(f"{kind} {shown(word)}: expected a plain name, got {what} ({mark})")
