"""Search for the best experiences: filters, and the ranking by text and by picture."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from optimus_gym.core.arrays import Vector
from optimus_gym.core.checks import check_count
from optimus_gym.core.errors import UnknownName
from optimus_gym.memory.experience import OUTCOMES
from optimus_gym.memory.index import Index, best

WantedOutcomes = Literal["both", "success", "failure", "none"]
WANTED: Final[Mapping[str, tuple[str, ...]]] = {
    "both": OUTCOMES,
    "success": OUTCOMES[:1],
    "failure": OUTCOMES[1:],
    "none": (),
}
"""Outcomes that a search retrieves, by the value of `Filters.which` (Optimus-1, Table 3)."""
MOST_SEEN: Final = 2_048
"""Maximum number of experiences of each outcome that a picture ranks: the newest ones whose goals fit."""


@dataclass(frozen=True, slots=True)
class Filters:
    """Limits of a search.

    Attributes:
        which: outcomes of the experiences to find: "both", "success", "failure" or "none".
        environment: the environment (such as a biome or "cave") at the experience's start; None takes any.
        newest: how many of the newest experiences are searched; None takes all.
        by_world: whether to find cases that were labelled by predicaments that the world reported, too
            (an upper bound: the labels show how much the world's own knowledge would help).

    Raises:
        UnknownName: `which` is not "both", "success", "failure" or "none".
        BadValue: `newest` is no number of at least 1.
    """

    which: WantedOutcomes = "both"
    environment: str | None = None
    newest: int | None = None
    by_world: bool = False

    def __post_init__(self) -> None:
        if self.which not in WANTED:
            raise UnknownName("choice of outcomes", self.which, WANTED)
        if self.newest is not None:
            check_count("newest", self.newest, 1)


@dataclass(frozen=True, slots=True)
class FoundExperience:
    """An experience that a search has found.

    Attributes:
        number: number of the experience.
        outcome: "success" or "failure".
        likeness: cosine of the query and the experience's goal.
        sight: the larger cosine of the query's picture with the experience's first frame and with its first
            sub-goal's video; None for a search without a picture.
    """

    number: int
    outcome: str
    likeness: float
    sight: float | None = None


@dataclass(frozen=True, slots=True)
class PictureQuery:
    """A picture that ranks the experiences a search has found by their goals.

    Attributes:
        vector: the frame's vector, of length 1 (float32[d]).
        confidence: least likeness of an experience's goal to the searched text (JARVIS-1, section C.3).
    """

    vector: Vector
    confidence: float


def ranked(
    index: Index, likeness: Vector, count: int, filters: Filters, look: PictureQuery | None
) -> tuple[FoundExperience, ...]:
    """Return the best experiences of each wanted outcome, best first.

    Without a picture, experiences are ranked by their goals' likeness; of equal likeness the newest comes
    first. With a picture, the newest 2,048 experiences of each outcome whose goals have at least the likeness
    `look.confidence` are ranked by their first pictures (`Index.sight_likeness`).

    Args:
        index: index of the experiences.
        likeness: likeness of each experience's goal to the query (float32[n]).
        count: maximum number of returned experiences of each outcome.
        filters: limits of the search.
        look: the picture to rank by; None ranks by goals.
    """
    check_count("count", count, 1)
    allowed = _allowed(index, filters)
    if look is not None:
        allowed &= likeness >= look.confidence
    found: list[FoundExperience] = []
    for outcome in WANTED[filters.which]:
        ours = allowed & (index.outcomes == index.outcome_names.get(outcome, -1))
        places = np.flatnonzero(ours)
        if look is None:
            fits = likeness[places]
        else:
            places = places[-MOST_SEEN:]
            fits = index.sight_likeness(look.vector, places)
        chosen = best(fits, places, count)
        found += [
            FoundExperience(
                number=int(index.numbers[place]),
                outcome=outcome,
                likeness=float(likeness[place]),
                sight=None if look is None else fit,
            )
            for place, fit in zip(chosen.places.tolist(), chosen.scores.tolist(), strict=True)
        ]
    return tuple(found)


def _allowed(index: Index, filters: Filters) -> NDArray[np.bool_]:
    """Return a mask of the experiences that the filters let a search find (bool[n])."""
    allowed = np.ones(len(index.numbers), np.bool_)
    if filters.environment is not None:
        allowed &= index.environments == index.environment_names.get(filters.environment, -1)
    if filters.newest is not None:
        allowed[: max(len(allowed) - filters.newest, 0)] = False
    return allowed


def oldest(index: Index, filters: Filters) -> int:
    """Return the number of the oldest experience that a search may find; 0 without a limit."""
    if filters.newest is None or filters.newest >= len(index.numbers):
        return 0
    return int(index.numbers[-filters.newest])
