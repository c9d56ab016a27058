"""Writes programs that stand in for `java` and `xvfb-run`, so that MineRL programs need no Minecraft."""

import os
import shlex
import site
import stat
import sys
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Final

import optimus_gym
from optimus_gym.core.checks import check_path
from optimus_gym.core.errors import BadValue, shown

SHIM_MARK: Final = "# Written by `optimus-gym shims`"
"""Beginning of the second line of each program that this module writes."""
ENGINE_JAR: Final = "minestudio/engine/build/libs/mcprec-6.13.jar"
"""MineStudio's check wants this file to exist; its content does not matter."""
_PROGRAMS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "java": "java",
        "bin/java": "java",  # Gradle's wrapper takes it if JAVA_HOME is set
        "xvfb-run": "xvfb-run",
    }
)
"""Files below the folder of shims, each with the program that it stands in for."""
_MODE: Final = stat.S_IRWXU | stat.S_IRGRP | stat.S_IXGRP | stat.S_IROTH | stat.S_IXOTH


def write_shims(folder: str | Path) -> Path:
    """Write the programs and MineStudio's empty jar file below a folder, which is made if it is missing.

    Files that are there already with the same content are left as they are.

    Returns:
        the folder's absolute path.

    Raises:
        BadValue: a file of such a name is there with another content, or cannot be written, or the folder
            cannot stand on a path of programs. No file is overwritten.
    """
    if os.name != "posix":
        raise BadValue(f"shims: expected Linux or macOS, got {sys.platform}")
    root = check_path("folder", folder).absolute()
    if os.pathsep in str(root):
        raise BadValue(f"folder: expected a path without {os.pathsep!r}, got {shown(str(root))}")
    for name, program in _PROGRAMS.items():
        _write_new(root / name, shim_script(program).encode(), _MODE)
    _write_new(root / ENGINE_JAR, b"", stat.S_IRUSR | stat.S_IWUSR)
    return root


def shell_lines(root: Path) -> tuple[str, ...]:
    """Return the lines of a shell that put the shims first on the path of programs.

    >>> shell_lines(Path("/shims"))[0]
    'export PATH=/shims:"$PATH"'
    """
    home = root / Path(ENGINE_JAR).parts[0]
    return (
        f'export PATH={shlex.quote(str(root))}:"$PATH"',
        f"export JAVA_HOME={shlex.quote(str(root))}",
        f"export MINESTUDIO_DIR={shlex.quote(str(home))}",
    )


def shim_script(program: str) -> str:
    """Return the text of a program that runs `serve.stand_in` under this Python interpreter.

    The interpreter ignores the variables of the MineRL program's own Python ("-I") and finds the modules that
    this process finds.
    """
    paths = [str(Path(optimus_gym.__file__).absolute().parents[1])]
    paths += filter(None, os.environ.get("PYTHONPATH", "").split(os.pathsep))
    if site.ENABLE_USER_SITE:
        paths.append(site.getusersitepackages())
    found = list(dict.fromkeys(str(Path(path).absolute()) for path in paths))
    code = (
        f"import sys; sys.path[:0] = {found!r}; "
        "from optimus_gym.serve.stand_in import stand_in; sys.exit(stand_in(sys.argv[1:]))"
    )
    command = shlex.join([sys.executable, "-I", "-c", code, program])
    return (
        f"#!/bin/sh\n{SHIM_MARK}: runs the embedded world where a MineRL program launches Minecraft.\n"
        f'exec {command} "$@"\n'
    )


def _write_new(path: Path, content: bytes, mode: int) -> None:
    """Write a file that is not there yet, or is there with the same content.

    Raises:
        BadValue: the file is there with another content, or cannot be written.
    """
    try:
        os.makedirs(path.parent, exist_ok=True)
    except OSError as error:
        raise BadValue(f"folder: expected a folder to write to ({error})") from None
    try:
        with open(path, "xb", opener=lambda name, flags: os.open(name, flags, mode)) as file:
            file.write(content)
    except FileExistsError:
        if path.is_file() and path.stat().st_size == len(content) and path.read_bytes() == content:
            return
        raise BadValue(f"folder: expected no file {path}, got one of other content") from None
    except OSError as error:
        raise BadValue(f"folder: expected a folder to write to ({error})") from None
