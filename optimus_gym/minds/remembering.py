"""Remembering: notes on the episodes of an agent's rows, which the memory stores when they are over.

The notes follow Optimus-1 (section 2.1.1 and appendix E.1.1), and hold only things that the agent may see.
"""

import os
from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import numpy as np

from optimus_gym.core.deliberation import Decision, Outcome, Record, Verdict
from optimus_gym.core.errors import BadMemory
from optimus_gym.core.situation import Picture, Situation
from optimus_gym.memory.buffers import PERIOD
from optimus_gym.memory.database import MEMORY_FILE, Mark, check_mark, mark_of
from optimus_gym.memory.experience import UNFINISHED, Case, Experience, Image, keyed
from optimus_gym.memory.pool import ExperiencePool
from optimus_gym.memory.summary import Glimpse, Summariser, Taker
from optimus_gym.minds.diary import (
    Diary,
    Reflection,
    Scene,
    is_gone,
    keeps_frames,
    pursuit_of,
    text_of,
    verdict_of_end,
)
from optimus_gym.minds.hindsight import FULL_BREATH, SubGoalState, labels_in, with_environments
from optimus_gym.minds.setbacks import LaterPlan, replans_of
from optimus_gym.vision.aligner import Aligner
from optimus_gym.vision.environments import UNKNOWN_ENVIRONMENT, Environments

LOOKS_A_REFLECTION: Final = 10
"""If the agent does not reflect, every tenth frame of a sub-goal (every 200 ticks) counts as a reflection."""


