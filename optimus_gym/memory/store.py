"""The experience of a memory folder: one SQLite file, which many processes read and write at once.

An experience is there as a whole or not at all, and stays once `add` has returned, whoever is killed then.
"""

import json
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from optimus_gym.core.checks import check_path
from optimus_gym.core.errors import BadValue
from optimus_gym.core.plain import plain_value
from optimus_gym.memory.experience import Case, Experience, Image, Pursuit
from optimus_gym.memory.schema import check_version, prepare

FILE: Final = "experience.sqlite"
PATIENCE_S: Final = 60.0
"""Seconds that a writer waits for others."""
STORED: Final = np.dtype("<f4")
"""How a vector's numbers lie in the file."""


class ExperienceStore:
    """What is remembered of episodes; closed by `close` or `with`.

    Args:
        folder: the memory's; made, with its file, if there is none.
        aligner: whose vectors it holds, and how long they are.

    Raises:
        BadValue: it cannot be opened, is of something else, of a newer version, or has another aligner's
            vectors.
    """

    def __init__(self, folder: Path, aligner: tuple[str, int]) -> None:
        self.path = check_path("memory", folder) / FILE
        self.aligner = aligner
        with self._told():
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self._connection = sqlite3.connect(self.path, timeout=PATIENCE_S, isolation_level=None)
            try:
                self._open()
            except BaseException:
                self._connection.close()
                raise

    def _open(self) -> None:
        run = self._connection.execute
        is_ready = check_version(self._connection, str(self.path))
        run("PRAGMA journal_mode = WAL")
        run("PRAGMA synchronous = FULL")  # what was acknowledged outlives a power cut, too
        run("PRAGMA foreign_keys = ON")
        if not is_ready:
            prepare(self._connection, str(self.path))
        with self._transaction():
            kept = run("SELECT name, width FROM aligner").fetchone()
            if kept is None:
                run("INSERT INTO aligner VALUES (?, ?)", self.aligner)
        if kept is not None and tuple(kept) != self.aligner:
            raise BadValue(
                f"memory: expected vectors of aligner {self.aligner[0]!r} with {self.aligner[1]} numbers in "
                f"'{self.path}', got those of {kept[0]!r} with {kept[1]}"
            )

    def close(self) -> None:
        """Let go of the file; may be called twice."""
        self._connection.close()

    def __enter__(self) -> "ExperienceStore":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @contextmanager
    def _told(self) -> Iterator[None]:
        """Turn what SQLite and the system complain of into what can be understood.

        Raises:
            BadValue: names the file.
        """
        try:
            yield
        except (sqlite3.Error, OSError, UnicodeError) as error:
            raise BadValue(f"memory: '{self.path}' cannot be used: {error}") from error

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        """Do all that is done inside, or nothing."""
        self._connection.execute("BEGIN IMMEDIATE")
        try:
            yield
            self._connection.execute("COMMIT")
        except BaseException:
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")
            raise

    def add(self, experience: Experience) -> int:
        """Keep an experience; when this returns, it stays. One whose key is there already is not kept twice.

        Returns:
            its number.

        Raises:
            BadValue: it cannot be written (nothing of it is kept), or a vector has another length.
        """
        row = _row(experience)
        with self._told(), self._transaction():
            run = self._connection.execute
            former = run("SELECT id FROM experience WHERE key = ?", (experience.key,)).fetchone()
            if former is not None:
                return int(former[0])
            marks = ", ".join("?" for _ in row)
            number = run(
                f"INSERT INTO experience ({', '.join(row)}) VALUES ({marks})", [*row.values()]
            )
            place = int(number.lastrowid or 0)
            if experience.first is not None:
                first = self._add_image(place, experience.first)
                run("UPDATE experience SET first = ? WHERE id = ?", (first, place))
            for k, pursuit in enumerate(experience.pursuits):
                self._add_pursuit(place, k, pursuit)
            for case in experience.cases:
                self._add_case(place, case)
        return place

    def _add_image(self, experience: int, image: Image) -> int:
        made = self._connection.execute(
            "INSERT INTO image (experience, tick, webp, vector) VALUES (?, ?, ?, ?)",
            (experience, image.tick, image.webp, self._packed(image.vector)),
        )
        return int(made.lastrowid or 0)

    def _add_pursuit(self, experience: int, place: int, pursuit: Pursuit) -> None:
        images = [self._add_image(experience, image) for image in pursuit.seen]
        self._connection.execute(
            "INSERT INTO pursuit (experience, place, text, ending, failure, tick, ticks, correlation, "
            "vector, images) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                experience, place, pursuit.text, pursuit.end, pursuit.failure, pursuit.tick,
                pursuit.ticks, pursuit.correlation,
                None if pursuit.vector is None else self._packed(pursuit.vector), json.dumps(images),
            ),
        )  # fmt: skip

    def _add_case(self, experience: int, case: Case) -> None:
        before, present = (self._add_image(experience, one) for one in (case.before, case.present))
        self._connection.execute(
            "INSERT INTO reflection (experience, place, subgoal, environment, before, present, predicament, "
            "verdict, label) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                experience, case.place, case.subgoal, case.environment, before, present,
                case.predicament, case.verdict, case.label,
            ),
        )  # fmt: skip

    def _packed(self, vector: NDArray[np.float32]) -> bytes:
        """Return a vector's bytes.

        Raises:
            BadValue: it has another length than the aligner's, or holds what is no number.
        """
        width = self.aligner[1]
        if vector.shape != (width,) or not np.isfinite(vector).all():
            raise BadValue(
                f"memory: expected a vector of {width} finite numbers, got {vector.shape}"
            )
        return vector.astype(STORED).tobytes()

    def get(self, number: int) -> Experience:
        """Return an experience.

        Raises:
            BadValue: there is none of this number, or the file cannot be read or is damaged.
        """
        with self._told():
            row = self._rows("experience", "id", number).fetchone()
            if row is None:
                raise BadValue(f"memory: expected the number of an experience, got {number}")
            try:
                return self._experience(number, row)
            except (KeyError, ValueError) as error:
                raise BadValue(f"memory: '{self.path}' is damaged at {number}: {error}") from error

    def _rows(self, table: str, column: str, number: int) -> sqlite3.Cursor:
        """Return the rows of one of our tables that belong to an experience."""
        self._connection.row_factory = sqlite3.Row
        return self._connection.execute(
            f"SELECT * FROM {table} WHERE {column} = ? ORDER BY id", (number,)
        )

    def _experience(self, number: int, row: sqlite3.Row) -> Experience:
        images = {
            one["id"]: Image(one["tick"], one["webp"], np.frombuffer(one["vector"], STORED))
            for one in self._rows("image", "experience", number)
        }
        pursuits = [_pursuit(one, images) for one in self._rows("pursuit", "experience", number)]
        cases = [_case(one, images) for one in self._rows("reflection", "experience", number)]
        return Experience(
            key=row["key"],
            task=row["task"],
            goal=row["goal"],
            environment=row["environment"],
            start=json.loads(row["start"]),
            plan=tuple(json.loads(row["plan"])),
            pursuits=tuple(pursuits),
            cases=tuple(cases),
            status=row["status"],
            ticks=row["ticks"],
            first=None if row["first"] is None else images[row["first"]],
            told=json.loads(row["told"]),
        )

    def numbers(self) -> tuple[int, ...]:
        """Return the numbers of all experiences, oldest first.

        Raises:
            BadValue: the file cannot be read.
        """
        with self._told():
            found = self._connection.execute("SELECT id FROM experience ORDER BY id")
            return tuple(int(row[0]) for row in found)


