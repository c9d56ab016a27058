"""Launches a game's process, waits until it listens, keeps its log, and ends it with all its children."""

import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import weakref
from collections import deque
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Final

from optimus_gym.core.errors import BadValue
from optimus_gym.worlds.malmo.client.remote_game import Address
from optimus_gym.worlds.malmo.framing import WireFault

PORT_MARK: Final = b"***** Start MalmoEnvServer on port "
"""Beginning of the line in which the game names the port at which it really listens."""
READY_MARK: Final = b"CLIENT enter state: DORMANT"
"""Part of the line after which the game takes missions. Source of both: MineStudio 1.1.6, `malmo.py`."""
HOST: Final = "127.0.0.1"
LINES_KEPT: Final = 200
"""Number of lines of the log that stay in memory."""
LINES_SHOWN: Final = 8
"""Number of lines of the log that an error shows."""
ENDING_SECONDS: Final = 5.0
"""Seconds for which a game may end by itself before it is killed."""
_LOOK_AGAIN: Final = 0.1
"""Seconds between two looks whether a game that starts is still wanted."""
_LONGEST_LINE: Final = 500
_LARGEST_LOG: Final = 1 << 24
"""Bytes after which the log's file is emptied."""
_PORTS_REMEMBERED: Final = 1000
_GUARD: Final = """\
exec 3<&0
"$@" 3<&- </dev/null &
game=$!
{ cat <&3 >/dev/null; kill -KILL 0; } &
exec 3<&-
wait $game
echo "the game ended with status $?"
kill -KILL 0
"""
"""A shell script that runs a command, and kills its own process group once the command has ended or the
script's standard input is closed: no game outlives the Python that launched it, however that ends."""


@dataclass(frozen=True, slots=True)
class LaunchPlan:
    """How games are launched.

    Attributes:
        command: the command without its port.
        seconds: seconds until a game must be ready.
        runtime: a folder whose files a game finds in its working folder, or None.
    """

    command: tuple[str, ...]
    seconds: float
    runtime: Path | None = None


def launch_command(display: Sequence[str], java: str, memory: str, jar: Path) -> tuple[str, ...]:
    """Return the command that launches a game, but for its port.

    Source: `launchClient.sh` of MineRL 1.0 and MineStudio 1.1.6.

    >>> launch_command(("xvfb-run", "-a"), "java", "2G", Path("game.jar"))[:4]
    ('xvfb-run', '-a', 'java', '-Xmx2G')
    """
    first_thread = ("-XstartOnFirstThread",) if sys.platform == "darwin" else ()
    return (*display, java, f"-Xmx{memory}", *first_thread, "-jar", str(jar))


