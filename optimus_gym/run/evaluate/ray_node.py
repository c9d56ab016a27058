"""A process that plays episodes on a node of a Ray cluster, and the files that travel with it.

Nodes need no common disk. The memory comes to a node with the evaluation. The files of an episode (pictures,
and what the episode teaches) go to the caller with the episode's row.
"""

import shutil
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from queue import SimpleQueue
from tempfile import TemporaryDirectory
from typing import Any, Final, NamedTuple

from optimus_gym.core.errors import OptimusError
from optimus_gym.core.files import write_whole
from optimus_gym.run.evaluate.evaluation import Evaluation, Job
from optimus_gym.run.evaluate.identity import UNCOUNTED, code_hash, identity_of, versions
from optimus_gym.run.evaluate.key_frames import picture_files
from optimus_gym.run.evaluate.process_pool import ProcessWorker
from optimus_gym.run.evaluate.worker_pool import Message
from optimus_gym.run.results.results_folder import differences
from optimus_gym.run.results.row import row_of

BROUGHT: Final = "brought"
"""Folder of what episodes teach."""
TAKEN_PICTURES: Final = "pictures"
_MEMORY: Final = "memory"
NODE_AND_HERE: Final = ("on the node", "here")
"""Words for the two sides of a difference."""

Files = Mapping[str, bytes]
"""Contents of files by their paths, relative and with slashes."""


class NodeMessage(NamedTuple):
    """A message of a node's process, see `Message`, with the files of an episode that has ended."""

    turn: int
    kind: str
    what: Any
    files: Files


class Node:
    """A process on a node; the Ray actor of a worker.

    `hear` may wait while the other methods are called.
    """

    def __init__(self) -> None:
        self._messages: SimpleQueue[Message] = SimpleQueue()
        self._process = ProcessWorker(self._messages)
        self._scratch = TemporaryDirectory(prefix="optimus-gym-")
        self._turn = 0

    def begin(self, told: Mapping[str, Any], memory: Files | None) -> None:
        """Let the process play an evaluation, unless this node would play another one.

        Args:
            told: what `WorkerPool.worker` tells a worker.
            memory: the files of the memory; None without a memory.
        """
        self._turn = self._process.turn = told["turn"]
        shutil.rmtree(self._place(""), ignore_errors=True)
        try:
            own = self._own(told, memory)
            found = identity_of(Evaluation(**own["evaluation"]))
        except (OptimusError, OSError) as error:
            self._refuse(str(error))
            return
        differing = list(differences("", found, told["identity"], NODE_AND_HERE))
        if differing:
            listed = "\n  ".join(differing)
            self._refuse(
                f"expected the same files, code and versions on a node as here\n  {listed}"
            )
            return
        self._process.say("stage", own)

    def _own(self, told: Mapping[str, Any], memory: Files | None) -> dict[str, Any]:
        """Return `told` with this node's own folders."""
        evaluation = dict(told["evaluation"])
        if memory is not None:
            evaluation["memory"] = str(self._place(_MEMORY))
            write_files(self._place(_MEMORY), memory)
        if evaluation.get("learn_into") is not None:
            evaluation["learn_into"] = str(self._place(BROUGHT))
        pictures = told["pictures"]
        if pictures is not None:
            self._place(TAKEN_PICTURES).mkdir(parents=True)
            pictures = {**pictures, "folder": str(self._place(TAKEN_PICTURES))}
        further = [one for one in told["path"] if one not in sys.path and Path(one).exists()]
        path = [*sys.path, *further]
        return {**told, "path": path, "evaluation": evaluation, "pictures": pictures}

    def _refuse(self, why: str) -> None:
        self._messages.put(Message(self._process, self._turn, "refused", why))

    def _place(self, name: str) -> Path:
        return Path(self._scratch.name) / "evaluation" / name

    def say(self, kind: str, what: Any) -> None:
        """Send the process an order."""
        self._process.say(kind, what)

    def hear(self) -> NodeMessage:
        """Wait for the process's next message, and return it."""
        message = self._messages.get()
        files: Files = {}
        if message.kind == "row":
            row = row_of(message.what, "a worker's row")
            files = self._taken(Job(row.task, row.episode, row.seed))
        what = self._process.ending if message.kind == "gone" else message.what
        return NodeMessage(message.turn, message.kind, what, files)

    def _taken(self, job: Job) -> Files:
        """Return the files of an episode that has ended, and delete them."""
        brought = self._place(BROUGHT) / job.task
        files = {f"{BROUGHT}/{job.task}/{name}": text for name, text in read_files(brought).items()}
        shutil.rmtree(brought, ignore_errors=True)
        for name in picture_files(job):
            file = self._place(TAKEN_PICTURES) / name
            if file.is_file():
                files[f"{TAKEN_PICTURES}/{name}"] = file.read_bytes()
                file.unlink()
        return files

    def close(self) -> None:
        """End the process, and delete this node's files."""
        self._process.end()
        self._scratch.cleanup()


def code_here() -> tuple[str, Mapping[str, str]]:
    """Return what must be the same on all nodes: the hash of the package's code, and versions of packages."""
    return code_hash(), versions()


def read_files(folder: Path) -> dict[str, bytes]:
    """Return the contents of all files in a folder; none if the folder does not exist."""
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in _counted(folder)}


def _counted(folder: Path) -> Iterator[Path]:
    """Yield a folder's files but those that hashes skip."""
    for path in sorted(folder.rglob("*")):
        if path.is_file() and not path.name.endswith(UNCOUNTED):
            yield path


def write_files(folder: Path, files: Files) -> None:
    """Write files into a folder, which is made; they replace files with the same names."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, content)


def below(files: Files, folder: str) -> Files:
    """Return those files that lie in a folder, by their paths in it.

    >>> below({"a/b/c": b"1", "d/e": b"2"}, "a")
    {'b/c': b'1'}
    """
    start = f"{folder}/"
    return {
        name.removeprefix(start): text for name, text in files.items() if name.startswith(start)
    }
