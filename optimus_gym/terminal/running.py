"""Runs a command: prints an error in one line, returns an exit status, ends at Ctrl-C or a signal."""

import os
import sys
from collections.abc import Callable
from contextlib import suppress
from typing import Final, TextIO

from rich.console import Console

from optimus_gym.core.errors import NoReplyUsed, OptimusError
from optimus_gym.terminal.printing import words
from optimus_gym.terminal.stopping import INTERRUPTED, Stopping

EXIT_BAD_INPUT: Final = 2
EXIT_UNUSED: Final = 3
"""Exit status if the agent asked a model but could use no reply (`NoReplyUsed`)."""
EXIT_SYSTEM: Final = 74
"""Exit status if reading or writing failed, for instance on a full disk (`EX_IOERR` of sysexits.h)."""


def carry_out(name: str, work: Callable[[], int], stopped: str = "") -> int:
    """Do a command's work and return the command's exit status.

    The exit status is the one that `work` returns; or 2 for bad input, 3 if the agent could use no reply of a
    model, 74 if the system could not read or write something, or 128 plus the number of a signal that ended
    the process (130 for Ctrl-C).

    Args:
        name: the command's name, printed before each error.
        work: does the work and returns a status.
        stopped: the message after Ctrl-C or a signal; empty: no message.
    """
    stopping = Stopping()
    try:
        with stopping:
            status = work()
            if sys.stdout is not None:
                sys.stdout.flush()
    except OptimusError as error:
        return complain(name, error)
    except KeyboardInterrupt:
        if stopped:
            say(f"{name}: stopped; {stopped}")
        return stopping.status
    except OSError as error:
        _mute(sys.stdout)
        if not isinstance(error, BrokenPipeError):  # the reader of the output has closed it
            complain(name, error)
        return EXIT_SYSTEM
    return stopping.status if status == INTERRUPTED else status


def complain(name: str, error: Exception) -> int:
    """Print an error in one line and return its exit status: `EXIT_UNUSED` or `EXIT_BAD_INPUT`."""
    say(f"{name}: {error}")
    return EXIT_UNUSED if isinstance(error, NoReplyUsed) else EXIT_BAD_INPUT


def say(line: str) -> None:
    """Print a line to the error stream, if the stream is still open."""
    with suppress(OSError):
        Console(stderr=True).print(words(line), soft_wrap=True)


def _mute(stream: TextIO) -> None:
    """Discard a stream's buffer, which Python would otherwise try to write again at exit."""
    with open(os.devnull, "w") as nowhere:
        os.dup2(nowhere.fileno(), stream.fileno())
