"""The experience of a memory folder, kept and read.

An experience is there as a whole or not at all, and stays once `add` has returned, whoever is killed then.
"""

import json
import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from optimus_gym.core.errors import BadValue
from optimus_gym.core.plain import plain_value
from optimus_gym.memory.checks import check_depth
from optimus_gym.memory.database import Database
from optimus_gym.memory.experience import Case, Experience, Image, Pursuit, Replan
from optimus_gym.memory.index import Index
from optimus_gym.memory.packing import packed_vector
from optimus_gym.memory.queries import (
    LABELLED_BY_WORLD,
    OUTLINE,
    OUTLINED_PURSUITS,
    CaseQuery,
    CaseRow,
    ReplanQuery,
    ReplanRow,
)
from optimus_gym.memory.reading import Reading


class ExperienceStore:
    """What is remembered of episodes; closed by `close` or `with`.

    Args:
        folder: the memory's; made, with its file, if there is none and it may be written.
        aligner: whose vectors it holds, and how long they are; None takes whatever it holds.
        writes: whether anything may be changed.

    Raises:
        BadValue: it is not there, cannot be opened, is of something else, of a newer version, or has
            another aligner's vectors.
    """

    def __init__(self, folder: Path, aligner: tuple[str, int] | None, writes: bool = True) -> None:
        self.database = Database(folder, aligner, writes)
        self._connection = self.database.connection
        self.path = self.database.path
        self.aligner = self.database.aligner
        self._reading = Reading(str(self.path), self.aligner[1])

    def close(self) -> None:
        """Let go of the file; may be called twice."""
        self.database.close()

    def __enter__(self) -> "ExperienceStore":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def add(
        self, experience: Experience, words: Mapping[str, NDArray[np.float32]] | None = None
    ) -> int:
        """Keep an experience; when this returns, it stays. One whose key is there already is not kept twice.

        Args:
            experience: what to keep.
            words: vectors of its texts, by which it is found.

        Returns:
            its number.

        Raises:
            BadValue: it cannot be written (nothing of it is kept), or a vector has another length.
        """
        return self.add_all([(experience, words or {})])[0]

    def add_all(
        self, experiences: Sequence[tuple[Experience, Mapping[str, NDArray[np.float32]]]]
    ) -> list[int]:
        """Keep experiences, with the vectors of their texts, as `add` does: all of them, or none.

        Returns:
            their numbers.

        Raises:
            BadValue: they cannot be written, or a vector has another length.
        """
        with self.database.told(), self.database.transaction():
            return [self._add(experience, words) for experience, words in experiences]

    def _add(self, experience: Experience, words: Mapping[str, NDArray[np.float32]]) -> int:
        """Write an experience, unless it is there, and return its number."""
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

    def _add_pursuit(self, experience: int, place: int, pursuit: Pursuit, shown: "_Images") -> None:
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
            BadValue: it has another length than the aligner's, or holds what is no number.
        """
        return packed_vector(vector, self.aligner[1])

    @contextmanager
    def look(self) -> Iterator[None]:
        """Read inside as at one moment, whoever writes meanwhile.

        Raises:
            BadValue: the file cannot be read.
        """
        with self.database.told(), self.database.look():
            yield

    def get(self, number: int) -> Experience:
        """Return an experience.

        Raises:
            BadValue: there is none of this number, or the file cannot be read or is damaged.
        """
        with self.look(), self._telling_damage(f"experience {number}"):
            row = self._rows("experience", "id", number).fetchone()
            if row is None:
                raise BadValue(f"memory: expected the number of an experience, got {number}")
            return self._experience(number, row)

    def outline(self, number: int) -> Experience:
        """Return an experience without what was seen, cases and new plans: quick, whatever it holds.

        Raises:
            BadValue: there is none of this number, or the file cannot be read or is damaged.
        """
        with self.look(), self._telling_damage(f"experience {number}"):
            self._connection.row_factory = sqlite3.Row
            row = self._connection.execute(OUTLINE, (number,)).fetchone()
            if row is None:
                raise BadValue(f"memory: expected the number of an experience, got {number}")
            pursuits = self._connection.execute(OUTLINED_PURSUITS, (number,)).fetchall()
            return self._reading.experience(row, {}, pursuits, (), ())

    @contextmanager
    def _telling_damage(self, where: str) -> Iterator[None]:
        """Turn what rows that are not as we wrote them lead to into what can be understood."""
        try:
            yield
        except (LookupError, TypeError, ValueError, RecursionError) as error:
            if isinstance(error, BadValue):
                raise
            raise BadValue(f"memory: '{self.path}' is damaged at {where}: {error}") from error

    def _rows(self, table: str, column: str, number: int) -> sqlite3.Cursor:
        """Return the rows of one of our tables that belong to an experience."""
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
        """Bring an index in step with what there is.

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
        """Return texts and ticks of reached sub-goals that read "verb count words", the newest ones.

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
            BadValue: there is none of this number, or the file cannot be read or is damaged.
        """
        with self.look(), self._telling_damage(f"reflection {number}"):
            row = self._rows("reflection", "id", number).fetchone()
            if row is None:
                raise BadValue(f"memory: expected the number of a reflection, got {number}")
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


class _Images:
    """The images of one experience, each of which is kept once, however often it is shown.

    Args:
        add: keeps one and returns its number.
        experience: the experience's number.
    """

    def __init__(self, add: Callable[[int, Image], int], experience: int) -> None:
        self._add = add
        self._experience = experience
        self._numbers: dict[tuple[int, bytes, bytes], int] = {}

    def number(self, image: Image) -> int:
        """Return the number of an image, which is kept now if it was not before."""
        content = image.tick, image.picture, image.vector.tobytes()
        if content not in self._numbers:
            self._numbers[content] = self._add(self._experience, image)
        return self._numbers[content]


def _row(experience: Experience) -> Mapping[str, Any]:
    """Return the columns of an experience itself."""
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
