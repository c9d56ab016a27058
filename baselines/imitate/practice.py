"""Play the lessons of a round in several processes; keep what the tutor noted in a file for each lesson."""

from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import closing
from io import BytesIO
from itertools import count
from multiprocessing import active_children, get_context
from pathlib import Path
from typing import Any, Final, NamedTuple
from zipfile import BadZipFile

import gymnasium as gym
import numpy as np
from numpy.typing import NDArray

import optimus_gym  # noqa: F401
from optimus_gym.baselines.imitate.lesson_book import Lesson
from optimus_gym.baselines.imitate.tutor import Notes, Tutor
from optimus_gym.controllers.pixel.senses import FACT_COUNT, PICTURE_SIDE
from optimus_gym.controllers.pixel.stamp import check_stamp, own_stamp
from optimus_gym.core.actions import CONTROL_SIZES
from optimus_gym.core.errors import BadValue
from optimus_gym.core.files import write_whole
from optimus_gym.terminal.bars import bars

FIRST: Final = 1_000_000
"""Seed of the first training episode."""
_A_ROUND = 1_000_000
"""Difference between the first seeds of two rounds."""
_A_LESSON = 50_000
"""Difference between the first seeds of two lessons of a round."""
ROWS: Final = 16
"""Number of worlds that a process plays at once."""
RESOLUTION: Final = (64, 64)
"""Width and height of the pictures, before they are averaged down."""
VIEW_DISTANCE: Final = 32
PICTURES: Final[dict[str, Any]] = {"resolution": RESOLUTION, "view_distance": VIEW_DISTANCE}
HELP: Final = (0.0, 0.25, 0.1)
"""Probability that the teacher acts in a stretch of the pupil, by round; later rounds have the last one."""


class Job(NamedTuple):
    """A lesson of a round.

    Attributes:
        lesson: the lesson.
        place: the lesson's place among all lessons.
        number: the round's number, from 0.
        episodes: number of episodes.
        pupil: the file of the pupil's network; None in the first round.
        file: where the notes go.
    """

    lesson: Lesson
    place: int
    number: int
    episodes: int
    pupil: str | None
    file: Path


class Shard(NamedTuple):
    """The notes of a lesson in a round.

    Attributes:
        pictures: uint8[n, 32, 32, 3] of all ticks.
        facts: float32[n, FACT_COUNT].
        labels: int8[n, 13].
        lengths: int64[sub-goals], number of ticks of each sub-goal.
        reached: number of episodes in which the task was reached.
        played: number of episodes that count in `reached`.
    """

    pictures: NDArray[np.uint8]
    facts: NDArray[np.float32]
    labels: NDArray[np.int8]
    lengths: NDArray[np.int64]
    reached: NDArray[np.int64]
    played: NDArray[np.int64]


def gather(jobs: Sequence[Job], workers: int, title: str) -> None:
    """Carry out those jobs whose files are missing; an interrupted job begins again.

    With one worker this process plays, else as many processes as workers.

    Raises:
        BadValue: a file that exists is no file of notes, or was made for other looks, keys or senses.
    """
    left = []
    for job in jobs:
        if job.file.exists():
            _read(job.file, "stamp")
        else:
            left.append(job)
    with bars() as display:
        done = len(jobs) - len(left)
        bar = display.add_task(title, total=len(jobs), completed=done, kept=done)
        for _ in map(carry_out, left) if workers == 1 else _side_by_side(left, workers):
            display.update(bar, advance=1)


def _side_by_side(jobs: Sequence[Job], workers: int) -> Iterator[None]:
    """Carry out jobs in several processes, and yield once for each; a failure or stop ends the processes."""
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        try:
            for done in as_completed([pool.submit(carry_out, job) for job in jobs]):
                yield done.result()
        except BaseException:
            for process in active_children():
                process.terminate()
            raise


