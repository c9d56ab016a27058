"""Ends a run in order after Ctrl-C or a signal: files are whole, and the cursor is shown."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType, TracebackType
from typing import Any, Final

INTERRUPTED: Final = 128 + signal.SIGINT
"""Exit status after Ctrl-C, as in shells."""
SIGNALS: Final = tuple(
    getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)
)
"""Signals besides Ctrl-C that end a process and that a handler can catch: those of `kill` and of a
closed terminal."""


class Stopping:
    """A context in which the signals of `SIGNALS` raise KeyboardInterrupt as Ctrl-C does.

    A signal that the process ignores (`nohup`) or handles already keeps its handling.

    Attributes:
        status: the exit status for the latest signal.
    """

    def __init__(self) -> None:
        self.status = INTERRUPTED
        self._former: dict[int, Any] = {}

    def _stop(self, number: int, _: FrameType | None) -> None:
        self.status = 128 + number
        raise KeyboardInterrupt

    def __enter__(self) -> "Stopping":
        for number in SIGNALS:
            if signal.getsignal(number) is signal.SIG_DFL:
                self._former[number] = signal.signal(number, self._stop)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        for number, former in self._former.items():
            signal.signal(number, former)


@contextmanager
def asked_to_stop() -> Iterator[list[int]]:
    """Yield a list that gets an entry at the first Ctrl-C, so that the caller can finish its work.

    A second Ctrl-C raises KeyboardInterrupt.

    The process's guard (`terminal.watchdog`) kills the process if it still runs `GRACE_S` seconds after the
    first Ctrl-C.
    """
    asked: list[int] = []

    def note(number: int, _: object) -> None:
        if asked:
            raise KeyboardInterrupt
        asked.append(number)

    if threading.current_thread() is not threading.main_thread():
        yield asked
        return
    before = signal.signal(signal.SIGINT, note)
    try:
        yield asked
    finally:
        signal.signal(signal.SIGINT, before)
