"""Index for searches in a memory: vectors of goals and first pictures, up to date with the database."""

import sqlite3
from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from optimus_gym.core.arrays import Vector
from optimus_gym.core.errors import BadValue
from optimus_gym.memory.packing import unpacked_vectors
from optimus_gym.memory.queries import LABELLED_BY_WORLD

_COLUMNS: Final = (
    "experience.id, words.id, outcome, environment, sight, instr(told, ?), "
    "(SELECT pursuit.vector FROM pursuit WHERE pursuit.experience = experience.id AND place = 0 LIMIT 1)"
)
_ROWS: Final = (
    f"SELECT {_COLUMNS} FROM experience JOIN words ON words.text = experience.goal "
    "WHERE experience.id > ? ORDER BY experience.id"
)
_WORDS: Final = "SELECT id, vector FROM words WHERE id > ? ORDER BY id"
FEW: Final = 8
"""A search by picture among less than 1/8 of all experiences reads only the searched experiences' vectors."""


class Best(NamedTuple):
    """The best matches of a search, best first: the matches' indices or database numbers, and scores."""

    places: NDArray[np.int64]
    scores: NDArray[np.float32]


class Index:
    """Arrays for searching the experiences of one database, oldest first.

    Args:
        width: length of a vector.

    Attributes:
        numbers: each experience's number in the database (int64[n]).
        outcomes: each experience's outcome, an index in `outcome_names` (int64[n]).
        environments: each experience's first environment (such as a biome), an index in `environment_names`
            (int64[n]).
        sights: vectors of the first frames (float32[n, width]); without a first frame, the vector of `clips`.
        clips: vectors of the first sub-goals' videos (float32[n, width]); without a video, the vector of
            `sights`. An experience without first frame and video has zeros in `sights` and `clips`.
        world_labels: whether any experience has cases labelled by predicaments that the world reported.
    """

    def __init__(self, width: int) -> None:
        self._width = width
        self._changes = (-1, -1)
        self.outcome_names: dict[str, int] = {}
        self.environment_names: dict[str, int] = {}
        self._clear()

    def _clear(self) -> None:
        self.numbers = np.zeros(0, np.int64)
        self._goals = np.zeros(0, np.int64)
        self.outcomes = np.zeros(0, np.int64)
        self.environments = np.zeros(0, np.int64)
        self.sights = np.zeros((0, self._width), np.float32)
        self.clips = np.zeros((0, self._width), np.float32)
        self._word_numbers = np.zeros(0, np.int64)
        self._words = np.zeros((0, self._width), np.float32)
        self.world_labels = False

    def refresh(self, connection: sqlite3.Connection) -> None:
        """Bring the index up to date with the database; this is quick if the database has not changed.

        Args:
            connection: a database connection in a transaction, which reads one snapshot.
        """
        (version,) = connection.execute("PRAGMA data_version").fetchone()
        changes = (int(version), connection.total_changes)
        if changes == self._changes:
            return
        (count,) = connection.execute("SELECT count(*) FROM experience").fetchone()
        self._extend(connection)
        if count != len(self.numbers):  # some were deleted
            self._clear()
            self._extend(connection)
        self._changes = changes

    def _extend(self, connection: sqlite3.Connection) -> None:
        """Add the texts and experiences that are newer in the database than the newest ones in the index."""
        last_word = int(self._word_numbers[-1]) if len(self._word_numbers) else 0
        words = connection.execute(_WORDS, (last_word,)).fetchall()
        if words:
            new = np.array([row[0] for row in words], np.int64)
            self._word_numbers = np.concatenate([self._word_numbers, new])
            vectors = unpacked_vectors([row[1] for row in words], self._width)
            self._words = np.concatenate([self._words, vectors])
        last = int(self.numbers[-1]) if len(self.numbers) else 0
        rows = connection.execute(_ROWS, (LABELLED_BY_WORLD, last)).fetchall()
        if not rows:
            return
        numbers, goals, outcomes, environments, frames, by_world, videos = zip(*rows, strict=True)
        self.world_labels = self.world_labels or any(by_world)
        self.numbers = np.concatenate([self.numbers, np.array(numbers, np.int64)])
        places = np.searchsorted(self._word_numbers, np.array(goals, np.int64))
        if not set(goals) <= set(
            self._word_numbers[places[places < len(self._word_numbers)]].tolist()
        ):
            raise BadValue(
                "memory: expected the id of each goal's text to be at least 1, got a smaller one"
            )
        self._goals = np.concatenate([self._goals, places])
        self.outcomes = np.concatenate([self.outcomes, _named(outcomes, self.outcome_names)])
        self.environments = np.concatenate(
            [self.environments, _named(environments, self.environment_names)]
        )
        pairs = list(zip(frames, videos, strict=True))
        firsts = [video if frame is None else frame for frame, video in pairs]
        seconds = [frame if video is None else video for frame, video in pairs]
        self.sights = np.concatenate([self.sights, unpacked_vectors(firsts, self._width)])
        self.clips = np.concatenate([self.clips, unpacked_vectors(seconds, self._width)])

    def like_words(self, vector: Vector, least: float, most: int) -> dict[int, float]:
        """Return the cosines of the stored texts most like a text's vector, by the stored texts' numbers.

        Args:
            vector: the text's vector (float32[width]).
            least: least cosine of a returned text.
            most: maximum number of returned texts; the texts with the largest cosines are returned.
        """
        chosen = best(self._words @ vector, self._word_numbers, most)
        pairs = zip(chosen.places.tolist(), chosen.scores.tolist(), strict=True)
        return {number: likeness for number, likeness in pairs if likeness >= least}

    def goal_likeness(self, vector: Vector) -> Vector:
        """Return the cosine of each experience's goal and a text's vector (float32[n])."""
        likeness: Vector = (self._words @ vector)[self._goals]
        return likeness

    def sight_likeness(self, vector: Vector, places: NDArray[np.int64]) -> Vector:
        """Return the likeness of a frame's vector to the first pictures of the experiences at `places`.

        The likeness is the larger one of two cosines: with the experience's first frame and with its first
        sub-goal's video. For few experiences the method reads only the vectors of these experiences. For many
        experiences the method reads all vectors, which is quicker because all vectors lie next to each other
        in memory.
        """
        if FEW * len(places) < len(self.sights):
            one, other = self.sights[places] @ vector, self.clips[places] @ vector
        else:
            one, other = (self.sights @ vector)[places], (self.clips @ vector)[places]
        likeness: Vector = np.maximum(one, other)
        return likeness


def _named(names: Sequence[str], known: dict[str, int]) -> NDArray[np.int64]:
    """Return the index of each name in `known`; names that `known` lacks are added to `known`."""
    return np.array([known.setdefault(name, len(known)) for name in names], np.int64)


def best(scores: Vector, places: NDArray[np.int64], count: int) -> Best:
    """Return the `count` candidates with the highest scores; of equal scores the newest comes first.

    Args:
        scores: the candidates' scores (float32[n]).
        places: the candidates' indices or numbers, oldest first (int64[n]).
        count: maximum number of returned candidates.

    >>> best(np.float32([1, 3, 2, 3]), np.arange(4), 2).places
    array([3, 1])
    """
    if len(scores) > count:
        least = np.partition(scores, -count)[-count]
        above = np.flatnonzero(scores > least)
        equal = np.flatnonzero(scores == least)[::-1][: count - len(above)]
        chosen = np.concatenate([above, equal])
    else:
        chosen = np.arange(len(scores))
    order = chosen[np.lexsort((-chosen, -scores[chosen]))]
    return Best(places[order], scores[order])
