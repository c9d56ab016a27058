"""Hash configuration, code, files and versions: these and the seed decide the result of an episode."""

import hashlib
import inspect
import json
import os
import platform
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, Final

from optimus_gym.core.parts import Part, part_of
from optimus_gym.envs.config import PART_KINDS
from optimus_gym.memory.memory_folders import memory_folder
from optimus_gym.run.evaluate.evaluation import Evaluation
from optimus_gym.run.results.row import FORMAT

_INNER: Final = ("agent", "aligner")
"""Kind of a part, and its option that specifies a part of its own."""
PACKAGES: Final = (
    "optimus-gym",
    "gymnasium",
    "numpy",
    "numba",
    "networkx",
    "torch",
    "stable-baselines3",
    "transformers",
    "openai",
)
"""Distributions whose versions may decide a result; `versions` reports the installed ones."""
_HOMES: Final = ("optimus_gym", "optimus_gym.envs", "optimus_gym.wrappers", "optimus_gym.baselines")
"""Packages whose files `code_hash` covers; the last three may lie outside the folder `optimus_gym`."""
UNCOUNTED: Final = (".pyc", "-shm")
"""Endings of file names that hashes skip: compiled Python code, and shared memory of SQLite's readers."""
_LOG: Final = "-wal"
"""Ending of the name of SQLite's write-ahead log. Programs that only read a database leave an
empty log behind, which hashes skip."""
_NO_PART: Final = ("tasks", "episodes", "memory", "learn_into")
"""Fields of an evaluation that `identity_of` leaves out. `tasks` and `episodes` may grow from one run to the
next. The memory's content is part of the identity (`memory_hash`), the paths of memories are not."""


def identity_of(evaluation: Evaluation) -> dict[str, Any]:
    """Return everything that an evaluation's rows must share, as JSON values.

    `episodes` and `tasks` are left out: a later run in the same folder may have more of them.
    """
    asked = evaluation.plain()
    return {
        "format": FORMAT,
        "evaluation": {name: value for name, value in asked.items() if name not in _NO_PART},
        "code": code_hash(),
        "files": part_files(evaluation),
        "memory": memory_hash(evaluation.memory),
        "versions": versions(),
    }


def configuration_hash(identity: Mapping[str, Any]) -> str:
    """Return the SHA-256 of a configuration, of the files that the configuration names, and of the memory."""
    told = {name: identity[name] for name in ("evaluation", "files", "memory")}
    return hashlib.sha256(json.dumps(told, sort_keys=True).encode()).hexdigest()


@cache
def code_hash() -> str:
    """Return the SHA-256 of the names and contents of all files of the package."""
    return _hash(code_files())


def code_files() -> dict[str, Path]:
    """Return all files of the package; their names are the same for an installed package and a checkout."""
    found: dict[str, Path] = {}
    for home in _HOMES:
        root = Path(str(import_module(home).__file__)).parent
        for file in _files(root):
            name = f"{home.replace('.', '/')}/{file.relative_to(root).as_posix()}"
            found.setdefault(name, file)
    return found


def memory_hash(memory: str | os.PathLike[str] | None) -> str:
    """Return the SHA-256 of the names and contents of a memory's files; "" without a memory."""
    return "" if memory is None else _tree(memory_folder(memory))


def part_files(evaluation: Evaluation) -> dict[str, str]:
    """Return the SHA-256 of each file that a part uses from outside the package, by part or option.

    Files from outside the package are the module of a user's part, and the files or folders that the part's
    options name, such as weights. An agent's aligner is a part, too.
    """
    found: dict[str, str] = {}
    for kind in PART_KINDS:
        part = part_of(kind, getattr(evaluation, kind))
        assert part is not None, "an evaluation holds specifications alone"
        found |= _files_of(kind, kind, part)
    return found


def _files_of(kind: str, where: str, part: Part) -> dict[str, str]:
    """Return the SHA-256 of each file from outside the package that a part uses; `where` names the part."""
    found: dict[str, str] = {}
    source = inspect.getsourcefile(part.maker)
    if source is not None and not part.maker.__module__.startswith("optimus_gym."):
        found[f"{where} {part.name}"] = _hash({"": Path(source)})
    for name, value in part.options.items():
        inner = part_of(name, value) if (kind, name) == _INNER else None
        if inner is not None:
            found |= _files_of(name, f"{where}.{name}", inner)
        found.update({place: _tree(path) for place, path in _named(f"{where}.{name}", value)})
    return found


def _named(where: str, value: object) -> Iterator[tuple[str, Path]]:
    """Yield (option name, path) for each file or folder that an option names, also in mappings and lists."""
    if isinstance(value, Mapping):
        for key, one in value.items():
            yield from _named(f"{where}.{key}", one)
    elif isinstance(value, (list, tuple)):
        for place, one in enumerate(value):
            yield from _named(f"{where}.{place}", one)
    elif isinstance(value, str) and os.path.exists(path := os.path.expanduser(value)):
        yield where, Path(path)


def versions() -> dict[str, str]:
    """Return the versions of Python and of the packages that may decide a result."""
    found = {"python": platform.python_version()}
    for name in PACKAGES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return found


def _tree(path: Path) -> str:
    """Return the SHA-256 of a file's content, or of the names and contents of all files in a folder."""
    if path.is_file():
        return _hash({"": path})
    return _hash({file.relative_to(path).as_posix(): file for file in _files(path)})


def _files(root: Path) -> Iterable[Path]:
    return (
        file
        for file in sorted(root.rglob("*"))
        if file.is_file() and "__pycache__" not in file.parts and not _is_uncounted(file)
    )


def _is_uncounted(file: Path) -> bool:
    """Return whether the hash of a folder skips a file."""
    if file.name.endswith(_LOG):
        return file.stat().st_size == 0
    return file.name.endswith(UNCOUNTED)


def _hash(files: Mapping[str, Path]) -> str:
    whole = hashlib.sha256()
    for name, file in sorted(files.items()):
        whole.update(f"{name}\0".encode())
        whole.update(hashlib.sha256(file.read_bytes()).digest())
    return whole.hexdigest()
