"""Makes texts safe for a terminal: a model's or a stranger's text cannot control or style the screen.

All commands print through this module. Raw escape sequences in a text could clear the screen, rename the
window or colour a false message. Raw marks of text direction could reverse a line. The library rich would
read "[red]" as markup.
"""

from typing import Final

from rich.table import Table
from rich.text import Text

MOST_CELL: Final = 1_000
"""Maximum number of characters that a cell of a printed table shows."""
_SPACES: Final = "\u00a0\u3000"
"""Spaces of ordinary texts (no-break, ideographic) that Python counts as not printable."""


def printable(text: str, lines: bool = False) -> str:
    r"""Return a text with an escape in place of each character that a terminal would not simply show.

    The replaced characters are control characters, marks of text direction and other invisible characters,
    lone surrogates, and characters that Unicode has not assigned.

    Args:
        text: any text.
        lines: whether line ends and tabs stay unchanged.

    >>> printable("a\x1b[2Jb\u202ec\r\n"), printable("a\n\u9244", lines=True)
    ('a\\x1b[2Jb\\u202ec\\r\\n', 'a\n鉄')
    """
    if text.isprintable():
        return text
    kept = _SPACES + ("\n\t" if lines else "")
    return "".join(
        one if one.isprintable() or one in kept else one.encode("unicode_escape").decode()
        for one in text
    )


def words(text: str, style: str = "") -> Text:
    """Return a text as rich's `Text`, printable and without markup.

    Args:
        text: any text; line ends stay.
        style: rich's name of the style for the whole text.
    """
    return Text(printable(text, lines=True), style=style)


def add_row(table: Table, *cells: str) -> None:
    """Add a row to a table; make each cell printable, in one line, and cut it to 1,000 characters."""
    short = (one if len(one) <= MOST_CELL else f"{one[:MOST_CELL]}..." for one in cells)
    table.add_row(*(Text(printable(one)) for one in short))
