"""Numbered lines: "1. craft 4 oak_planks with the logs", "Step 2: chop a tree"."""

import re
from collections.abc import Iterator
from typing import Final

from optimus_gym.backbones.parse.deeds import Told
from optimus_gym.backbones.parse.steps import worded

MOST_LINE: Final = 300
"""Characters of a line that are looked at."""
_NUMBERED: Final = re.compile(r"\s*(?:[-*]\s*)?(?:step\s*)?[0-9]+\s*[.):]\s*(.+)", re.IGNORECASE)


def read(text: str) -> Iterator[Told]:
    """Yield what the numbered lines of a text say."""
    for line in text.splitlines():
        found = _NUMBERED.match(line[:MOST_LINE].replace("*", "").replace("`", ""))
        if found is not None:
            yield worded(found[0].strip(), found[1])