class Remembering:
    """Notes and stores the episodes of all rows of an environment.

    The memory is open only during writing.

    Args:
        folder: the memory folder; it is made when the first episode is stored.
        aligner: makes vectors of the frames and recognises environments.
        judged: whether the agent reflects on sub-goals; if False, each tenth frame counts as a reflection.
        told: returns the predicaments that the world itself reports of a row; None: cases are labelled by
            hindsight alone.
        wanted: returns whether an episode that is over is stored.
        further: returns further facts of an episode, as values that JSON can hold (`Experience.told`).
        apart: whether the episodes of each task go into a memory of their own below `folder`, named by the
            task.

    Raises:
        BadMemory: the folder cannot be written, or holds another aligner's vectors.
    """

    period: Final = PERIOD
    """Ticks of a sub-goal from one frame to the next."""

    def __init__(
        self,
        folder: Path,
        aligner: Aligner,
        judged: bool = True,
        told: Callable[[int], frozenset[str]] | None = None,
        wanted: Callable[[Record], bool] = lambda record: True,
        further: Callable[[Record], Mapping[str, Any]] = lambda record: {},
        apart: bool = False,
    ) -> None:
        self._folder = folder
        self._apart = apart
        self._wanted = wanted
        self._further = further
        self._judged = judged
        self._told = told
        self._aligner = aligner
        self._summariser = Summariser(aligner)
        self._environment = Environments(aligner)
        self._diaries: dict[int, Diary] = {}
        self._marks: dict[Path, Mark | None] = {}
        """Device and inode number of each memory's file when it was last open."""
        _check_writable(folder)
        if not apart and (folder / MEMORY_FILE).is_file():
            ExperiencePool(folder, aligner).close()
            self._marks[folder] = mark_of(folder / MEMORY_FILE)

    def begin_episodes(self, situations: Sequence[Situation]) -> None:
        """Begin episodes."""
        for situation in situations:
            self._diaries[situation.row] = Diary(replace(situation, picture=None, pov=None))

    def begin_subgoals(
        self, situations: Sequence[Situation], decisions: Sequence[Decision]
    ) -> None:
        """Begin notes on each row's next sub-goal, with the frame before it."""
        for situation, decision in zip(situations, decisions, strict=True):
            diary = self._diaries[situation.row]
            plan = tuple(text_of(subgoal) for subgoal in decision.plan)
            diary.plan = diary.plan or plan
            if decision.replanned:
                diary.later.append(LaterPlan(len(diary.scenes), plan))
            look = self._look(situation)._replace(gained={}, used={})
            scene = Scene(self._summariser.film(diary.roll), Glimpse(diary.roll), [look])
            diary.scenes.append(scene)
            self._show((scene.film, scene.before), situation.pov, situation.tick)

    def watch(
        self,
        situations: Sequence[Situation],
        verdicts: Sequence[Verdict],
        said: Container[int] = (),
    ) -> None:
        """Note the present frame of each sub-goal, and its reflection if there was one.

        A verdict that ends a sub-goal is noted at the sub-goal's end.

        Args:
            situations: situations of rows whose sub-goals are carried out.
            verdicts: verdicts on these sub-goals.
            said: the rows that have a reflection at this tick.
        """
        for situation, verdict in zip(situations, verdicts, strict=True):
            diary = self._diaries[situation.row]
            scene = diary.scenes[-1]
            number = len(scene.looks)
            scene.looks.append(self._look(situation))
            takers: tuple[Taker, ...] = (scene.film,)
            is_due = situation.row in said if self._judged else number % LOOKS_A_REFLECTION == 0
            if is_due and verdict.judgement == "CONTINUE":
                present = Glimpse(diary.roll)
                scene.reflections.append(Reflection(present, verdict, number))
                takers = (scene.film, present)
            self._show(takers, situation.pov, situation.tick)

    def ended(self, outcomes: Sequence[Outcome]) -> None:
        """End the notes on sub-goals, with the last frames; each sub-goal's end counts as a verdict, too."""
        for outcome in outcomes:
            diary = self._diaries[outcome.row]
            scene = diary.scenes[-1]
            scene.outcome = replace(outcome, pov=None)
            present = Glimpse(diary.roll)
            scene.reflections.append(Reflection(present, verdict_of_end(outcome), len(scene.looks)))
            scene.looks.append(self._last_look(scene.looks[-1], outcome))
            self._show((scene.film, present), outcome.pov, outcome.tick)
            self._summariser.end(scene.film, text_of(outcome.subgoal), keeps_frames(outcome))

    def keep(self, records: Sequence[Record]) -> None:
        """Store the wanted episodes that are over; forget the others, and all that are not played to the end.

        Raises:
            BadMemory: the memory cannot be written, or its file was replaced; the error names the episodes
                that are not stored.
        """
        over = [(self._diaries.pop(record.row, None), record) for record in records]
        kept = [
            (diary, record)
            for diary, record in over
            if diary is not None and record.status not in UNFINISHED and self._wanted(record)
        ]
        if not kept:
            return
        self._summariser.flush()
        experiences = [keyed(self._experience(diary, record)) for diary, record in kept]
        try:
            for folder, own in self._shelved(experiences).items():
                self._write(folder, own)
        except BadMemory as error:
            tasks = ", ".join(one.task for one in experiences)
            raise BadMemory(f"{error}; lost episodes: {tasks}") from error

    def _shelved(self, experiences: Sequence[Experience]) -> Mapping[Path, Sequence[Experience]]:
        """Return the experiences by the memory folder that gets them."""
        if not self._apart:
            return {self._folder: experiences}
        shelves: dict[Path, list[Experience]] = {}
        for experience in experiences:
            shelves.setdefault(self._folder / experience.task, []).append(experience)
        return shelves

    def _write(self, folder: Path, experiences: Sequence[Experience]) -> None:
        """Store experiences in a memory's file, unless the file was replaced."""
        path = folder / MEMORY_FILE
        if (mark := self._marks.get(folder)) is not None:
            check_mark(path, mark)
        with ExperiencePool(folder, self._aligner) as pool:
            pool.add_all(experiences)
        self._marks[folder] = mark_of(path)

    def _ask(self, row: int) -> frozenset[str] | None:
        """Return the predicaments that the world reports of a row; None if the agent may not ask."""
        return None if self._told is None else self._told(row)

    def _look(self, situation: Situation) -> SubGoalState:
        return SubGoalState(
            situation.tick,
            situation.gained,
            situation.consumed,
            situation.vitals,
            self._ask(situation.row),
            situation.height,
        )

    def _last_look(self, before: SubGoalState, outcome: Outcome) -> SubGoalState:
        """Return the state at a sub-goal's end, with vitals and height of the state before.

        After a death or a failure of the world, the world is not asked: the player may stand elsewhere, or
        the world does not answer.
        """
        told = before.told if is_gone(outcome) else self._ask(outcome.row)
        died = outcome.failure is not None and outcome.failure.reason == "died"
        vitals = before.vitals._replace(health=0.0) if died else before.vitals
        return SubGoalState(
            outcome.tick, outcome.gained, outcome.consumed, vitals, told, before.height
        )

    def _show(self, takers: Sequence[Taker], pov: Picture | None, tick: int) -> None:
        if pov is not None:
            self._summariser.show(takers, pov.look(), tick)

    def _experience(self, diary: Diary, record: Record) -> Experience:
        """Return the experience that the memory stores of a finished episode."""
        begun = diary.begun
        ended = [scene for scene in diary.scenes if scene.outcome is not None]
        outcomes = [scene.outcome for scene in ended if scene.outcome is not None]
        texts = [text_of(outcome.subgoal) for outcome in outcomes]
        first = diary.scenes[0].before.image if diary.scenes else None
        return Experience(
            key="",
            task=record.task.id,
            goal=record.task.instruction,
            environment=begun.biome or self._environments([first])[0],
            start={
                "inventory": dict(begun.inventory),
                "equipment": dict(begun.equipment),
                "vitals": begun.vitals._asdict(),
                "height": begun.height,
                "stations": list(begun.stations),
            },
            plan=diary.plan,
            pursuits=tuple(pursuit_of(scene) for scene in ended),
            cases=tuple(case for k, scene in enumerate(ended) for case in self._cases(k, scene)),
            status=record.status,
            ticks=record.ticks,
            first=first,
            told={
                "seed": begun.seed,
                "protocol": record.protocol,
                "assists": list(record.assists),
                "replans": record.replans,
                "reason": record.reason,
                "labels": "hindsight" if self._told is None else "truth",
                **self._further(record),
            },
            replans=replans_of(diary.later, outcomes, texts, record.status),
        )

    def _cases(self, place: int, scene: Scene) -> list[Case]:
        """Return a sub-goal's reflections as the memory stores them (`Case`), with the right verdicts."""
        assert scene.outcome is not None, "the sub-goal has ended"
        reflections = [one for one in scene.reflections if one.present.image is not None]
        before = scene.before.image
        if before is None:
            return []
        where = self._environments([one.present.image for one in reflections])
        labels = labels_in(scene.outcome, self._placed(scene, before, reflections))
        return [
            Case(
                place,
                text_of(scene.outcome.subgoal),
                environment,
                before,
                one.present.image,
                labels[one.look].predicament,
                one.verdict.judgement,
                labels[one.look].judgement,
            )
            for one, environment in zip(reflections, where, strict=True)
            if one.present.image is not None
        ]

    def _placed(
        self, scene: Scene, before: Image, reflections: Sequence[Reflection]
    ) -> Sequence[SubGoalState]:
        """Return a sub-goal's states, with the environment (biome, cave, ...) of first and judged frames."""
        assert scene.outcome is not None, "the sub-goal has ended"
        if scene.outcome.failure is None:  # no label depends on environments
            return scene.looks
        images = {0: before} | {
            one.look: one.present.image for one in reflections if one.present.image is not None
        }
        if is_gone(scene.outcome):
            images.pop(len(scene.looks) - 1, None)
        dives = [scene.looks[number].vitals.air < FULL_BREATH for number in images]
        vectors = np.stack([image.vector for image in images.values()])
        odds = self._environment.odds(vectors, dives)
        words = map(self._environment.certain, odds)
        return with_environments(scene.looks, dict(zip(images, words, strict=True)))

    def _environments(self, images: Sequence[Image | None]) -> Sequence[str]:
        """Return for each frame the biome, cave, water or night that the frame shows."""
        seen = [image.vector for image in images if image is not None]
        if not seen:
            return [UNKNOWN_ENVIRONMENT] * len(images)
        told = iter(self._environment.of(np.stack(seen)))
        return [UNKNOWN_ENVIRONMENT if image is None else next(told) for image in images]


class NoDiary:
    """Stands in for `Remembering` in agents that learn nothing; notes nothing."""

    period: Final = None

    def begin_episodes(self, situations: Sequence[Situation]) -> None:
        """Note nothing."""

    def begin_subgoals(
        self, situations: Sequence[Situation], decisions: Sequence[Decision]
    ) -> None:
        """Note nothing."""

    def watch(
        self,
        situations: Sequence[Situation],
        verdicts: Sequence[Verdict],
        said: Container[int] = (),
    ) -> None:
        """Note nothing."""

    def ended(self, outcomes: Sequence[Outcome]) -> None:
        """Note nothing."""

    def keep(self, records: Sequence[Record]) -> None:
        """Store nothing."""


def _check_writable(folder: Path) -> None:
    """Raise an error, before any episode is played, if a folder cannot be made or written."""
    try:
        nearest = next(place for place in (folder, *folder.absolute().parents) if place.exists())
        if nearest.is_dir() and os.access(nearest, os.W_OK | os.X_OK):
            return
    except OSError as error:
        raise BadMemory(f"memory: '{folder}' cannot be used: {error}") from error
    raise BadMemory(f"memory: expected a folder that can be written, got '{folder}'")
