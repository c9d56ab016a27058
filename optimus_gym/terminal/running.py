"""How a command runs as a process: one line for an error, an exit status, an end at Ctrl-C or a signal."""

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
"""The agent asked a model and could use no reply of it (`NoReplyUsed`)."""
EXIT_SYSTEM: Final = 74
"""Reading or writing failed, as where the disk is full; sysexits.h, EX_IOERR."""


def carry_out(name: str, work: Callable[[], int], stopped: str = "") -> int:
    """Do a command's work and return the exit status.

    The status is that of the work; 2: bad input; 3: the agent could use no reply of a model; 74: the system
    could not read or write something; 128 and a signal's number: the process was told to end (130: Ctrl-C).

    Args:
        name: the command's, before each error.
        work: does it, and returns a status.
        stopped: what is said after Ctrl-C or a signal; empty: nothing.
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
        if not isinstance(error, BrokenPipeError):  # whoever reads the output has enough
            complain(name, error)
        return EXIT_SYSTEM
    return stopping.status if status == INTERRUPTED else status


def complain(name: str, error: Exception) -> int:
    """Say in one line what went wrong, and return the status: that of bad input, or of an unused model."""
    say(f"{name}: {error}")
    return EXIT_UNUSED if isinstance(error, NoReplyUsed) else EXIT_BAD_INPUT


def say(line: str) -> None:
    """Print to the error stream, if there is still somewhere to print."""
    with suppress(OSError):
        Console(stderr=True).print(words(line), soft_wrap=True)


def _mute(stream: TextIO) -> None:
    """Let what a stream still holds go nowhere; Python would try again to write it at the end."""
    with open(os.devnull, "w") as nowhere:
        os.dup2(nowhere.fileno(), stream.fileno())