def carry_out(job: Job) -> None:
    """Play a lesson and write its notes."""
    first = FIRST + job.number * _A_ROUND + job.place * _A_LESSON
    if job.pupil is None:
        tutor = Tutor(noise=job.lesson.noise)
    else:
        tutor = Tutor(job.pupil, help=HELP[min(job.number, len(HELP) - 1)])
    won = play(tutor, job.lesson, range(first, first + job.episodes))
    write_shard(job.file, list(tutor.notes()), won)


def play(controller: Any, lesson: Lesson, seeds: range) -> NDArray[np.bool_]:
    """Play the episode of each seed, and return which episodes reached the task (bool[n]).

    A row that has ended begins the next episode; rows that wait for the last episodes play further seeds,
    which do not count.
    """
    name, arguments = lesson.environment
    rows = min(ROWS, len(seeds))
    batch = gym.make_vec(
        name,
        rows,
        vectorization_mode="vector_entry_point",
        autoreset_mode="Disabled",
        threads=1,
        controller=controller,
        **arguments,
        **PICTURES,
    )
    won = np.zeros(len(seeds), np.bool_)
    following = count(seeds.start)
    with closing(batch):
        playing = np.array([next(following) for _ in range(rows)])
        batch.reset(seed=playing.tolist())
        left = len(seeds)
        while left:
            _, _, terminated, truncated, infos = batch.step(np.zeros(rows, np.int64))
            ended = terminated | truncated
            for row in np.flatnonzero(ended):
                if playing[row] in seeds:
                    won[playing[row] - seeds.start] = infos["is_success"][row]
                    left -= 1
                playing[row] = next(following)
            if left and ended.any():
                batch.reset(seed=playing.tolist(), options={"reset_mask": ended})
    return won


def write_shard(file: Path, notes: Sequence[Notes], won: NDArray[np.bool_]) -> None:
    """Write the notes of a lesson, whole or not at all."""
    pictures, facts, labels = (np.concatenate(parts) for parts in zip(*notes, strict=True))
    content = BytesIO()
    np.savez(
        content,
        pictures=pictures,
        facts=facts,
        labels=labels,
        lengths=np.array([len(one.labels) for one in notes], np.int64),
        reached=np.int64(won.sum()),
        played=np.int64(len(won)),
        stamp=np.array(own_stamp()),
    )
    file.parent.mkdir(parents=True, exist_ok=True)
    write_whole(file, content.getvalue())


def read_shard(file: Path) -> Shard:
    """Read the notes of a lesson.

    Raises:
        BadValue: the file is damaged, or was made with other looks, keys or senses.
    """
    shard = Shard(*_read(file, *Shard._fields))
    if not _is_whole(shard):
        shapes = {name: f"{one.dtype}{one.shape}" for name, one in shard._asdict().items()}
        raise BadValue(
            f"out: expected a picture, facts and labels of keys for each tick in '{file}', got {shapes}"
        )
    return shard


def _read(file: Path, *names: str) -> list[NDArray[Any]]:
    """Return some arrays of a file of notes, whose stamp fits.

    Raises:
        BadValue: the file is damaged, or was made for other looks, keys or senses.
    """
    try:
        with np.load(file, allow_pickle=False) as archive:
            told = str(archive["stamp"])
            arrays = [archive[name] for name in names]
    except (OSError, ValueError, KeyError, EOFError, BadZipFile) as error:
        raise BadValue(f"out: expected the notes of a lesson in '{file}', got {error}") from error
    check_stamp("out", told, str(file))
    return arrays


def _is_whole(shard: Shard) -> bool:
    """Return whether the arrays have their types and sizes, and labels of keys."""
    ticks, sizes = len(shard.labels), np.array(CONTROL_SIZES)
    wanted = (
        (shard.pictures, "uint8", (PICTURE_SIDE, PICTURE_SIDE, 3)),
        (shard.facts, "float32", (FACT_COUNT,)),
        (shard.labels, "int8", (len(sizes),)),
    )
    return (
        all(one.dtype == kind and one.shape == (ticks, *rest) for one, kind, rest in wanted)
        and bool(shard.lengths.sum() == ticks)
        and bool(((shard.labels >= 0) & (shard.labels < sizes)).all())
    )
