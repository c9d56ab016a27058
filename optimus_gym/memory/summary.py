"""Summarising: an aligner looks at the frames of many sub-goals together; few frames are stored.

Reference: Optimus-1, section 2.1.1 and appendix E.1.1 (which frames are stored). Frames of all rows
(sub-environments) of a vector environment wait until a batch is full, and then go through the aligner at
once. Waiting for a full batch does not change which frames are stored.
"""

from collections.abc import Sequence
from typing import Final, Protocol

import numpy as np
from numpy.typing import NDArray

from optimus_gym.core.arrays import Pixels, Vector
from optimus_gym.memory.buffers import WINDOW, ImageBuffer
from optimus_gym.memory.experience import Image
from optimus_gym.memory.pictures import packed, reduced_frame
from optimus_gym.vision.aligner import Aligner, unit_vectors

SUMMARY_BATCH: Final = 64
"""Number of frames that go through the aligner at once."""


class Roll:
    """The stored pictures of one episode, each stored once."""

    def __init__(self) -> None:
        self._images: dict[int, Image] = {}

    def image(self, frame: Pixels, features: Vector, tick: int) -> Image:
        """Return the stored picture of a tick; if the tick has no picture yet, store the frame first."""
        if tick not in self._images:
            self._images[tick] = Image(tick, packed(frame), unit_vectors(features))
        return self._images[tick]


class Taker(Protocol):
    """Receiver of frames."""

    def take(self, frame: Pixels, features: Vector, tick: int) -> None:
        """Take a frame (uint8[H, W, 3]) with its features (float32[d])."""


class Glimpse:
    """A single stored frame.

    Args:
        roll: the stored pictures of the episode.

    Attributes:
        image: the frame; None until the aligner has looked at it.
    """

    def __init__(self, roll: Roll) -> None:
        self._roll = roll
        self.image: Image | None = None

    def take(self, frame: Pixels, features: Vector, tick: int) -> None:
        """Store the frame."""
        self.image = self._roll.image(frame, features, tick)


class Film:
    """The frames of a sub-goal: while the sub-goal runs, the held frames; after its end, the stored ones.

    Args:
        roll: the stored pictures of the episode.
        window: maximum number of frames that the film holds.

    Attributes:
        keeps: whether three frames are stored even if the frames have little to do with the sub-goal's text.
        seen: the stored frames, set by `develop`. Without `keeps`, `seen` is empty if the frames have little
            to do with the sub-goal's text.
        correlation: correlation of the sub-goal's video with its text; None without frames.
        vector: vector of the video, of length 1 (float32[d]); None if no frame is stored.
    """

    def __init__(self, roll: Roll, window: int = WINDOW) -> None:
        self._roll = roll
        self._buffer = ImageBuffer(window)
        self._last: tuple[Pixels, Vector, int] | None = None
        self.keeps = False
        self.seen: tuple[Image, ...] = ()
        self.correlation: float | None = None
        self.vector: NDArray[np.float32] | None = None

    def __len__(self) -> int:
        return len(self._buffer)

    def take(self, frame: Pixels, features: Vector, tick: int) -> None:
        """Add the next frame to the held frames."""
        self._buffer.add(frame, features, tick)
        self._last = frame, features, tick

    @property
    def features(self) -> NDArray[np.float32]:
        """Return the aligner's features of the held frames (float32[n, d])."""
        return self._buffer.vectors

    def develop(self, video: Vector, correlation: float, threshold: float) -> None:
        """Store all held frames if the video shows what the sub-goal's text says.

        If the video does not show what the text says, a film with `keeps` stores three frames: the first, the
        last and the one least like these two.
        """
        self.correlation = correlation
        buffer = self._buffer
        places = buffer.outstanding if self.keeps else ()
        if correlation > threshold:
            places = tuple(range(len(buffer)))
        if places:
            frames = list(zip(buffer.frames, buffer.vectors, buffer.ticks, strict=True))
            if (
                self.keeps and self._last is not None
            ):  # a full buffer may have dropped the last frame
                frames[-1] = self._last
            self.seen = tuple(self._roll.image(*frames[place]) for place in places)
            self.vector = video
        self._buffer, self._last = ImageBuffer(), None


class Summariser:
    """Looks at frames with an aligner, and decides which frames are stored.

    Args:
        aligner: compares frames with texts.
        window: maximum number of frames held of a sub-goal, reduced to the aligner's longest video.
        batch: number of frames that go through the aligner at once, 1 or more.
    """

    def __init__(self, aligner: Aligner, window: int = WINDOW, batch: int = SUMMARY_BATCH) -> None:
        self._aligner = aligner
        self._window = min(window, aligner.longest)
        self._batch = batch
        self._waiting: list[tuple[Sequence[Taker], Pixels, int]] = []
        self._over: list[tuple[Film, str]] = []

    def film(self, roll: Roll) -> Film:
        """Return a new film for a sub-goal's frames."""
        return Film(roll, self._window)

    def show(self, takers: Sequence[Taker], frame: Pixels, tick: int) -> None:
        """Queue a frame (uint8[H, W, 3]) for the films and glimpses `takers`; full batches go to the aligner.

        Raises:
            BadValue: the frame is not uint8[H, W, 3].
        """
        self._waiting.append((takers, reduced_frame(frame), tick))
        if len(self._waiting) >= self._batch:
            self.flush()

    def end(self, film: Film, text: str, keeps: bool = False) -> None:
        """Mark a film as complete: the next `flush` compares it with `text` and chooses the stored frames.

        Args:
            film: the sub-goal's film.
            text: the sub-goal's text.
            keeps: whether the film stores three frames even if they have little to do with the text.
        """
        film.keeps = keeps
        self._over.append((film, text))

    def flush(self) -> None:
        """Pass all waiting frames through the aligner, and choose the stored frames of the complete films."""
        waiting, self._waiting = self._waiting, []
        if waiting:
            features = self._aligner.frames(np.stack([frame for _, frame, _ in waiting]))
            for (takers, frame, tick), made in zip(waiting, features, strict=True):
                for taker in takers:
                    taker.take(frame, made, tick)
        over, self._over = self._over, []
        self._develop([(film, text) for film, text in over if len(film)])

    def _develop(self, over: Sequence[tuple[Film, str]]) -> None:
        if not over:
            return
        videos = self._aligner.videos([film.features for film, _ in over])
        texts = self._aligner.texts([text for _, text in over])
        fits = (videos * texts).sum(1).tolist()
        for (film, _), video, fit in zip(over, videos, fits, strict=True):
            film.develop(video, fit, self._aligner.threshold)
