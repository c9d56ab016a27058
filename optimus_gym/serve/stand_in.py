"""The programs `java` and `xvfb-run` that `optimus-gym shims` writes.

`java` starts the embedded world at each command line that launches Minecraft for MineRL or MineStudio, and
prints the lines that the clients wait for. All other calls go to the next program of that name on the path.
"""

import math
import os
import select
import shutil
import sys
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

from optimus_gym.core.errors import BadValue
from optimus_gym.serve.game_launches import command_under_display, launch_port
from optimus_gym.serve.game_server import THIS_MACHINE, GameServer, log_to_stderr
from optimus_gym.serve.sessions import ClientPatience
from optimus_gym.serve.shims import SHIM_MARK
from optimus_gym.terminal.running import carry_out
from optimus_gym.worlds.malmo.games import Game

PORT_LINE: Final = "***** Start MalmoEnvServer on port "
"""Beginning of the line that tells a client the port of its game."""
READY_LINE: Final = "CLIENT enter state: DORMANT"
"""The line that tells a client that its game is ready."""
_VERSION_LINES: Final = (
    'openjdk version "1.8.0_0"\n'
    "A stand-in of optimus-gym for Java: it runs an embedded world in place of Minecraft."
)
_PULSE_S: Final = 0.5
"""Seconds between two looks at whether the client is still there."""
_GRACE_S: Final = 5.0
"""Seconds that the server has to end in order when the client has gone."""
_NOT_FOUND: Final = 127
"""Exit status if a command is not found, as in shells."""


def stand_in(arguments: Sequence[str]) -> int:
    """Stand in for a program; return the exit status.

    Args:
        arguments: the program's name, "java" or "xvfb-run", then its arguments.
    """
    program, *rest = arguments
    if program == "xvfb-run":
        return _run_under_display(rest)
    port = launch_port(rest, Path.cwd())
    if port is not None:
        return carry_out("java", lambda: _serve_one(port))
    if rest and rest[0].lstrip("-") in ("version", "fullversion") and not _next_program("java"):
        sys.stderr.write(_VERSION_LINES + "\n")
        return 0
    return _hand_on("java", rest)


def _run_under_display(arguments: Sequence[str]) -> int:
    """Run a command, without a display if it launches a game or if there is no `xvfb-run`."""
    command = command_under_display(arguments)
    if not command:
        return _hand_on("xvfb-run", arguments)
    launches = Path(command[0]).name in ("java", "gradlew")
    if not launches and _next_program("xvfb-run"):
        return _hand_on("xvfb-run", arguments)
    return _become(command[0], command)


def _hand_on(name: str, arguments: Sequence[str]) -> int:
    """Become the next program of a name on the path, or complain that there is none."""
    program = _next_program(name)
    if program is None:
        told = " ".join(arguments)[:200]
        sys.stderr.write(
            f"{name}: expected a launch of MineRL's or MineStudio's game, got {told!r}; "
            f"no other {name} is on the path\n"
        )
        return _NOT_FOUND
    return _become(program, [name, *arguments])


def _become(program: str, command: Sequence[str]) -> int:
    """Replace this process by a program; return an exit status only if the program cannot run."""
    sys.stdout.flush()
    try:
        os.execvp(program, list(command))
    except OSError as error:
        sys.stderr.write(f"{program}: {error}\n")
    return _NOT_FOUND


def _next_program(name: str) -> str | None:
    """Return the first program of a name on the path, apart from our own."""
    for folder in os.get_exec_path():
        found = shutil.which(name, path=folder)
        if found is not None and not _is_shim(found):
            return found
    return None


def _is_shim(path: str) -> bool:
    with suppress(OSError), open(path, "rb") as file:
        return SHIM_MARK.encode() in file.read(200)
    return False


def _serve_one(port: int) -> int:
    """Serve one embedded world until a client ends it, or until the launching program has gone."""
    from optimus_gym.serve.embedded_games import embedded_games, prepare_embedded_games

    family = _family()
    # The port tells apart the games that a program launches, so that each draws seeds of its own.
    with _server_on(port, embedded_games(log_to_stderr, port)) as server:
        threading.Thread(target=_end_with_client, args=(server, family), daemon=True).start()
        prepare_embedded_games()
        sys.stdout.write(f"{PORT_LINE}{server.address[1]}\n{READY_LINE}\n")
        sys.stdout.flush()
        server.serve()
    return 0


def _server_on(port: int, make_game: Callable[[int], Game]) -> GameServer:
    """Return a server on a port, or on a free one if another program was quicker; the client reads which."""
    patience = ClientPatience(silence=math.inf)  # the game has no other client that waits
    try:
        return GameServer(make_game, 1, THIS_MACHINE, port, may_exit=True, patience=patience)
    except BadValue:
        return GameServer(make_game, 1, THIS_MACHINE, may_exit=True, patience=patience)


def _end_with_client(server: GameServer, family: tuple[int, int]) -> None:
    """End the process once the launching program has gone, in the middle of a compilation if need be."""
    output = select.poll()
    if sys.stdout is not None:
        output.register(sys.stdout.fileno(), 0)
    while _family() == family and not output.poll(_PULSE_S * 1000):
        pass
    server.stop()
    time.sleep(_GRACE_S)
    os._exit(0)


def _family() -> tuple[int, int]:
    """Return the numbers of the parent and the grandparent process, 0 if the system does not tell.

    The parent is the client's launching script, and the grandparent is the client. A script that outlives its
    client gets another parent.
    """
    parent = os.getppid()
    with suppress(OSError, ValueError, IndexError):
        # The parent's number is the second field behind the name, which stands in brackets.
        fields = Path(f"/proc/{parent}/stat").read_text("utf-8", "replace").rpartition(")")[2]
        return parent, int(fields.split()[1])
    return parent, 0
