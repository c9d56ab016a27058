"""The pool of experience (AMEP): stores episodes, and finds episodes that are like a present one.

From Optimus-1, section 2.1.1 and Table 3: a search finds successes, failures, both or none. From JARVIS-1,
sections 3.3 and C.3: three kinds of search: by text; by reasoning, then text; by text, then image.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np

from optimus_gym.core.arrays import Pixels, Vector
from optimus_gym.core.checks import check_count
from optimus_gym.core.deliberation import Judgement
from optimus_gym.core.errors import BadMemory
from optimus_gym.memory.experience import Case, Experience, Replan
from optimus_gym.memory.index import Index, best
from optimus_gym.memory.packing import unpacked_vectors
from optimus_gym.memory.pictures import reduced_frame
from optimus_gym.memory.queries import CaseQuery, ReplanQuery
from optimus_gym.memory.reasoning import goal_meant
from optimus_gym.memory.retrieval import (
    WANTED,
    Filters,
    FoundExperience,
    PictureQuery,
    WantedOutcomes,
    oldest,
    ranked,
)
from optimus_gym.memory.store import ExperienceStore
from optimus_gym.vision.aligner import Aligner, unit_vectors

CASE_JUDGEMENTS: Final[tuple[Judgement, ...]] = ("COMPLETE", "CONTINUE", "REPLAN")
MOST_CASES: Final = 1_000
"""Maximum number of stored reflections with one label whose pictures a search compares: the newest ones."""
MOST_DURATIONS: Final = 200
"""Maximum number of reached sub-goals of one verb and item that `durations` returns: the newest ones."""
MEANT: Final = 0.98
"""Factor on a goal's likeness to the searched text's meaning, so that a goal with exactly the text's words
ranks before a goal with only the same meaning."""
MOST_WORDINGS: Final = 200
"""Maximum number of sub-goal texts whose reflections or new plans a search reads: the texts most like the
searched text."""
_KIND: Final = re.compile(r"[:\s]")
"""Pattern of the end of a reason's first word; that word names the kind of failure (`core.types.Failure`)."""


@dataclass(frozen=True, slots=True)
class FoundCase:
    """A reflection that a search has found.

    Attributes:
        number: number of the case's experience.
        case: the frames, the verdict and the label.
        likeness: cosine of the query's text and the text of the case's sub-goal.
        sight: cosine of the query's frame and the case's present frame.
    """

    number: int
    case: Case
    likeness: float
    sight: float


@dataclass(frozen=True, slots=True)
class FoundReplan:
    """A plan after a setback that a search has found.

    Attributes:
        number: number of the plan's experience.
        replan: the setback and the plan.
        likeness: cosine of the query's failed sub-goal and the setback's failed sub-goal.
    """

    number: int
    replan: Replan
    likeness: float


def same_reason(one: str, other: str) -> int:
    """Return how far two reasons of failure agree: 2 for equal texts, 1 for equal first words, else 0.

    >>> same_reason("timeout: 3 iron_ore", "timeout: 1 coal"), same_reason("stuck", "timeout")
    (1, 0)
    """
    if one == other:
        return 2
    return int(_KIND.split(one, maxsplit=1)[0] == _KIND.split(other, maxsplit=1)[0])


