"""What a kind of files must be able to do to be tried."""

from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

from tools.mutating.changes import Draws


class Kind(Protocol):
    """A kind of file; made once in each process that tries files of it."""

    def samples(self) -> Sequence[bytes]:
        """Return valid files."""

    def change(self, data: bytes, draws: Draws) -> bytes:
        """Return a valid file changed at random."""

    def use(self, path: Path) -> None:
        """Read a file and do with it what users do.

        Raises:
            OptimusError: it is refused, as it should be if it makes no sense.
            Exception: any other is a finding, and so is a wrong picture (`AssertionError`).
        """
