"""The memory that comes with the package, and is only read: what four epochs of self-evolution taught.

`python -m tools.starter` makes this memory again (docs/memory.md).
"""

import os
from pathlib import Path
from typing import Final

from optimus_gym.core.checks import check_path
from optimus_gym.core.errors import BadValue

STARTER: Final = "starter"
"""Name that stands for the folder of the package's memory; "./starter" is a folder of the user's own."""
STARTER_FOLDER: Final = Path(__file__).parent / "data" / STARTER
_OWN_COPY: Final = "`optimus-gym memory merge DIR starter` copies it"


def memory_text(memory: str | os.PathLike[str]) -> str:
    """Return a memory's path as a text; a path to a folder `starter` does not become the name.

    >>> memory_text("starter"), memory_text(Path("starter"))
    ('starter', './starter')
    """
    return f"./{STARTER}" if memory == Path(STARTER) else os.fspath(memory)


def memory_folder(memory: str | os.PathLike[str], name: str = "memory") -> Path:
    """Return the folder to read a memory from; "starter" names the package's memory.

    Args:
        memory: a folder's path, or "starter".
        name: the argument's name, for the error.

    Raises:
        BadValue: the memory is no path.

    >>> memory_folder("learned")
    PosixPath('learned')
    >>> sorted(path.name for path in memory_folder("starter").iterdir())
    ['experience.sqlite', 'hdkg.json']
    """
    return STARTER_FOLDER if memory == STARTER else check_path(name, memory)


def own_memory(memory: str | os.PathLike[str]) -> Path:
    """Return the folder of a memory that may be written.

    Raises:
        BadValue: the memory is no path, or is the package's.
    """
    if memory == STARTER:
        raise BadValue(
            f"memory: expected a folder that may be written, got {STARTER!r}, which is only read; {_OWN_COPY}"
        )
    return check_path("memory", memory)
