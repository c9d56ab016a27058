"""The command `optimus-gym serve-tools`: a task as named tools for language models outside, by a protocol.

The command imports the server only when needed, because the import of a world takes a second.
"""

import argparse
import asyncio
import ipaddress
import logging
import socket
from typing import Any, Final

from rich.console import Console

from optimus_gym.core.checks import check_count, check_name
from optimus_gym.core.errors import BadValue, MissingExtra, shown
from optimus_gym.envs.config import EnvConfig
from optimus_gym.run.options import add_setting_options
from optimus_gym.run.settings import asked
from optimus_gym.terminal.parser import whole
from optimus_gym.terminal.printing import words
from optimus_gym.terminal.running import say

TOOLS_EXAMPLES: Final = (
    "optimus-gym serve-tools Stone",
    "optimus-gym serve-tools Stone --speaks openenv --port 8000",
    "optimus-gym serve-tools Wood --world symbolic --speaks mcp-stdio",
)
SPEAKS: Final = ("mcp", "mcp-stdio", "openenv")
_MOST_PORT: Final = (1 << 16) - 1
_MOST_WORLDS: Final = 256
_ENDING_S: Final = 2
"""Seconds that requests have for their end when a signal ends the server."""


def add_tools_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `serve-tools`."""
    parser.add_argument(
        "task",
        nargs="?",
        default="Wood",
        metavar="TASK",
        help="task that clients play unless they name another one (default: Wood)",
    )
    parser.add_argument(
        "--speaks",
        default="mcp",
        metavar="PROTOCOL",
        help="mcp (over HTTP), mcp-stdio (with the program that starts the command) or openenv "
        "(default: mcp)",
    )
    parser.add_argument(
        "--pays",
        default="success",
        metavar="WHAT",
        help="rewarded ends: success (of the task) or subgoals (each one that is reached) (default: success)",
    )
    parser.add_argument(
        "--no-pictures",
        action="store_true",
        help="let the tool look answer by text alone (default: with the screen, if the world has pictures)",
    )
    parser.add_argument(
        "--port",
        type=whole,
        default=8000,
        metavar="P",
        help="port to listen on; 0 takes a free one (default: 8000)",
    )
    parser.add_argument(
        "--host",
        default="127.0.0.1",
        metavar="ADDRESS",
        help="address to listen on; the usual one serves this machine alone (default: 127.0.0.1)",
    )
    parser.add_argument(
        "--allow-host",
        action="append",
        default=[],
        metavar="NAME",
        help="further name of the server for clients and web pages; may be repeated (default: none)",
    )
    parser.add_argument(
        "--worlds",
        type=whole,
        default=4,
        metavar="N",
        help="most clients that play at the same time, each in a world of its own (default: 4)",
    )
    add_setting_options(parser, memory=False)


def serve_tools(parsed: argparse.Namespace) -> int:
    """Serve a task by tools until a signal ends the command; print one line when the server is ready.

    Raises:
        BadValue, UnknownName: an argument cannot be used, or the address is in use.
        MissingExtra: the protocol's package is not installed.
    """
    from optimus_gym.serve.mcp_tools import serve_mcp_by_stdio
    from optimus_gym.wrappers.tool_env import ToolSpec

    check_name("protocol of the option --speaks", parsed.speaks, SPEAKS)
    port = check_count("port", parsed.port, 0, _MOST_PORT)
    worlds = check_count("worlds", parsed.worlds, 1, _MOST_WORLDS)
    wanted = asked(parsed)
    arguments = {"task": parsed.task, **wanted.given, **wanted.settings}
    if wanted.start:
        arguments["start"] = dict(wanted.start)
    spec = ToolSpec(arguments, pictures=not parsed.no_pictures, pays=parsed.pays)
    _log_safely()
    if parsed.speaks == "mcp-stdio":
        _prepare(spec)
        asyncio.run(serve_mcp_by_stdio(spec))
        return 0
    allowed = [_host_name(name) for name in parsed.allow_host]
    app = _guarded(parsed.speaks, spec, worlds, (parsed.host, *allowed))
    with _listening(parsed.host, port) as listener:
        _prepare(spec)
        host, port = listener.getsockname()[:2]
        if not ipaddress.ip_address(host).is_loopback:
            say(
                f"warning: every machine that reaches {host} can play here, under a name of the "
                "options --host and --allow-host"
            )
        place = f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
        Console(highlight=False).print(words(f"ready on http://{place}"), soft_wrap=True)
        _run(app, listener, worlds)
    return 0


def _host_name(name: str) -> str:
    """Return a name of the option --allow-host.

    Raises:
        BadValue: the name has a scheme, a port or a path.
    """
    if not name.strip() or any(sign in name for sign in "/@ ") or _has_port(name):
        raise BadValue(
            f"--allow-host: expected a name or address alone, such as play.example, got {shown(name)}"
        )
    return name.strip("[]")


def _has_port(name: str) -> bool:
    """Return whether a port follows a host's name or address."""
    return name.count(":") == 1 or "]:" in name


def _guarded(protocol: str, spec: Any, worlds: int, hosts: tuple[str, ...]) -> Any:
    """Return the application of a protocol behind a guard that lets in the loopback names and `hosts`."""
    from optimus_gym.serve.door_guard import LOOPBACK_NAMES, DoorGuard

    if protocol == "openenv":
        from optimus_gym.serve.openenv_tools import openenv_app

        app = openenv_app(spec, worlds)
    else:
        from optimus_gym.serve.mcp_tools import mcp_app

        app = mcp_app(spec, worlds)
    return DoorGuard(app, (*LOOPBACK_NAMES, *hosts))


def _prepare(spec: Any) -> None:
    """Compile the embedded world, and check the specification by a first environment."""
    if spec.arguments.get("world", EnvConfig.world) == "voxel":
        from optimus_gym.serve.embedded_games import prepare_embedded_games

        prepare_embedded_games()
    with spec.make():
        pass


def _listening(host: str, port: int) -> socket.socket:
    """Return a socket that listens on an address.

    Raises:
        BadValue: the address cannot be listened on.
    """
    try:
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        return socket.create_server((host, port), family=family)
    except OSError as error:
        raise BadValue(
            f"address: expected a free address to listen on, got {host}:{port} ({error})"
        ) from None


def _run(app: Any, listener: socket.socket, worlds: int) -> None:
    """Serve an application on a socket until a signal comes."""
    try:
        import uvicorn
    except ImportError as error:
        raise MissingExtra("the server of tools", "mcp") from error
    from optimus_gym.serve.door_guard import MOST_BODY

    config = uvicorn.Config(
        app,
        log_config=None,
        access_log=False,
        ws_max_size=MOST_BODY,
        limit_concurrency=4 * worlds + 16,
        timeout_graceful_shutdown=_ENDING_S,
    )
    uvicorn.Server(config).run(sockets=[listener])


def _log_safely() -> None:
    """Let the servers' packages print errors as safe lines on the error stream."""
    logging.basicConfig(level=logging.WARNING, handlers=[_SafeLines()])
    logging.getLogger("uvicorn").setLevel(logging.ERROR)
    logging.getLogger("mcp").setLevel(logging.CRITICAL)  # it reports clients that leave as errors


class _SafeLines(logging.Handler):
    """Prints a record of a server's log as one line that cannot control the terminal."""

    def emit(self, record: logging.LogRecord) -> None:
        """Print a record without its traceback."""
        say(f"{record.name}: {record.getMessage()}")
