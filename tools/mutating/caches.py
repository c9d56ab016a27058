"""Files of compiled code: a file that differs from the stored one must be detected and compiled again."""

from collections.abc import Sequence
from pathlib import Path

from optimus_gym.core.errors import BadValue
from optimus_gym.worlds.voxel.compiling import sealed
from optimus_gym.worlds.voxel.tables.trigonometry import cosine, sine
from tools.mutating.changes import Draws, change_bytes


class Caches:
    """Stored machine code of two kernels; each file is also read under the name of the other."""

    def __init__(self) -> None:
        cosine(sine(30.0))
        paths = sorted(path for path in sealed.TOUCHED if path.suffix == ".code")
        self._whole = {(path.parent.name, path.name): path.read_bytes() for path in paths}

    def samples(self) -> Sequence[bytes]:
        """Return the files as they were stored."""
        return list(self._whole.values())

    def change(self, data: bytes, draws: Draws) -> bytes:
        """Return a changed file, or sometimes an unchanged one."""
        return data if draws.random() < 0.05 else change_bytes(data, draws)

    def use(self, path: Path) -> None:
        """Read a file under the name of each stored file.

        Raises:
            BadValue: the file equals no stored file.
            AssertionError: the cache accepted content that was not stored under that name.
        """
        read = 0
        data = path.read_bytes()
        for (folder, name), whole in self._whole.items():
            place = path.parent / folder / name
            place.parent.mkdir(exist_ok=True)
            place.write_bytes(data)
            found = sealed.load_sealed(place)
            assert found is None or whole.endswith(found), "another kernel's code"
            assert found is None or data == whole, "changed code"
            read += found is not None
        if not read:
            raise BadValue("cache: expected machine code as it was stored")
