"""Where a record's pictures and vectors come from: only looked for, taken over, or made anew."""

from collections.abc import Collection, Iterator, Sequence, Sized
from typing import Final

import numpy as np

from optimus_gym.core.errors import BadValue
from optimus_gym.memory.exchange.archive import Archive, picture_name
from optimus_gym.memory.exchange.records import Vector
from optimus_gym.memory.experience import Image
from optimus_gym.memory.pictures import Frame, unpacked
from optimus_gym.vision.aligner import Aligner, unit

MOST_PIXELS: Final = 2**22
"""Pixels that an aligner gets at once, if that is more than one picture."""


class References:
    """Gives nothing, and looks whether what a record refers to is there.

    Args:
        pictures: their SHA-256.
        rows: as many as there are vectors.
    """

    def __init__(self, pictures: Collection[str], rows: Sized) -> None:
        self._pictures = pictures
        self._rows = rows
        self._nothing = np.zeros(0, np.float32)
        self.pictures: set[str] = set()
        self.rows: set[int] = set()

    def image(self, where: str, tick: int, picture: str, row: int) -> Image:
        """Note that a picture and a vector are referred to.

        Raises:
            BadValue: one is not there.
        """
        if picture not in self._pictures:
            raise BadValue(f"{where}: expected a picture that is there, got {picture!r}")
        self.pictures.add(picture)
        return Image(tick, b"", self._row(where, row))

    def vector(self, where: str, row: int | None, pictures: Sequence[str]) -> Vector | None:
        """Note that a vector is referred to.

        Raises:
            BadValue: it is not there.
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
    """Gives what lies in the file.

    Args:
        archive: the file.
        vectors: of the same aligner (float32[n, d]).
    """

    def __init__(self, archive: Archive, vectors: Vector) -> None:
        self._archive = archive
        self._vectors = vectors

    def image(self, where: str, tick: int, picture: str, row: int) -> Image:
        """Return an image as it was.

        Raises:
            BadValue: the file was changed meanwhile.
        """
        return Image(tick, self._archive.picture(picture), self._vectors[row].copy())

    def vector(self, where: str, row: int | None, pictures: Sequence[str]) -> Vector | None:
        """Return a vector as it was."""
        return None if row is None else self._vectors[row].copy()

    def correlation(self, text: str, value: float | None, vector: Vector | None) -> float | None:
        """Return the record's value."""
        return value


class Anew:
    """Gives the file's pictures with another aligner's vectors.

    Args:
        archive: the file; all its pictures are read at once.
        aligner: makes the vectors.

    Raises:
        BadValue: a picture is damaged, or the aligner makes nothing of it.
    """

    def __init__(self, archive: Archive, aligner: Aligner) -> None:
        self._archive = archive
        self._aligner = aligner
        self._places = {name: k for k, name in enumerate(sorted(archive.pictures))}
        parts = [self._looked_at(names, frames) for names, frames in self._batches()]
        self._features = np.concatenate([np.zeros((0, aligner.width), np.float32), *parts])
        self._texts: dict[str, Vector] = {}

    def _batches(self) -> Iterator[tuple[list[str], list[Frame]]]:
        """Yield pictures of one size, in the order of their hashes."""
        names: list[str] = []
        frames: list[Frame] = []
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

    def _looked_at(self, names: Sequence[str], frames: Sequence[Frame]) -> Vector:
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
            BadValue: the file was changed meanwhile.
        """
        vector = unit(self._features[self._places[picture]])
        return Image(tick, self._archive.picture(picture), vector)

    def vector(self, where: str, row: int | None, pictures: Sequence[str]) -> Vector | None:
        """Return the vector of a video of pictures, evenly chosen where they are too many; None of none."""
        if not pictures:
            return None
        most = min(len(pictures), self._aligner.longest)
        chosen = np.linspace(0, len(pictures) - 1, most).round().astype(int)
        places = [self._places[pictures[k]] for k in chosen]
        video: Vector = self._aligner.videos([self._features[places]])[0]
        return video

    def correlation(self, text: str, value: float | None, vector: Vector | None) -> float | None:
        """Return how well a video fits a text; None where there is none of both."""
        if vector is None or not text.strip():
            return None
        if text not in self._texts:
            self._texts[text] = self._aligner.texts([text])[0]
        return float(vector @ self._texts[text])