class ExperiencePool:
    """A memory folder's experience, written and searched by the vectors of one aligner.

    Args:
        folder: the memory folder; a missing folder is made if `writes` is true.
        aligner: makes the vectors.
        writes: whether experiences may be added.

    Raises:
        BadValue: the folder cannot be opened, or holds another aligner's vectors.
    """

    def __init__(self, folder: Path, aligner: Aligner, writes: bool = True) -> None:
        self.aligner = aligner
        self.store = ExperienceStore(folder, (aligner.name, aligner.width), writes)
        self._index = Index(aligner.width)
        self._words: dict[str, Vector] = {}
        """Cached vectors of the texts that earlier calls asked for."""

    @property
    def has_world_labels(self) -> bool:
        """Return whether any experience has cases labelled by predicaments that the world reported.

        The answer is as old as the pool's last search.
        """
        return self._index.world_labels

    def close(self) -> None:
        """Close the file; a second call does nothing."""
        self.store.close()

    def __enter__(self) -> "ExperiencePool":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __len__(self) -> int:
        """Return how many experiences the folder holds."""
        return len(self._refreshed().numbers)

    def _refreshed(self) -> Index:
        """Return the index, up to date with the database.

        Raises:
            BadMemory: the file cannot be read, or all experiences have disappeared since the last call.
        """
        before = len(self._index.numbers)
        self.store.refresh(self._index)
        if before and not len(self._index.numbers):
            raise BadMemory(
                f"memory: '{self.store.path}' held {before:,} experiences before, and now holds none"
            )
        return self._index

    def add(self, experience: Experience) -> int:
        """Store an experience durably, and return its number in the database.

        Raises:
            BadValue: the experience cannot be written; no part is stored.
        """
        return self.add_all([experience])[0]

    def add_all(self, experiences: Sequence[Experience]) -> list[int]:
        """Store experiences durably, all or none, and return their numbers in the database.

        Raises:
            BadValue: the experiences cannot be written; no part is stored.
        """
        return self.store.add_all([(one, self.words(one)) for one in experiences])

    def get(self, number: int) -> Experience:
        """Return an experience.

        Raises:
            BadValue: no experience has this number, or the file cannot be read.
        """
        return self.store.get(number)

    def texts(self, texts: Sequence[str]) -> list[Vector]:
        """Return the vectors of texts (float32[d] each); vectors of earlier calls are reused.

        Raises:
            BadValue: a text is empty.
        """
        unknown = [text for text in dict.fromkeys(texts) if text not in self._words]
        if unknown:
            self._words.update(zip(unknown, self.aligner.texts(unknown), strict=True))
        return [self._words[text] for text in texts]

    def words(self, experience: Experience) -> Mapping[str, Vector]:
        """Return the vectors (float32[d] each) of an experience's texts.

        Raises:
            BadValue: a text is empty.
        """
        return dict(zip(experience.texts, self.texts(experience.texts), strict=True))

    def picture(self, frame: Pixels) -> Vector:
        """Return the vector (float32[d]) of a frame (uint8[H, W, 3]).

        Raises:
            BadValue: the frame is not uint8[H, W, 3].
        """
        made: Vector = unit_vectors(self.aligner.frames(reduced_frame(frame)[None]))[0]
        return made

    def find(
        self,
        text: str,
        subgoals: Sequence[str] = (),
        *,
        count: int = 3,
        filters: Filters | None = None,
        picture: Vector | None = None,
        confidence: float | None = None,
    ) -> tuple[FoundExperience, ...]:
        """Return the experiences of each outcome that best fit a task, best first.

        A search by text ranks experiences by the likeness of their goals to `text`, or to the goal that
        `text` means (`reasoning.goal_meant`); of equally good experiences the newest comes first. A search by
        reasoning, then text also compares the goals with `subgoals` (`reasoning.reasoned_subgoals`); for each
        experience, the largest likeness of its goal to `text` and `subgoals` counts (JARVIS-1, section 3.3).
        A search by text, then image takes the experiences whose goals are at least `confidence` like the
        text, and ranks these experiences by the likeness of their first pictures to `picture` (JARVIS-1,
        section C.3).

        Args:
            text: the task in words.
            subgoals: texts of the task's sub-goals; may be empty.
            count: maximum number of returned experiences of each outcome.
            filters: limits of the search; None takes all.
            picture: vector of the present frame (from the method `picture`); None searches without a frame.
            confidence: least likeness of a goal to the text for ranking by `picture`; None takes the
                aligner's `confidence`.

        Raises:
            BadValue: a text is empty.
        """
        index = self._refreshed()
        queries = self.texts([text, *subgoals])
        likeness = np.max([index.goal_likeness(query) for query in queries], axis=0)
        meant = goal_meant(text)
        if meant is not None:
            (query,) = self.texts([meant])
            likeness = np.maximum(likeness, MEANT * index.goal_likeness(query))
        look = None if picture is None else PictureQuery(picture, self._confidence(confidence))
        return ranked(index, likeness, count, filters or Filters(), look)

    def _confidence(self, given: float | None) -> float:
        return self.aligner.confidence if given is None else given

    def outline(self, number: int) -> Experience:
        """Return an experience without its frames, reflections and new plans, fast even for a long episode.

        Raises:
            BadValue: no experience has this number, or the file cannot be read.
        """
        return self.store.outline(number)

    def replans(
        self, failed: str, reason: str, count: int = 3, which: WantedOutcomes = "both"
    ) -> tuple[FoundReplan, ...]:
        """Return plans made after similar setbacks: first plans that worked, then plans that did not.

        A setback is similar if the text of its failed sub-goal is like `failed`. The plans are ranked by the
        setback's reason (same words before same kind), then by the failed sub-goal's likeness; of equally
        good plans the newest comes first. Equal plans after equal failed sub-goals are returned once among
        the plans that worked, and once among the others.

        Args:
            failed: the text of the sub-goal that has failed.
            reason: reason of the failure, in words.
            count: maximum number of returned plans that worked, and of plans that did not work.
            which: outcomes of the episodes in which the plans were made.

        Raises:
            BadValue: the text is empty.
        """
        check_count("count", count, 1)
        index = self._refreshed()
        (vector,) = self.texts([failed])
        words = index.like_words(vector, self.aligner.confidence, MOST_WORDINGS)
        found: list[FoundReplan] = []
        for worked in (True, False):
            query = ReplanQuery(worked, tuple(words), WANTED[which], MOST_CASES)
            made = [
                FoundReplan(row.experience, row.replan, words[row.words])
                for row in self.store.replan_rows(query)
            ]
            made.sort(key=lambda one: (-same_reason(one.replan.reason, reason), -one.likeness))
            first: dict[tuple[str, tuple[str, ...]], FoundReplan] = {}
            for one in made:
                first.setdefault((one.replan.failed, one.replan.plan), one)
            found += list(first.values())[:count]
        return tuple(found)

    def cases(
        self,
        subgoal: str,
        picture: Vector,
        *,
        count: int = 1,
        filters: Filters | None = None,
        confidence: float | None = None,
    ) -> Mapping[Judgement, tuple[FoundCase, ...]]:
        """Return, for each label, the reflections most like `subgoal` and `picture`, best first.

        Cases whose sub-goals are like `subgoal` are ranked by the cosine of their present frames with
        `picture` (Optimus-1, equation 4 and appendix E.1.1). For each label, the search compares at most the
        newest 1,000 cases whose sub-goals are like `subgoal`.

        Args:
            subgoal: the sub-goal's text.
            picture: the present frame's vector.
            count: maximum number of returned cases for each label.
            filters: outcomes of the cases' episodes ("both" includes unfinished episodes, such as other
                agents' reflections, see `exchange`), and the case's biome, cave, water or night. Cases that
                were labelled by predicaments that the world reported count only with `by_world`.
            confidence: least likeness of a case's sub-goal to `subgoal`; None takes the aligner's
                `confidence`.

        Raises:
            BadValue: the text is empty.
        """
        check_count("count", count, 1)
        limits = filters or Filters()
        (vector,) = self.texts([subgoal])
        outcomes = WANTED[limits.which] + (("",) if limits.which == "both" else ())
        found: dict[Judgement, tuple[FoundCase, ...]] = {}
        with self.store.look():
            index = self._refreshed()
            words = index.like_words(vector, self._confidence(confidence), MOST_WORDINGS)
            for label in CASE_JUDGEMENTS:
                query = CaseQuery(
                    label,
                    tuple(words),
                    outcomes,
                    limits.environment,
                    oldest(index, limits),
                    MOST_CASES,
                    limits.by_world or not index.world_labels,
                )
                found[label] = self._best_cases(query, words, picture, count)
        return found

    def durations(self, verb: str, words: str) -> list[tuple[str, int]]:
        """Return (text, duration in ticks) of the newest reached sub-goals "verb count words", at most 200.

        Args:
            verb: the sub-goals' verb.
            words: the item, in the words of sub-goals' texts.

        Raises:
            BadMemory: the file cannot be read.
        """
        self._refreshed()
        return self.store.durations(verb, words, MOST_DURATIONS)

    def _best_cases(
        self, query: CaseQuery, words: Mapping[int, float], picture: Vector, count: int
    ) -> tuple[FoundCase, ...]:
        """Return the cases of a query whose present frames are most like a picture, the best case first."""
        rows = self.store.case_rows(query)
        sights = unpacked_vectors([row.vector for row in rows], self.aligner.width) @ picture
        chosen = best(sights[::-1], np.arange(len(rows))[::-1], count)
        return tuple(
            FoundCase(
                rows[place].experience,
                self.store.case(rows[place].number),
                words[rows[place].words],
                sight,
            )
            for place, sight in zip(chosen.places.tolist(), chosen.scores.tolist(), strict=True)
        )
