"""Texts made safe for a terminal: a model's words or a stranger's file can neither steer nor dress it.

All commands print through this module. Escape sequences would clear the screen, rename the window or colour a
lie. Marks of direction would turn a line round. rich would read "[red]" as its own markup.
"""

from typing import Final

from rich.table import Table
from rich.text import Text

MOST_CELL: Final = 1_000
"""Characters of a table's cell."""
_SPACES: Final = "\u00a0\u3000"
"""Spaces that texts of people hold (no-break, ideographic) and that Python counts as not printable."""


def printable(text: str, lines: bool = False) -> str:
    r"""Return a text with an escape in place of each character that a terminal does not just show.

    These are control characters, marks of direction and other unseen ones, half characters, and those that
    Unicode has not assigned.

    Args:
        text: any.
        lines: whether ends of lines and tabs stay as they are.

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
    """Return a text for rich, printable, as it stands: nothing in it is markup.

    Args:
        text: any; ends of lines stay.
        style: of all of it, as rich names styles.
    """
    return Text(printable(text, lines=True), style=style)


def add_row(table: Table, *cells: str) -> None:
    """Add a row to a table: each cell printable, in one line, cut to 1,000 characters."""
    short = (one if len(one) <= MOST_CELL else f"{one[:MOST_CELL]}..." for one in cells)
    table.add_row(*(Text(printable(one)) for one in short))
