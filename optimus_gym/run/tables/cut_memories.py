"""Memories of several sizes, cut from one memory: the arms of JARVIS-1's Figure 6."""

from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from optimus_gym.core.errors import BadValue
from optimus_gym.memory.compaction import keep_oldest
from optimus_gym.memory.database import MEMORY_FILE
from optimus_gym.memory.memory_folders import check_memory, copy_memory
from optimus_gym.memory.store import ExperienceStore
from optimus_gym.run.evaluate.identity import memory_hash


def cut_sizes(memory: Path, shares: Sequence[float]) -> list[int]:
    """Return how many of a memory's experiences each share is, rounded; equal numbers once.

    Raises:
        BadValue: the folder holds no memory, or the memory is damaged.
    """
    check_memory(memory)
    if not (memory / MEMORY_FILE).is_file():
        return [0]
    with ExperienceStore(memory, None, writes=False) as store:
        whole = len(store.numbers())
    return list(dict.fromkeys(round(share * whole) for share in shares))


def cut_memory(memory: Path, count: int, to: Path) -> None:
    """Copy a memory's graph and its oldest experiences into a folder that holds nothing or the same already.

    Several processes may cut at once: the first one's folder stays.

    Raises:
        BadValue: the memory is damaged, or the folder holds another memory.
        OSError: the folder cannot be written.
    """
    to.parent.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(prefix=".", dir=to.parent) as own:
        part = Path(own, to.name)
        copy_memory(memory, part)
        if (part / MEMORY_FILE).is_file():
            with ExperienceStore(part, None) as store:
                keep_oldest(store.database, count)
        try:
            part.rename(to)
        except OSError as error:
            if not to.is_dir():
                raise
            if memory_hash(part) != memory_hash(to):
                raise BadValue(
                    f"memory: expected '{to}' to hold the oldest {count} episodes of '{memory}', "
                    "got another memory; another `--out` takes these"
                ) from error
