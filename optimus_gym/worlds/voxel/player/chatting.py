"""Lines of the chat, broken as the game breaks them; Minecraft Wiki, "Chat" (Java Edition 1.16)."""

from typing import Final

import numpy as np

from optimus_gym.worlds.voxel.art.font import widths
from optimus_gym.worlds.voxel.state.message_row import CHAT_LETTERS, CHAT_LINES, WHITE_INK
from optimus_gym.worlds.voxel.state.worlds import Worlds

CHAT_WIDTH: Final = 320
"""Maximum width of a chat line's text, pixels; Minecraft Wiki, "Chat"."""
_INKS: Final = 32
"""Codes below this number are inks, not letters."""


def add_chat_line(worlds: Worlds, row: int, text: str) -> None:
    """Show a text in the chat of world `row` from now on; a long text takes several lines.

    Args:
        worlds: the worlds.
        row: number of the world.
        text: ASCII and inks (`state.message_row`); "?" replaces other letters.
    """
    messages = worlds.messages[row : row + 1]
    for line in chat_lines(text):
        for name in ("chat", "chat_at"):
            messages[name][0, 1:] = messages[name][0, :-1].copy()
        messages["chat"][0, 0] = 0
        messages["chat"][0, 0, : len(line)] = np.frombuffer(line, np.uint8)
        messages["chat_at"][0, 0] = worlds.players["tick"][row]
        messages["chat_count"] = min(int(messages["chat_count"][0]) + 1, CHAT_LINES)


def chat_lines(text: str) -> list[bytes]:
    """Return a text in lines of at most 320 pixels and 100 bytes, broken at spaces where possible.

    Each further line begins with a space, as in the game, and with the ink of the line before.

    >>> [line.decode() for line in chat_lines("Set the time to 1000")]
    ['Set the time to 1000']
    """
    codes = bytes(code if 0 < code < 127 else ord("?") for code in map(ord, text))
    lines, ink = [], WHITE_INK
    start = b""
    while codes:
        count = _fitting(start, codes)
        if count < len(codes):
            count = codes.rfind(b" ", 1, count + 1) if b" " in codes[1 : count + 1] else count
        lines.append(start + codes[:count])
        inks = [code for code in codes[:count] if code < _INKS]
        ink = inks[-1] if inks else ink
        codes = codes[count:].removeprefix(b" ")
        start = bytes([ink, ord(" ")])
    return lines


def _fitting(start: bytes, codes: bytes) -> int:
    """Return how many of `codes` fit in a line behind `start`, at least 1."""
    width = sum(_advance(code) for code in start)
    for count, code in enumerate(codes):
        width += _advance(code)
        if count and (width > CHAT_WIDTH or len(start) + count >= CHAT_LETTERS):
            return count
    return len(codes)


def _advance(code: int) -> int:
    """Return the pixels from the left edge of a letter to the next letter; an ink takes none."""
    return 0 if code < _INKS else int(widths()[code]) + 1
