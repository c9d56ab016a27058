"""Self-evolution: epochs of rounds fill one memory, which is evaluated after each epoch.

Within a round the memory is frozen. The episodes of each of its tasks write into a memory of their own; the
shared memory takes these over in the tasks' order when the round is over. So the same memory comes out of any
number of processes, and of a run that was killed and resumed.
"""

import json
import shutil
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import Final

from filelock import FileLock, Timeout

from optimus_gym.core.checks import check_count
from optimus_gym.core.errors import BadValue
from optimus_gym.core.files import write_whole
from optimus_gym.core.plain import read_json
from optimus_gym.run.evaluate.distributing import check_crew
from optimus_gym.run.evaluate.process_pool import ProcessPool
from optimus_gym.run.evaluate.worker_pool import WorkerPool
from optimus_gym.run.learn.learning_setup import Learning, Round
from optimus_gym.run.learn.school import MEMORY, School
from optimus_gym.run.results.growth import CONFIGURATION, Epoch
from optimus_gym.run.results.results_folder import differences
from optimus_gym.run.results.row_files import ROWS_FILE

_LOCK: Final = ".lock"


def learned(
    learning: Learning,
    folder: Path,
    epochs: int = 4,
    *,
    evaluates: bool = True,
    workers: int = 1,
    rows: int = 1,
    pool: WorkerPool | None = None,
) -> Iterator[Round | Epoch]:
    """Play epochs, and yield each round and epoch when it is over, those of an earlier run as well.

    Args:
        learning: the configuration.
        folder: a new folder, or the folder of an earlier run of the same configuration, which goes on.
        epochs: number of epochs; a later run may have more.
        evaluates: whether the memory is evaluated before the first and after each epoch.
        workers: number of processes that play.
        rows: episodes that each process plays at once.
        pool: the workers, which the caller closes; None: processes of its own.

    Raises:
        BadValue: an argument cannot be used, the folder belongs to another configuration (the message names
            the fields that differ), or another process learns in it.
        BadMemory: the memory is damaged.
        OSError: the folder cannot be written.
    """
    check_count("epochs", epochs, 1)
    check_crew(workers, rows)
    with ExitStack() as stack:
        stack.enter_context(_opened(folder, learning, evaluates))
        if pool is None:
            pool = stack.enter_context(closing(ProcessPool()))
        school = School(learning, folder, workers, rows, pool)
        if evaluates:
            yield school.examine(0)
        for epoch in range(epochs):
            yield from school.rounds(epoch)
            if evaluates:
                yield school.examine(epoch + 1)
        school.check_memory()


@contextmanager
def _opened(folder: Path, learning: Learning, evaluates: bool) -> Iterator[None]:
    """Let this process alone learn in a folder, and check that the folder belongs to the configuration.

    A run that ends before its first episode leaves nothing in the folder.
    """
    file = folder / CONFIGURATION
    evaluation = learning.evaluation
    episodes = evaluation.episodes if evaluates else 0
    asked = {
        **learning.plain(),
        "evaluated": {"tasks": list(evaluation.tasks), "episodes": episodes},
    }
    if file.exists():
        differing = list(differences("", read_json(file.read_bytes(), str(file)), asked))
        if differing:
            listed = "\n  ".join(differing)
            raise BadValue(
                f"learn: '{folder}' belongs to another configuration or other code; choose another folder"
                f"\n  {listed}"
            )
    elif folder.exists() and not _is_empty(folder):
        raise BadValue(f"learn: expected a new or empty folder, or one of `learn`, got '{folder}'")
    folder.mkdir(parents=True, exist_ok=True)
    lock = FileLock(folder / _LOCK)
    try:
        lock.acquire(timeout=0)
    except Timeout:
        raise BadValue(f"learn: another process learns in '{folder}'") from None
    is_first = not file.exists()
    try:
        if is_first:
            write_whole(file, (json.dumps(asked, indent=2) + "\n").encode())
        yield
    finally:
        if is_first and not any(one.stat().st_size for one in folder.rglob(ROWS_FILE)):
            file.unlink(missing_ok=True)
            for left in (*folder.glob(f"{MEMORY}*"), *folder.glob("epoch-*")):
                shutil.rmtree(left)
        lock.release()


def _is_empty(folder: Path) -> bool:
    """Return whether a folder has nothing but the lock, as after a run that could write no more."""
    return folder.is_dir() and {one.name for one in folder.iterdir()} <= {_LOCK}
