"""Sources of a record's pictures and vectors: only checked, copied, or made by another aligner."""

from collections.abc import Collection, Iterator, Sequence, Sized
from typing import Final

import numpy as np

from optimus_gym.core.arrays import Pixels
from optimus_gym.core.errors import BadValue
from optimus_gym.memory.exchange.archive import Archive, picture_name
from optimus_gym.memory.exchange.records import Vector
from optimus_gym.memory.experience import Image
from optimus_gym.memory.pictures import unpacked
from optimus_gym.vision.aligner import Aligner, unit_vectors

MOST_PIXELS: Final = 2**22
"""Most pixels that an aligner gets at once, unless one picture alone has more."""


class References:
    """Checks that a record's pictures and vectors exist; returns empty ones.

    Args:
        pictures: SHA-256 of the pictures.
        rows: a collection as long as the list of vectors.
    """

    def __init__(self, pictures: Collection[str], rows: Sized) -> None:
        self._pictures = pictures
        self._rows = rows
        self._nothing = np.zeros(0, np.float32)
        self.pictures: set[str] = set()
        self.rows: set[int] = set()

    def image(self, where: str, tick: int, picture: str, row: int) -> Image:
        """Note the use of a picture and a vector.

        Raises:
            BadValue: the picture or the vector does not exist.
        """
        if picture not in self._pictures:
            raise BadValue(f"{where}: expected a picture that is there, got {picture!r}")
        self.pictures.add(picture)
        return Image(tick, b"", self._row(where, row))

    def vector(self, where: str, row: int | None, pictures: Sequence[str]) -> Vector | None:
        """Note the use of a vector.

        Raises:
            BadValue: the vector does not exist.
        """
        return None if row is None else self._row(where, row)

    def _row(self, where: str, row: int) -> Vector:
        if row >= len(self._rows):
            raise BadValue(f"{where}: expected one of {len(self._rows)} vectors, got number {row}")
        self.rows.add(row)
        return self._nothing

    def correlation(self, text: str, value: float | None, vector: Vector | None) -> float | None:
        """Return the record's value."""
        return value


class Kept:
    """Copies pictures and vectors from the file.

    Args:
        archive: the file.
        vectors: the file's vectors, by the same aligner (float32[n, d]).
    """

    def __init__(self, archive: Archive, vectors: Vector) -> None:
        self._archive = archive
        self._vectors = vectors

    def image(self, where: str, tick: int, picture: str, row: int) -> Image:
        """Return an image unchanged.

        Raises:
            BadValue: the file has changed since it was opened.
        """
        return Image(tick, self._archive.picture(picture), self._vectors[row].copy())

    def vector(self, where: str, row: int | None, pictures: Sequence[str]) -> Vector | None:
        """Return a vector unchanged."""
        return None if row is None else self._vectors[row].copy()

    def correlation(self, text: str, value: float | None, vector: Vector | None) -> float | None:
        """Return the record's value."""
        return value


class Anew:
    """Copies the file's pictures, and makes their vectors with another aligner.

    Args:
        archive: the file; all its pictures are read at once.
        aligner: makes the vectors.

    Raises:
        BadValue: a picture is damaged, or the aligner makes no vector of the picture.
    """

    def __init__(self, archive: Archive, aligner: Aligner) -> None:
        self._archive = archive
        self._aligner = aligner
        self._places = {name: k for k, name in enumerate(sorted(archive.pictures))}
        parts = [self._looked_at(names, frames) for names, frames in self._batches()]
        self._features = np.concatenate([np.zeros((0, aligner.width), np.float32), *parts])
        self._texts: dict[str, Vector] = {}

    def _batches(self) -> Iterator[tuple[list[str], list[Pixels]]]:
        """Yield pictures of one size, in the order of their hashes."""
        names: list[str] = []
        frames: list[Pixels] = []
        for name in self._places:
            where = f"'{self._archive.path}' {picture_name(name)}"
            frame = unpacked(self._archive.picture(name), where)
            is_full = (len(frames) + 1) * frame.size > 3 * MOST_PIXELS
            if frames and (is_full or frame.shape != frames[0].shape):
                yield names, frames
                names, frames = [], []
            names.append(name)
            frames.append(frame)
        if frames:
            yield names, frames

    def _looked_at(self, names: Sequence[str], frames: Sequence[Pixels]) -> Vector:
        """Return the features (float32[n, d]) of pictures of one size."""
        features = self._aligner.frames(np.stack(frames))
        for name, one in zip(names, features, strict=True):
            if not np.isfinite(one).all() or not one.any():
                raise BadValue(
                    f"'{self._archive.path}' {picture_name(name)}: expected a picture of which "
                    f"{self._aligner.name!r} makes a vector"
                )
        return features

    def image(self, where: str, tick: int, picture: str, row: int) -> Image:
        """Return an image with a new vector.

        Raises:
            BadValue: the file has changed since it was opened.
        """
        vector = unit_vectors(self._features[self._places[picture]])
        return Image(tick, self._archive.picture(picture), vector)

    def vector(self, where: str, row: int | None, pictures: Sequence[str]) -> Vector | None:
        """Return the vector of a video, of evenly chosen pictures if there are too many; None without any."""
        if not pictures:
            return None
        most = min(len(pictures), self._aligner.longest)
        chosen = np.linspace(0, len(pictures) - 1, most).round().astype(int)
        places = [self._places[pictures[k]] for k in chosen]
        video: Vector = self._aligner.videos([self._features[places]])[0]
        return video

    def correlation(self, text: str, value: float | None, vector: Vector | None) -> float | None:
        """Return how well a video fits a text; None without a video or without a text."""
        if vector is None or not text.strip():
            return None
        if text not in self._texts:
            self._texts[text] = self._aligner.texts([text])[0]
        return float(vector @ self._texts[text])
