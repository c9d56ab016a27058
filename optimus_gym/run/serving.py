"""The commands `optimus-gym serve` and `optimus-gym shims`: worlds for the clients of MineRL and MineStudio.

The commands import the server only when needed, because the import of a world takes a second.
"""

import argparse
import ipaddress
from typing import Final

from rich.console import Console

from optimus_gym.core.checks import check_count
from optimus_gym.terminal.parser import whole
from optimus_gym.terminal.printing import words
from optimus_gym.terminal.running import say

SERVE_EXAMPLES: Final = ("optimus-gym serve", "optimus-gym serve --port 9100 --worlds 8")
SHIMS_EXAMPLES: Final = ("optimus-gym shims minerl-shims",)
_MOST_PORT: Final = (1 << 16) - 1
_MOST_WORLDS: Final = 256


def add_serve_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `serve`."""
    parser.add_argument(
        "--port",
        type=whole,
        default=9000,
        metavar="P",
        help="port to listen on; 0 takes a free one (default: 9000)",
    )
    parser.add_argument(
        "--host",
        default="127.0.0.1",
        metavar="ADDRESS",
        help="address to listen on; the usual one serves this machine alone (default: 127.0.0.1)",
    )
    parser.add_argument(
        "--worlds",
        type=whole,
        default=4,
        metavar="N",
        help="most clients that play at the same time, each in a world of its own (default: 4)",
    )


def serve(parsed: argparse.Namespace) -> int:
    """Serve embedded worlds until a signal ends the command; print one line when they are ready.

    Raises:
        BadValue: an argument cannot be used, or the address is in use.
    """
    from optimus_gym.serve.embedded_games import embedded_games, prepare_embedded_games
    from optimus_gym.serve.game_server import GameServer, log_to_stderr
    from optimus_gym.serve.memory_pool import share_memory_pool

    share_memory_pool()
    port = check_count("port", parsed.port, 0, _MOST_PORT)
    worlds = check_count("worlds", parsed.worlds, 1, _MOST_WORLDS)
    make_game = embedded_games(log_to_stderr)
    with GameServer(make_game, worlds, parsed.host, port) as server:
        prepare_embedded_games()
        host, port = server.address
        if not ipaddress.ip_address(host).is_loopback:
            say(f"warning: every machine that reaches {host} can play here")
        place = f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
        Console(highlight=False).print(words(f"ready on {place}"), soft_wrap=True)
        server.serve()
    return 0


def add_shims_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `shims`."""
    parser.add_argument(
        "folder", metavar="DIR", help="folder for the programs `java` and `xvfb-run`"
    )


def shims(parsed: argparse.Namespace) -> int:
    """Write the programs that stand in for `java` and `xvfb-run`; print the lines for a shell to use them.

    Raises:
        BadValue: a file of such a name is there already with another content, or cannot be written.
    """
    from optimus_gym.serve.shims import shell_lines, write_shims

    console = Console(highlight=False)
    for line in shell_lines(write_shims(parsed.folder)):
        console.print(words(line), soft_wrap=True)
    return 0
