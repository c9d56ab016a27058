"""Reads the command lines of MineRL and MineStudio for a launch of Minecraft.

Source: `launchClient.sh` and `malmo.py` of MineRL 0.4.4 and MineStudio 1.1.6.
"""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Final

_PORT_OPTION: Final = "--envPort="
"""Option of Minecraft in MineRL 1.0 and MineStudio."""
_MOD: Final = re.compile(r"MalmoMod-[\d.]+-fat\.jar")
"""Name of the built game of MineRL 0.4.4."""
_GRADLE: Final = "org.gradle.wrapper.GradleWrapperMain"
"""Main class of Gradle's wrapper, which builds and runs the game of MineRL 0.4.4."""
_RUN_TASK: Final = "runClient"
_RUN_FOLDER: Final = "-PrunDir="
_SETTING: Final = "config/malmomodCLIENT.cfg"
"""File in the game's folder that holds the port for MineRL 0.4.4."""
_PORT_LINE: Final = re.compile(r"^\s*I:portOverride=(\d{1,5})\s*$", re.MULTILINE)
_MOST_SETTING: Final = 1 << 16
"""Maximum number of characters that are read of the file."""
_WITH_VALUE: Final = frozenset(
    (
        *("-e", "--error-file", "-f", "--auth-file", "-n", "--server-num"),
        *("-p", "--xauth-protocol", "-s", "--server-args", "-w", "--wait"),
    )
)
"""Options of `xvfb-run` that take the next argument as value (Debian, xvfb-run(1))."""


def launch_port(arguments: Sequence[str], folder: Path) -> int | None:
    """Return the port that a command line of `java` gives to Minecraft; None if it starts something else.

    Args:
        arguments: the arguments of `java`.
        folder: the folder in which `java` was called.

    >>> launch_port(["-Xmx2G", "-jar", "mcprec-6.13.jar", "--envPort=9003"], Path())
    9003
    >>> launch_port(["-version"], Path())
    """
    for argument in arguments:
        if argument.startswith(_PORT_OPTION):
            return _port(argument.removeprefix(_PORT_OPTION))
    if any(_MOD.fullmatch(Path(argument).name) for argument in arguments):
        return _port_in_setting(folder)
    if _GRADLE in arguments and _RUN_TASK in arguments:
        named = [one for one in arguments if one.startswith(_RUN_FOLDER)]
        run = named[-1].removeprefix(_RUN_FOLDER) if named else "run"
        return _port_in_setting(folder / run)
    return None


def _port(text: str) -> int | None:
    return int(text) if re.fullmatch(r"\d{1,5}", text) and int(text) < 1 << 16 else None


def _port_in_setting(run: Path) -> int | None:
    """Return the port in the game's settings; None if there is none."""
    try:
        with (run / _SETTING).open(encoding="utf-8", errors="replace") as file:
            found = _PORT_LINE.search(file.read(_MOST_SETTING))
    except OSError:
        return None
    return _port(found[1]) if found else None


def command_under_display(arguments: Sequence[str]) -> list[str]:
    """Return the command that the arguments of `xvfb-run` run, with its arguments; [] if there is none.

    >>> command_under_display(["-a", "-s", "-screen 0 1024x768x24", "java", "-version"])
    ['java', '-version']
    """
    left = list(arguments)
    while left and left[0].startswith("-"):
        option = left.pop(0)
        if option == "--":
            break
        if option in _WITH_VALUE and left:
            left.pop(0)
    return left