def _row(experience: Experience) -> Mapping[str, Any]:
    """Return the columns of an experience itself."""
    texts = {
        "start": plain_value("start", dict(experience.start)),
        "plan": list(experience.plan),
        "told": plain_value("told", dict(experience.told)),
    }
    return {
        "key": experience.key,
        "task": experience.task,
        "goal": experience.goal,
        "environment": experience.environment,
        "outcome": experience.outcome,
        "status": experience.status,
        "ticks": experience.ticks,
        **{name: json.dumps(value) for name, value in texts.items()},
    }


def _pursuit(row: sqlite3.Row, images: Mapping[int, Image]) -> Pursuit:
    seen: Sequence[int] = json.loads(row["images"])
    vector = None if row["vector"] is None else np.frombuffer(row["vector"], STORED)
    return Pursuit(
        text=row["text"],
        end=row["ending"],
        failure=row["failure"],
        tick=row["tick"],
        ticks=row["ticks"],
        seen=tuple(images[number] for number in seen),
        correlation=row["correlation"],
        vector=vector,
    )


def _case(row: sqlite3.Row, images: Mapping[int, Image]) -> Case:
    return Case(
        place=row["place"],
        subgoal=row["subgoal"],
        environment=row["environment"],
        before=images[row["before"]],
        present=images[row["present"]],
        predicament=row["predicament"],
        verdict=row["verdict"],
        label=row["label"],
    )