class GameProcess:
    """A game in a process group and a working folder of its own; `address` says where it listens.

    The process ends at `close`, and when this Python ends. The log, in memory and in a file, is the output of
    the process.

    Args:
        plan: how to launch the game.
        stop: an event that ends the wait for the game.

    Raises:
        BadValue: this system has no process groups.
        WireFault: the game ended before it was ready, or `stop` came; the message has the log's last lines.
        TimeoutError: the game does not become ready; the message has the lines, too.
    """

    def __init__(self, plan: LaunchPlan, stop: threading.Event | None = None) -> None:
        if os.name != "posix":
            raise BadValue(
                'world: expected a system with process groups, got Windows; give address="host:port"'
            )
        self._folder = Path(tempfile.mkdtemp(prefix="optimus-gym-game-"))
        if plan.runtime is not None:
            shutil.copytree(plan.runtime, self._folder, dirs_exist_ok=True)
        self.log = self._folder / "game.log"
        self._lines: deque[str] = deque(maxlen=LINES_KEPT)
        self._lock = threading.Lock()
        self._told = threading.Event()
        self._is_ready = False
        self._port = _free_port()
        process = subprocess.Popen(
            ["/bin/sh", "-c", _GUARD, "sh", *plan.command, f"--envPort={self._port}"],
            cwd=self._folder,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        self._process = process
        self._end = weakref.finalize(self, _end_process, process, self._folder, os.getpid())
        assert process.stdout is not None, "the output is a pipe"
        threading.Thread(
            target=self._drain, args=(process.stdout,), name="game log", daemon=True
        ).start()
        self.address = Address(HOST, self._await(plan.seconds, stop or threading.Event()))

    def _drain(self, output: BinaryIO) -> None:
        """Read the output to its end into the log, and note the marks in it."""
        with output, self.log.open("wb") as file:
            while line := output.readline(_LONGEST_LINE):
                if file.tell() + len(line) > _LARGEST_LOG:
                    file.seek(0)
                    file.truncate()
                file.write(line)
                file.flush()
                with self._lock:
                    self._lines.append(line.decode("utf-8", "replace").rstrip())
                self._note(line)
        self._told.set()

    def _note(self, line: bytes) -> None:
        """Note the port and the readiness that a line tells."""
        if PORT_MARK in line:
            number = line.split(PORT_MARK)[-1].strip()
            if number.isdigit() and len(number) <= 5:
                self._port = int(number)
        if READY_MARK in line:
            self._is_ready = True
            self._told.set()

    def _await(self, seconds: float, stop: threading.Event) -> int:
        """Wait until the game is ready, and return its port."""
        deadline = time.monotonic() + seconds
        while not self._told.wait(_LOOK_AGAIN) and time.monotonic() < deadline:
            if stop.is_set():
                break
        if self._is_ready and not stop.is_set():
            return self._port
        words, ended = self.last_words(), self._told.is_set()
        self.kill(keeps_log=not stop.is_set())
        if stop.is_set():
            raise WireFault("expected a game that starts, got the world's end")
        if ended:
            raise WireFault(f"expected a game that starts, got one that ended{words}")
        raise TimeoutError(f"expected a game that is ready within {seconds:g} s{words}")

    def last_words(self) -> str:
        """Return the last lines of the log and the place of its file, to be put behind an error."""
        with self._lock:
            lines = [line for line in self._lines if line][-LINES_SHOWN:]
        return f"; the log ({self.log}) ends with: {' | '.join(lines) or 'nothing'}"

    def is_running(self) -> bool:
        """Return whether the process runs."""
        return self._process.poll() is None

    def close(self) -> None:
        """Wait some seconds for the process, then kill its group; may be called twice."""
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(ENDING_SECONDS)
        self.kill()

    def kill(self, keeps_log: bool = False) -> None:
        """Kill the process group and remove the working folder; may be called twice.

        Args:
            keeps_log: whether the working folder stays, with the log.
        """
        if self._end.detach() is not None:
            _end_process(self._process, None if keeps_log else self._folder, os.getpid())


def _end_process(process: "subprocess.Popen[bytes]", folder: Path | None, owner: int) -> None:
    """Kill a process group that the process with the id `owner` launched, and remove its folder."""
    if os.getpid() != owner:
        return  # this is a fork, in which the game is somebody else's
    if (
        process.poll() is None
    ):  # the group is surely ours as long as its first process is not reaped
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
    if process.stdin is not None:
        process.stdin.close()
    if folder is not None:
        shutil.rmtree(folder, ignore_errors=True)


_recent_ports: Final[deque[int]] = deque(maxlen=_PORTS_REMEMBERED)
_ports_lock: Final = threading.Lock()


def _free_port() -> int:
    """Return a free port that no other game of this process was given lately.

    Another program may take the port before the game does: the game then listens at another port, which it
    names (`PORT_MARK`).
    """
    with _ports_lock:
        while True:
            with socket.socket() as probe:
                probe.bind((HOST, 0))
                port = int(probe.getsockname()[1])
            if port not in _recent_ports:
                _recent_ports.append(port)
                return port
