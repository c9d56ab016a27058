"""A folder in which agents learn round by round, and in which their memory is evaluated.

| name below the folder | what |
| --- | --- |
| `memory/` | the shared memory: knowledge (HDKG) and experience (AMEP) |
| `epoch-<k>/round-<n>/` | `tasks.json`, the `rows/`, what was `brought/`, and at the end `round.json` |

`run.results.growth` has the other files.
"""

import json
import os
import shutil
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import asdict, fields, replace
from pathlib import Path
from typing import Any, Final

from optimus_gym.agents.explorer import Explorer
from optimus_gym.core.errors import BadMemory, BadValue, shown
from optimus_gym.core.files import write_whole
from optimus_gym.core.parts import part_of
from optimus_gym.core.plain import read_json
from optimus_gym.game.tasks import OWN_SUITE
from optimus_gym.knowledge.abilities import abilities_of
from optimus_gym.knowledge.graph_folder import read_knowledge
from optimus_gym.memory.database import MEMORY_FILE
from optimus_gym.memory.memory_folders import copy_memory, memory_folder
from optimus_gym.memory.store import ExperienceStore
from optimus_gym.run.evaluate.distributing import evaluate
from optimus_gym.run.evaluate.evaluation import Evaluation
from optimus_gym.run.evaluate.key_frames import Pictures
from optimus_gym.run.evaluate.worker_pool import WorkerPool
from optimus_gym.run.learn.curricula import Batch, TaskCounts, curriculum_of
from optimus_gym.run.learn.learning_setup import Learning, Round
from optimus_gym.run.learn.taking_over import known_share, take_over
from optimus_gym.run.results.growth import (
    Epoch,
    MemorySize,
    epoch_folder,
    evaluation_folder,
    read_epoch,
    size_file,
)
from optimus_gym.run.results.results_folder import IDENTITY, read_results
from optimus_gym.run.results.row import CRASHED, EpisodeRow
from optimus_gym.vision.aligner import Aligner

MEMORY: Final = "memory"
_BROUGHT: Final = "brought"
_ROWS: Final = "rows"
_TASKS: Final = "tasks.json"
_DONE: Final = "round.json"
_NO_PICTURES: Final = Pictures(False, "none")
_SEEDS_AN_EPOCH: Final = 10_000
"""Difference between the first seeds of two epochs."""


