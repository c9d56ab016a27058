"""Keys under which machine code is stored, made from the code's sources.

The key of Numba's own cache is one file's time stamp, which misses changes in functions of other files and in
the tables that a kernel holds as constants. A key made by this module is a hash of the kernel's source file,
of every file of the package that the source file imports, directly or not, of all files in the `data` folders
next to these files, and of the compilers' versions and settings. A kernel thus never runs machine code that
was made from older sources.
"""

import hashlib
import re
import sys
from functools import cache
from importlib.metadata import version
from pathlib import Path

import llvmlite
import numba
import numpy as np

from optimus_gym.worlds.voxel.compiling import choice

PACKAGE = Path(__file__).resolve().parents[3]
_IMPORT = re.compile(
    r"^\s*(?:from|import) (optimus_gym[\w.]*)(?: import (\([^)]*\)|.*))?", re.MULTILINE
)
_SETTINGS = ("OPT", "BOUNDSCHECK", "LOOP_VECTORIZE", "SLP_VECTORIZE", "DEBUGINFO_DEFAULT")
"""Numba's settings that change machine code (`NUMBA_OPT` and so on)."""


@cache
def _compilers() -> str:
    """Return the compilers' versions and settings, and the versions of packages whose tables kernels hold."""
    settings = [f"{name}={getattr(numba.config, name)}" for name in _SETTINGS]
    versions = [numba.__version__, llvmlite.__version__, np.__version__, version("minecraft-data")]
    return " ".join((sys.version, *versions, *settings, choice.compiler()))


@cache
def _imports(file: str) -> tuple[str, ...]:
    """Return the files of the package that a source file imports."""
    files: list[str] = []
    for module, names in _IMPORT.findall(Path(file).read_text(encoding="utf-8")):
        parts = (part.split(" as ")[0].strip() for part in names.strip("()").split(","))
        for name in (module, *(f"{module}.{part}" for part in parts if part)):
            files.extend(_files_of(name))
    return tuple(dict.fromkeys(files))


@cache
def _files_of(module: str) -> tuple[str, ...]:
    """Return the source file of a module of the package; empty if the module does not exist.

    The function searches the disk, because the modules that are already loaded depend on the order of
    imports.
    """
    stem = PACKAGE.parent.joinpath(*module.split("."))
    files = (stem.with_suffix(".py"), stem / "__init__.py")
    return tuple(str(file) for file in files if file.is_file())


@cache
def _data_beside(folder: Path) -> tuple[str, ...]:
    """Return all files in the subfolder `data` of a folder, at any depth."""
    found = (folder / "data").rglob("*")
    return tuple(str(path) for path in found if path.is_file() and path.suffix != ".pyc")


def source_files(file: str) -> list[str]:
    """Return the paths of all sources and data that the kernels of a source file are made from."""
    seen = {file}
    waiting = [file]
    while waiting:
        new = set(_imports(waiting.pop())) - seen
        seen |= new
        waiting += new
    data = {path for source in seen for path in _data_beside(Path(source).parent)}
    return sorted(seen | data)


def source_key(file: str) -> str:
    """Return the name of the folder for the machine code of a source file's kernels (32 hex digits)."""
    digest = hashlib.sha256(_compilers().encode())
    for path in source_files(file):
        digest.update(_file_key(path))
    return digest.hexdigest()[:32]


@cache
def _file_key(path: str) -> bytes:
    """Return a hash of a file's path in the package and of the file's content."""
    place = (
        Path(path).relative_to(PACKAGE) if Path(path).is_relative_to(PACKAGE) else Path(path).name
    )
    return hashlib.sha256(f"{place}\0".encode() + Path(path).read_bytes()).digest()
