"""Finds what the launch of a game needs: the game's jar, Java, and a display for hosts without one."""

import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from optimus_gym.core.checks import check_file, check_home_path
from optimus_gym.core.errors import BadValue, OptimusError, shown

GAME_PAGE: Final = "docs/minerl.md"
JAR: Final = "build/libs/mcprec-6.13.jar"
"""The game's jar in MineRL 1.0's folder MCP-Reborn, and in MineStudio's folder engine."""
_BELOW: Final = ("", "engine", "MCP-Reborn", "minerl/MCP-Reborn")
"""Folders that may hold the jar, below a folder that the user gives."""
STUDIO_VARIABLE: Final = "MINESTUDIO_DIR"
"""Environment variable with MineStudio's folder; without it, `MineStudio` in the folder for temporary files
(MineStudio 1.1.6, `utils/temp.py`)."""


class MissingGame(OptimusError, RuntimeError):
    """The game, or a program that runs it, is not installed; the message says what to install."""

    def __init__(self, what: str) -> None:
        super().__init__(f"{what} ({GAME_PAGE})")
        self.what = what

    def __reduce__(self) -> tuple[type["MissingGame"], tuple[str]]:
        return type(self), (self.what,)


def find_jar(jar: object, home: object, package: str) -> Path:
    """Return the path of the game's jar.

    Args:
        jar: the jar, or None.
        home: a folder of MineRL or MineStudio that holds the jar, or None.
        package: the installed package whose game is wanted: "minerl" or "minestudio".

    Raises:
        BadValue: `jar` is no file, or `home` holds no jar.
        MissingGame: nothing is given, and the package has no game.
    """
    if jar is not None:
        return check_file("jar", check_home_path("jar", jar)).absolute()
    if home is not None:
        folder = check_home_path("home", home)
        found = _jar_below(folder)
        if found is None:
            places = ", ".join(str(Path(below) / JAR) for below in _BELOW)
            raise BadValue(
                f"home: expected a folder of MineRL 1.0 or MineStudio with one of {places}, got "
                f"{shown(str(folder))} ({GAME_PAGE})"
            )
        return found
    for folder in _homes(package):
        found = _jar_below(folder)
        if found is not None:
            return found
    title = {"minerl": "MineRL 1.0", "minestudio": "MineStudio"}[package]
    raise MissingGame(
        f"the game is not installed: install {title} and its engine, or give jar=, home= or "
        'address="host:port" of a running game'
    )


def _homes(package: str) -> Iterator[Path]:
    """Yield the folders in which an installed package keeps its game."""
    if package == "minestudio":
        given = os.environ.get(STUDIO_VARIABLE)
        yield Path(given) if given else Path(tempfile.gettempdir()) / "MineStudio"
    try:
        found = find_spec(package)
    except (ImportError, ValueError):  # a broken installation
        return
    if found is not None and found.origin is not None:
        yield Path(found.origin).parent


def _jar_below(folder: Path) -> Path | None:
    for below in _BELOW:
        path = folder / below / JAR
        if path.is_file():
            return path.absolute()
    return None


def find_java(java: object) -> str:
    """Return the path of Java: the one given, that of JAVA_HOME, or the first on PATH.

    Raises:
        BadValue: `java` is no program.
        MissingGame: there is no Java.
    """
    if java is not None:
        if not isinstance(java, str | os.PathLike):
            raise BadValue(f"java: expected a program's path or name, got {shown(java)}")
        found = shutil.which(os.path.expanduser(java))
        if found is None:
            raise BadValue(f"java: expected a program, got {shown(os.fspath(java))} ({GAME_PAGE})")
        return found
    home = os.environ.get("JAVA_HOME")
    found = shutil.which("java", path=str(Path(home) / "bin")) if home else None
    found = found or shutil.which("java")
    if found is None:
        raise MissingGame("Java is not installed: install Java 8, or give java=")
    return found


def display_words(headless: bool | None) -> tuple[str, ...]:
    """Return the words before a launch command that give the game a display.

    Args:
        headless: whether the game gets a display of its own; None: if there is none on Linux.

    Raises:
        MissingGame: the host has no display and no xvfb-run.
    """
    if headless is None:
        has_display = os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
        headless = sys.platform.startswith("linux") and not has_display
    if not headless:
        return ()
    found = shutil.which("xvfb-run")
    if found is None:
        raise MissingGame(
            "there is no display and no xvfb-run: install xvfb (Debian: apt install xvfb), or set "
            "DISPLAY and give headless=False"
        )
    return found, "-a"
