"""A run that is told to end, by Ctrl-C or by the system, ends as it should: files whole, cursor shown."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType, TracebackType
from typing import Any, Final

INTERRUPTED: Final = 128 + signal.SIGINT
"""Exit status of what Ctrl-C has ended, as shells give it."""
SIGNALS: Final = tuple(
    getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)
)
"""What ends a process beside Ctrl-C and can be waited with: `kill`, a closed terminal."""


class Stopping:
    """While it is entered, the signals of `SIGNALS` raise KeyboardInterrupt as Ctrl-C does.

    Those that the process ignores (`nohup`) or handles stay as they are.

    Attributes:
        status: the exit status for the signal that came last.
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
    """Give a list that Ctrl-C fills, so that the work at hand is finished; a second Ctrl-C breaks it off.

    The guard of a process ends work that takes longer than the guard's grace.
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
