"""Store and read the experiences of a memory folder.

An experience is stored as a whole or not at all. Once `add` has returned, the experience survives the killing
of any process.
"""

import json
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from optimus_gym.core.errors import BadValue
from optimus_gym.core.plain import plain_value
from optimus_gym.memory.database import Database
from optimus_gym.memory.experience import Case, Experience, Image, PastPursuit, Replan
from optimus_gym.memory.index import Index
from optimus_gym.memory.json_checks import check_depth
from optimus_gym.memory.packing import packed_vector
from optimus_gym.memory.queries import (
    LABELLED_BY_WORLD,
    OUTLINE_QUERY,
    OUTLINED_PURSUITS,
    CaseQuery,
    CaseRow,
    ReplanQuery,
    ReplanRow,
)
from optimus_gym.memory.reading import Reading


class ExperienceStore:
    """The stored episodes of a memory folder; `close` or the end of a `with` block closes the file.

    Args:
        folder: the memory folder; if `writes` is true and an aligner is given, a missing folder or file is
            made.
        aligner: name and vector length of the aligner whose vectors the file must hold; None accepts any
            aligner.
        writes: whether the file may be changed.

    Raises:
        BadValue: the file is missing, cannot be opened, is no memory's file, was written by a newer version
            of this package, or holds another aligner's vectors.
    """

    def __init__(self, folder: Path, aligner: tuple[str, int] | None, writes: bool = True) -> None:
        self.database = Database(folder, aligner, writes)
        self._connection = self.database.connection
        self.path = self.database.path
        self.aligner = self.database.aligner
        self._reading = Reading(str(self.path), self.aligner[1])

    def close(self) -> None:
        """Close the file; a second call does nothing."""
        self.database.close()

    def __enter__(self) -> "ExperienceStore":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def add(
        self, experience: Experience, words: Mapping[str, NDArray[np.float32]] | None = None
    ) -> int:
        """Store an experience durably; an experience whose key is stored already is not stored twice.

        Args:
            experience: the experience.
            words: vectors of the experience's texts, for searches.

        Returns:
            the experience's number.

        Raises:
            BadValue: the experience cannot be written (no part is stored), or a vector has
                another length than the aligner's vectors.
        """
        return self.add_all([(experience, words or {})])[0]

    def add_all(
        self, experiences: Iterable[tuple[Experience, Mapping[str, NDArray[np.float32]]]]
    ) -> list[int]:
        """Store experiences with the vectors of their texts, as `add` does: all or none.

        Returns:
            the experiences' numbers.

        Raises:
            BadValue: the experiences cannot be written, or a vector has
                another length than the aligner's vectors.
        """
        with self.database.told(), self.database.transaction():
            return [self._add(experience, words) for experience, words in experiences]

    def _add(self, experience: Experience, words: Mapping[str, NDArray[np.float32]]) -> int:
        """Write an experience unless its key is stored already, and return its number."""
        row = _row(experience)
        run = self._connection.execute
        former = run("SELECT id FROM experience WHERE key = ?", (experience.key,)).fetchone()
        if former is not None:
            return int(former[0])
        marks = ", ".join("?" for _ in row)
        made = run(f"INSERT INTO experience ({', '.join(row)}) VALUES ({marks})", [*row.values()])
        place = int(made.lastrowid or 0)
        for text, vector in words.items():
            run(
                "INSERT OR IGNORE INTO words (text, vector) VALUES (?, ?)",
                (text, self._packed(vector)),
            )
        images = _Images(self._add_image, place)
        if experience.first is not None:
            first = images.number(experience.first)
            sight = self._packed(experience.first.vector)
            run("UPDATE experience SET first = ?, sight = ? WHERE id = ?", (first, sight, place))
        for k, pursuit in enumerate(experience.pursuits):
            self._add_pursuit(place, k, pursuit, images)
        for case in experience.cases:
            self._add_case(place, case, images)
        for replan in experience.replans:
            self._add_replan(place, replan)
        return place

    def _add_image(self, experience: int, image: Image) -> int:
        made = self._connection.execute(
            "INSERT INTO image (experience, tick, picture, vector) VALUES (?, ?, ?, ?)",
            (experience, image.tick, image.picture, self._packed(image.vector)),
        )
        return int(made.lastrowid or 0)

    def _add_pursuit(
        self, experience: int, place: int, pursuit: PastPursuit, shown: "_Images"
    ) -> None:
        images = [shown.number(image) for image in pursuit.seen]
        self._connection.execute(
            "INSERT INTO pursuit (experience, place, text, ending, failure, tick, ticks, correlation, "
            "vector, images) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                experience, place, pursuit.text, pursuit.end, pursuit.failure, pursuit.tick,
                pursuit.ticks, pursuit.correlation,
                None if pursuit.vector is None else self._packed(pursuit.vector), json.dumps(images),
            ),
        )  # fmt: skip

    def _add_case(self, experience: int, case: Case, images: "_Images") -> None:
        before, present = images.number(case.before), images.number(case.present)
        self._connection.execute(
            "INSERT INTO reflection (experience, place, subgoal, environment, before, present, predicament, "
            "verdict, label) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                experience, case.place, case.subgoal, case.environment, before, present,
                case.predicament, case.verdict, case.label,
            ),
        )  # fmt: skip

    def _add_replan(self, experience: int, replan: Replan) -> None:
        self._connection.execute(
            "INSERT INTO replan (experience, place, failed, reason, plan, reached, worked) "
            "VALUES (?, ?, ?, ?, ?, ?, ?)",
            (
                experience, replan.place, replan.failed, replan.reason,
                json.dumps(list(replan.plan)), replan.reached, int(replan.worked),
            ),
        )  # fmt: skip

    def _packed(self, vector: NDArray[np.float32]) -> bytes:
        """Return a vector's bytes.

        Raises:
            BadValue: the vector has another length than the aligner's, or a number is not finite.
        """
        return packed_vector(vector, self.aligner[1])

    @contextmanager
    def look(self) -> Iterator[None]:
        """Let all reads inside this context see one snapshot of the file, whatever other processes write.

        Raises:
            BadValue: the file cannot be read.
        """
        with self.database.told(), self.database.look():
            yield

    def get(self, number: int) -> Experience:
        """Return an experience.

        Raises:
            BadValue: no experience has this number, or the file cannot be read or is damaged.
        """
        with self.look(), self._telling_damage(f"experience {number}"):
            row = self._rows("experience", "id", number).fetchone()
            if row is None:
                raise BadValue(f"memory: no experience has the number {number}")
            return self._experience(number, row)

    def outline(self, number: int) -> Experience:
        """Return an experience without its frames, reflections and new plans, fast even for a long episode.

        Raises:
            BadValue: no experience has this number, or the file cannot be read or is damaged.
        """
        with self.look(), self._telling_damage(f"experience {number}"):
            self._connection.row_factory = sqlite3.Row
            row = self._connection.execute(OUTLINE_QUERY, (number,)).fetchone()
            if row is None:
                raise BadValue(f"memory: no experience has the number {number}")
            pursuits = self._connection.execute(OUTLINED_PURSUITS, (number,)).fetchall()
            return self._reading.experience(row, {}, pursuits, (), ())

    @contextmanager
    def _telling_damage(self, where: str) -> Iterator[None]:
        """Turn errors of damaged rows into `BadValue`, which names the file and `where`."""
        try:
            yield
        except (LookupError, TypeError, ValueError, RecursionError) as error:
            if isinstance(error, BadValue):
                raise
            raise BadValue(f"memory: '{self.path}' is damaged at {where}: {error}") from error

    def _rows(self, table: str, column: str, number: int) -> sqlite3.Cursor:
        """Return the rows of a table that have `number` in `column`, in the order of row ids."""
        self._connection.row_factory = sqlite3.Row
        return self._connection.execute(
            f"SELECT * FROM {table} WHERE {column} = ? ORDER BY id", (number,)
        )

    def _experience(self, number: int, row: sqlite3.Row) -> Experience:
        found = self._rows("image", "experience", number)
        images = {one["id"]: self._reading.image(one) for one in found}
        pursuits, cases, replans = (
            self._rows(table, "experience", number).fetchall()
            for table in ("pursuit", "reflection", "replan")
        )
        return self._reading.experience(row, images, pursuits, cases, replans)

    def refresh(self, index: Index) -> None:
        """Bring an index up to date with the database file.

        Raises:
            BadValue: the file cannot be read, or is damaged.
        """
        self.database.check_unharmed()
        with self.look(), self._telling_damage("its vectors"):
            self._connection.row_factory = None
            index.refresh(self._connection)

    def case_rows(self, query: CaseQuery) -> list[CaseRow]:
        """Return the reflections that a query wants, newest first.

        Raises:
            BadValue: the file cannot be read.
        """
        words, outcomes = (", ".join("?" * len(some)) for some in (query.words, query.outcomes))
        where = "" if query.environment is None else " AND reflection.environment = ?"
        given = () if query.environment is None else (query.environment,)
        if not query.by_world:
            where, given = f"{where} AND instr(experience.told, ?) = 0", (*given, LABELLED_BY_WORLD)
        with self.database.told():
            self._connection.row_factory = None
            found = self._connection.execute(
                "SELECT reflection.id, experience.id, words.id, image.vector FROM reflection "
                "JOIN words ON words.text = reflection.subgoal "
                "JOIN experience ON experience.id = reflection.experience "
                "JOIN image ON image.id = reflection.present "
                f"WHERE words.id IN ({words}) AND label = ? AND experience.outcome IN ({outcomes}) "
                f"AND experience.id >= ?{where} ORDER BY reflection.id DESC LIMIT ?",
                (*query.words, query.label, *query.outcomes, query.oldest, *given, query.most),
            )
            return [CaseRow(*row) for row in found]

    def durations(self, verb: str, words: str, most: int) -> list[tuple[str, int]]:
        """Return (text, duration in ticks) of the newest reached sub-goals with the text "verb count words".

        Raises:
            BadValue: the file cannot be read.
        """
        with self.database.told():
            self._connection.row_factory = None
            found = self._connection.execute(
                "SELECT text, ticks FROM pursuit WHERE text >= ? AND text < ? AND substr(text, ?) = ? "
                "AND ending IN ('reached', 'complete') ORDER BY id DESC LIMIT ?",
                (f"{verb} ", f"{verb}!", -len(words) - 1, f" {words}", most),
            )
            return [(str(text), int(ticks)) for text, ticks in found]

    def replan_rows(self, query: ReplanQuery) -> list[ReplanRow]:
        """Return the plans after setbacks that a query wants, newest first.

        Raises:
            BadValue: the file cannot be read, or is damaged.
        """
        words, outcomes = (", ".join("?" * len(some)) for some in (query.words, query.outcomes))
        with self.database.told(), self._telling_damage("replans"):
            self._connection.row_factory = sqlite3.Row
            found = self._connection.execute(
                "SELECT replan.*, words.id AS number FROM replan "
                "JOIN words ON words.text = replan.failed "
                "JOIN experience ON experience.id = replan.experience "
                f"WHERE words.id IN ({words}) AND worked = ? AND experience.outcome IN ({outcomes}) "
                "ORDER BY replan.id DESC LIMIT ?",
                (*query.words, int(query.worked), *query.outcomes, query.most),
            ).fetchall()
            return [
                ReplanRow(row["experience"], row["number"], self._reading.replan(row))
                for row in found
            ]

    def case(self, number: int) -> Case:
        """Return a reflection.

        Raises:
            BadValue: no reflection has this number, or the file cannot be read or is damaged.
        """
        with self.look(), self._telling_damage(f"reflection {number}"):
            row = self._rows("reflection", "id", number).fetchone()
            if row is None:
                raise BadValue(f"memory: no reflection has the number {number}")
            images = {
                place: self._reading.image(image)
                for place in (row["before"], row["present"])
                for image in self._rows("image", "id", place)
            }
            return self._reading.case(row, images)

    def numbers(self) -> tuple[int, ...]:
        """Return the numbers of all experiences, oldest first.

        Raises:
            BadValue: the file cannot be read.
        """
        with self.database.told():
            found = self._connection.execute("SELECT id FROM experience ORDER BY id")
            return tuple(int(row[0]) for row in found)

    def keys(self) -> frozenset[str]:
        """Return the keys of all experiences.

        Raises:
            BadValue: the file cannot be read.
        """
        with self.database.told():
            self._connection.row_factory = None
            return frozenset(
                key for (key,) in self._connection.execute("SELECT key FROM experience")
            )


class _Images:
    """The images of one experience; equal images are stored once.

    Args:
        add: stores an image and returns its number.
        experience: the experience's number.
    """

    def __init__(self, add: Callable[[int, Image], int], experience: int) -> None:
        self._add = add
        self._experience = experience
        self._numbers: dict[tuple[int, bytes, bytes], int] = {}

    def number(self, image: Image) -> int:
        """Return the number of an image; store the image if it is new."""
        content = image.tick, image.picture, image.vector.tobytes()
        if content not in self._numbers:
            self._numbers[content] = self._add(self._experience, image)
        return self._numbers[content]


def _row(experience: Experience) -> Mapping[str, Any]:
    """Return the values of an experience's row in the table `experience`, by column."""
    texts = {
        "start": plain_value("start", dict(experience.start)),
        "plan": list(experience.plan),
        "told": plain_value("told", dict(experience.told)),
    }
    for name, value in texts.items():
        check_depth(name, value)
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
