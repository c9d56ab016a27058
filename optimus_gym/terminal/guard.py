"""A guard that ends a command which does not end by itself after Ctrl-C or a signal, whatever it hangs in.

Python sees to a signal between two of its own instructions. A kernel, a search in a text or a driver that
never returns keeps it from that. The C part of Python, though, writes each signal's number to a pipe at once.
A small process reads it and kills the command if that still runs after `GRACE_S`.
"""

import os
import signal
import subprocess
import sys
from contextlib import suppress
from typing import Final

GRACE_S: Final = 4.0
"""Seconds in which a command ends by itself: files are closed, worker processes are ended."""
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
"""What the guard runs; it ends with the command, whose end of the pipe closes then."""


def start_guard() -> None:
    """Let a guard watch over this process until it ends; to be called once, in the main thread.

    Where there are no such signals and pipes (Windows), and where no process can be started, nothing is done.
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
