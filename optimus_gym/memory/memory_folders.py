"""Folders of memories: which folder an argument names, what it must hold, and how it is copied.

The name "starter" stands for the memory that comes with the package, and is only read: what four epochs of
self-evolution taught. `python -m tools.starter` makes this memory again (docs/memory.md).
"""

import os
import shutil
from pathlib import Path
from typing import Final

from optimus_gym.core.checks import check_path
from optimus_gym.core.errors import BadValue
from optimus_gym.knowledge.graph_folder import GRAPH_FILE
from optimus_gym.memory.database import MEMORY_FILE

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
        BadValue: the memory is no path, or an empty text.

    >>> memory_folder("learned")
    PosixPath('learned')
    >>> sorted(path.name for path in memory_folder("starter").iterdir())
    ['experience.sqlite', 'hdkg.json']
    """
    if memory == "":
        raise BadValue(f"{name}: expected a folder, got ''")
    return STARTER_FOLDER if memory == STARTER else check_path(name, memory)


def check_memory(folder: Path, name: str = "memory") -> None:
    """Reject a folder of other files; a folder without files is an empty memory.

    Raises:
        BadValue: the folder has files, but no file of a memory.
    """
    there = {one.name for one in folder.iterdir()}
    if there and there.isdisjoint((MEMORY_FILE, GRAPH_FILE)):
        inside = folder / "memory"
        hint = f"; did you mean '{inside}'?" if inside.is_dir() else ""
        raise BadValue(
            f"{name}: expected a folder with {MEMORY_FILE} or {GRAPH_FILE}, got '{folder}' with neither{hint}"
        )


def copy_memory(folder: Path, to: Path) -> None:
    """Copy the files of a memory into a new folder.

    Raises:
        BadValue: the folder does not exist, or has files, but no file of a memory.
        OSError: the files cannot be copied.
    """
    if not folder.is_dir():
        raise BadValue(f"memory: expected a folder, got '{folder}': nothing there")
    check_memory(folder)
    to.mkdir()
    for file in sorted(folder.iterdir()):
        if file.is_file() and not file.name.endswith(".lock"):
            shutil.copy2(file, to / file.name)


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
