"""The protocol of a kind of files for the trials."""

from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

from tools.mutating.changes import Draws


class Kind(Protocol):
    """A kind of file; each process that tries files makes one object of its kind."""

    def samples(self) -> Sequence[bytes]:
        """Return valid files."""

    def change(self, data: bytes, draws: Draws) -> bytes:
        """Return a valid file changed at random."""

    def use(self, path: Path) -> None:
        """Read a file and use it as users do.

        Raises:
            OptimusError: the package rejects the file, as it should reject nonsense.
            Exception: any other error is a finding, and so is a wrong picture (`AssertionError`).
        """