class School:
    """Plays the rounds and evaluations of a configuration in a folder.

    Args:
        learning: the configuration.
        folder: the folder.
        workers: number of processes that play.
        rows: episodes that each process plays at once.
        pool: the workers.
    """

    def __init__(
        self, learning: Learning, folder: Path, workers: int, rows: int, pool: WorkerPool
    ) -> None:
        self._learning = learning
        self._folder = folder
        crew = {"workers": workers, "rows": rows, "pictures": _NO_PICTURES, "pool": pool}
        self._crew: Any = crew
        self._memory = folder / MEMORY
        if not self._memory.exists():
            _begin_memory(self._memory, learning.evaluation.memory)
        world = part_of("world", learning.evaluation.world)
        assert world is not None, "an evaluation holds specifications alone"
        self._able = abilities_of(world.name, learning.evaluation.protocol).graph
        biomes = getattr(world.maker, "biomes", ())
        self._curriculum = curriculum_of(
            learning.curriculum,
            learning.evaluation,
            self._able,
            biomes,
            pool=learning.pool,
            seed=learning.seed,
            counts=(learning.explore, learning.teach, learning.round),
        )
        self._counts = TaskCounts()
        self._last: Round | None = None
        """The latest round that is over."""

    def rounds(self, epoch: int) -> Iterator[Round]:
        """Play an epoch's rounds that are left, and yield all of them."""
        for number in range(self._curriculum.rounds):
            place = epoch_folder(self._folder, epoch + 1) / f"round-{number + 1:03}"
            file = place / _DONE
            if not file.exists():
                if not (place / _ROWS).exists():
                    self.check_memory()
                done = self._played(place, epoch, number)
                write_whole(file, (json.dumps(asdict(done), indent=2) + "\n").encode())
            done = self._last = Round(**_fields(file, Round))
            self._counts.note(done.tasks, done.reached)
            yield done

    def check_memory(self) -> None:
        """Refuse a memory that is not as the latest round left it.

        Raises:
            BadMemory: episodes or ways are lost, or were added.
        """
        if self._last is None:
            return
        size, last = self._size(), self._last
        if (size.experiences, size.ways) != (last.experiences, last.ways):
            raise BadMemory(
                f"memory: expected {last.experiences:,} episodes and {last.ways:,} ways in "
                f"'{self._memory}', as after round {last.number} of epoch {last.epoch}, got "
                f"{size.experiences:,} and {size.ways:,}"
            )

    def _played(self, place: Path, epoch: int, number: int) -> Round:
        """Play a round, let the memory take over what it brought, and return the round.

        A round for which the backbone has proposed no task of the pool is empty.
        """
        batch = self._batch(place, epoch, number)
        evaluation = self._evaluation(place, batch, epoch, number)
        rows = self._rows_of(evaluation, place / _ROWS) if batch.tasks else ()
        ids = tuple(job.task for job in evaluation.jobs) if batch.tasks else ()
        take_over(self._memory, [place / _BROUGHT / name for name in ids], self._aligner())
        won = {row.task for row in rows if row.success}
        reached = tuple(name for name in ids if name in won)
        size = self._size()
        return Round(
            epoch + 1,
            number + 1,
            batch.kind,
            ids,
            reached,
            size.experiences,
            size.ways,
            batch.problems,
            tuple(row.task for row in rows if row.status == CRASHED),
        )

    def _batch(self, place: Path, epoch: int, number: int) -> Batch:
        """Return a round's tasks: chosen now, or by the run that began the round."""
        file = place / _TASKS
        if not file.exists():
            place.mkdir(parents=True, exist_ok=True)
            chosen = self._curriculum.batch(epoch, number, self._counts)
            write_whole(file, (json.dumps(asdict(chosen), indent=2) + "\n").encode())
        return Batch(**_fields(file, Batch))

    def _evaluation(self, place: Path, batch: Batch, epoch: int, number: int) -> Evaluation:
        """Return the evaluation that plays a round."""
        asked = self._learning.evaluation
        own = {"suite": OWN_SUITE, "own_tasks": {"protocol": asked.protocol, "tasks": batch.tasks}}
        chosen = {"tasks": batch.tasks} if batch.kind == "tasks" else {**own, "tasks": ()}
        return replace(
            asked,
            **chosen,
            agent=_explorer(asked.agent) if batch.kind == "explore" else asked.agent,
            memory=None if batch.kind == "teach" else self._memory,
            learn=True,
            learn_into=place / _BROUGHT,
            episodes=1,
            seed=self._learning.seed + epoch * _SEEDS_AN_EPOCH + number,
        )

    def _rows_of(self, evaluation: Evaluation, place: Path) -> Sequence[EpisodeRow]:
        """Return the rows of an evaluation in `place`; play those that are missing.

        A round whose rows are all there is not opened again: the memory may hold a part of it already.

        Raises:
            BadValue: every episode crashed; their rows are removed, so that the next run plays them again.
        """
        if (place / IDENTITY).exists():
            found = read_results(place).rows
            if len(found) == len(evaluation.jobs):
                return found
        with closing(evaluate(evaluation, place, **self._crew)) as played:
            rows = list(played)
        if all(row.status == CRASHED for row in rows):
            shutil.rmtree(place)
            shutil.rmtree(place.with_name(_BROUGHT), ignore_errors=True)
            last = next(reversed(rows[0].reason.strip().splitlines()), "")
            raise BadValue(f"learn: all {len(rows)} episodes of '{place}' crashed: {last}")
        return rows

    def examine(self, number: int) -> Epoch:
        """Evaluate the frozen memory after an epoch, and return what the memory holds.

        Raises:
            BadValue: a part of the evaluation is missing, and the memory has learned more since.
        """
        file = size_file(self._folder, number)
        next_round = epoch_folder(self._folder, number + 1) / "round-001" / _ROWS
        if next_round.exists():
            return self._examined(number)
        if not file.exists():
            self.check_memory()
            file.parent.mkdir(parents=True, exist_ok=True)
            write_whole(file, (json.dumps(asdict(self._size()), indent=2) + "\n").encode())
        asked = replace(self._learning.evaluation, memory=self._memory)
        self._rows_of(asked, evaluation_folder(self._folder, number))
        return read_epoch(self._folder, number)

    def _examined(self, number: int) -> Epoch:
        """Return an epoch that the run has left behind."""
        told = (
            f"learn: expected the whole evaluation after epoch {number} in '{self._folder}', whose memory "
            "has learned more since, got"
        )
        try:
            epoch = read_epoch(self._folder, number)
        except (OSError, BadValue) as error:
            raise BadValue(f"{told} none ({error}); choose another folder") from error
        found = len(epoch.results.rows)
        if found < len(self._learning.evaluation.jobs):
            raise BadValue(f"{told} {found} episodes; choose another folder")
        return epoch

    def _size(self) -> MemorySize:
        """Return what the memory holds."""
        known = read_knowledge(self._memory)
        experiences = 0
        if (self._memory / MEMORY_FILE).is_file():
            with ExperienceStore(self._memory, None, writes=False) as store:
                experiences = len(store.numbers())
        return MemorySize(experiences, len(known.sources), known_share(known, self._able))

    def _aligner(self) -> Aligner:
        agent = part_of("agent", self._learning.evaluation.agent)
        part = part_of("aligner", "mini" if agent is None else agent.options.get("aligner", "mini"))
        assert part is not None, "an evaluation holds specifications alone"
        made: Aligner = part.build()
        return made


def _begin_memory(memory: Path, first: str | os.PathLike[str] | None) -> None:
    """Make the folder of the memory as a whole: empty, or as a copy."""
    part = memory.with_name(f"{memory.name}.part")
    shutil.rmtree(part, ignore_errors=True)
    if first is None:
        part.mkdir()
    else:
        copy_memory(memory_folder(first), part)
    part.rename(memory)


def _fields(file: Path, kind: type[Round] | type[Batch]) -> dict[str, Any]:
    """Return the fields of a round or a batch from its file.

    Raises:
        BadValue: the file is damaged.
    """
    told = read_json(file.read_bytes(), str(file))
    names = [one.name for one in fields(kind)]
    if not isinstance(told, dict) or set(told) != set(names):
        raise BadValue(f"{file}: expected the fields {', '.join(names)}, got {shown(told)}")
    return {name: tuple(one) if isinstance(one, list) else one for name, one in told.items()}


def _explorer(agent: Any) -> dict[str, Any]:
    """Return the specification of an explorer whose memory has the vectors of an agent's aligner."""
    part = part_of("agent", agent)
    options = {} if part is None else part.options
    shared: dict[str, Any] = {
        name: options[name] for name in ("aligner", "on_bad_memory") if name in options
    }
    return {"name": Explorer.name, **shared}
