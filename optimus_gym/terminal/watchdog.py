"""A guard that kills a command which hangs after Ctrl-C or a signal.

Python runs the handler of a signal between two Python instructions: a signal has no effect while native
code (a compiled kernel, a text search, a driver) does not return. Python's C code, though, writes each
signal's number to a pipe at once. The guard, a small process, reads the pipe and kills the command if the
command still runs `GRACE_S` seconds after the signal.
"""

import os
import signal
import subprocess
import sys
from contextlib import suppress
from typing import Final

GRACE_S: Final = 4.0
"""Seconds after a signal in which a command can close its files and end its worker processes by itself."""
_GUARD: Final = """
import os, select, signal, sys, time
command, grace, wanted = int(sys.argv[1]), float(sys.argv[2]), set(map(int, sys.argv[3].split(",")))
for number in wanted:
    signal.signal(number, signal.SIG_IGN)
while not wanted & set(came := os.read(0, 64)):
    if not came:
        sys.exit()
end = time.monotonic() + grace
while os.getppid() == command and time.monotonic() < end:
    time.sleep(0.05)
if os.getppid() == command:
    sys.stderr.write("\\noptimus-gym: the command hung and was ended\\n")
    os.kill(command, signal.SIGKILL)
"""
"""The guard's Python program, which ends when the guarded command closes its end of the pipe."""


def start_guard() -> None:
    """Start a guard that watches this process until it ends; call `start_guard` once, in the main thread.

    The function does nothing on Windows, which lacks the signals and pipes, or if no process can start.
    """
    if os.name != "posix":
        return
    numbers = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
    told = [str(os.getpid()), str(GRACE_S), ",".join(str(int(number)) for number in numbers)]
    reads, writes = os.pipe()
    os.set_blocking(writes, False)
    with suppress(OSError):
        subprocess.Popen(
            [sys.executable, "-I", "-S", "-c", _GUARD, *told],
            stdin=reads,
            stdout=subprocess.DEVNULL,
            start_new_session=True,
        )
        signal.set_wakeup_fd(writes, warn_on_full_buffer=False)
    os.close(reads)
