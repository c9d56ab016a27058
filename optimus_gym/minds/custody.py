"""Guard of a memory that may become unusable: the agent stops, or goes on without the memory."""

import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Final, TypeVar

from optimus_gym.core.errors import BadMemory

ON_BAD_MEMORY: Final = ("stop", "go_on")
_T = TypeVar("_T")


class Custody:
    """Guards the use of one memory folder, which may become unusable.

    Args:
        choice: "stop" raises the error of a memory that cannot be used; "go_on" warns once, and no longer
            uses the memory.
        folder: the memory folder, for the warning; None: there is no memory.

    Attributes:
        fault: why the memory was lost, in words; "" while it can be used.
    """

    def __init__(self, choice: str, folder: Path | None) -> None:
        self._goes_on = choice == "go_on"
        self._folder = folder
        self.fault = ""

    def use(self, work: Callable[[], _T], without: _T) -> _T:
        """Call `work`, which uses the memory, and return its result; return `without` if the memory is lost.

        Args:
            work: reads or writes the memory.
            without: the result if the memory cannot be used.

        Raises:
            BadMemory: the memory cannot be used, and `choice` is "stop".
        """
        if self.fault:
            return without
        try:
            return work()
        except BadMemory as error:
            if not self._goes_on:
                raise
            self.fault = " ".join(str(error).split())
        warnings.warn(
            f"memory: the agent goes on without '{self._folder}' and no longer reads or writes it: "
            f"{self.fault}",
            RuntimeWarning,
            stacklevel=2,
        )
        return without


STOPPING: Final = Custody("stop", None)
"""The guard that raises each error of reading or writing a memory, so that the agent stops."""
