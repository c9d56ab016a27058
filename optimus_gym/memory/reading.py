"""Rows of a memory's database as experiences; errors name the damaged column."""

import sqlite3
from collections.abc import Mapping, Sequence
from typing import Any, get_args

import numpy as np
from numpy.typing import NDArray

from optimus_gym.core.checks import check_count
from optimus_gym.core.deliberation import End, Judgement
from optimus_gym.core.errors import BadValue, shown
from optimus_gym.core.plain import read_json
from optimus_gym.core.types import STATUSES
from optimus_gym.memory.experience import Case, Experience, Image, PastPursuit, Replan
from optimus_gym.memory.json_checks import (
    MOST_INTEGER,
    check_choice,
    check_depth,
    check_list,
    check_mapping,
    check_predicament,
    check_real,
    check_start,
    check_text,
)
from optimus_gym.memory.packing import unpacked_vectors


class Reading:
    """Makes experiences from rows of a memory's database.

    Args:
        where: the file, for messages.
        width: length of a vector.
    """

    def __init__(self, where: str, width: int) -> None:
        self._where = where
        self._width = width

    def experience(
        self,
        row: sqlite3.Row,
        images: Mapping[int, Image],
        pursuits: Sequence[sqlite3.Row],
        cases: Sequence[sqlite3.Row],
        replans: Sequence[sqlite3.Row],
    ) -> Experience:
        """Return the experience that rows of the database hold.

        Args:
            row: the experience's row of the table `experience`.
            images: the experience's images by their numbers in the database.
            pursuits: the rows of sub-goals, in order.
            cases: the rows of reflections, in order.
            replans: the rows of plans after setbacks, in order.

        Raises:
            BadValue: a value in a row is damaged.
            LookupError: a row names an image that `images` lacks, or lacks a column.
        """
        first = row["first"]
        return Experience(
            key=self._text(row, "key"),
            task=self._text(row, "task"),
            goal=self._text(row, "goal"),
            environment=self._text(row, "environment"),
            start=check_start(self._place("start"), self._json(row, "start")),
            plan=self._texts(row, "plan"),
            pursuits=tuple(self._pursuit(one, images) for one in pursuits),
            cases=tuple(self.case(one, images) for one in cases),
            status=check_choice(self._place("status"), row["status"], STATUSES),
            ticks=self._whole(row, "ticks"),
            first=None if first is None else images[first],
            told=check_mapping(self._place("told"), self._json(row, "told")),
            replans=tuple(self.replan(one) for one in replans),
        )

    def image(self, row: sqlite3.Row) -> Image:
        """Return the image that a row of the database holds.

        Raises:
            BadValue: a value in the row is damaged.
            LookupError: the row lacks a column.
        """
        picture = row["picture"]
        if not isinstance(picture, bytes):
            raise BadValue(f"{self._place('picture')}: expected bytes, got {shown(picture)}")
        return Image(self._whole(row, "tick"), picture, self._vector(row["vector"]))

    def case(self, row: sqlite3.Row, images: Mapping[int, Image]) -> Case:
        """Return the reflection that a row of the database holds, with its two images.

        Raises:
            BadValue: a value in the row is damaged.
            LookupError: the row names an image that `images` lacks, or lacks a column.
        """
        words = get_args(Judgement)
        return Case(
            place=self._whole(row, "place"),
            subgoal=self._text(row, "subgoal"),
            environment=self._text(row, "environment"),
            before=images[row["before"]],
            present=images[row["present"]],
            predicament=check_predicament(self._place("predicament"), row["predicament"]),
            verdict=check_choice(self._place("verdict"), row["verdict"], words),
            label=check_choice(self._place("label"), row["label"], words),
        )

    def replan(self, row: sqlite3.Row) -> Replan:
        """Return the plan after a setback that a row of the database holds.

        Raises:
            BadValue: a value in the row is damaged.
            LookupError: the row lacks a column.
        """
        return Replan(
            place=self._whole(row, "place"),
            failed=self._text(row, "failed"),
            reason=self._text(row, "reason"),
            plan=self._texts(row, "plan"),
            reached=self._whole(row, "reached"),
            worked=bool(check_count(self._place("worked"), row["worked"], 0, 1)),
        )

    def _pursuit(self, row: sqlite3.Row, images: Mapping[int, Image]) -> PastPursuit:
        seen = check_list(self._place("images"), self._json(row, "images"))
        fit, vector = row["correlation"], row["vector"]
        return PastPursuit(
            text=self._text(row, "text"),
            end=check_choice(self._place("ending"), row["ending"], get_args(End)),
            failure=self._text(row, "failure"),
            tick=self._whole(row, "tick"),
            ticks=self._whole(row, "ticks"),
            seen=tuple(images[number] for number in seen),
            correlation=None if fit is None else check_real(self._place("correlation"), fit),
            vector=None if vector is None else self._vector(vector),
        )

    def _vector(self, packed: bytes) -> NDArray[np.float32]:
        try:
            unpacked: NDArray[np.float32] = unpacked_vectors([packed], self._width)[0]
        except BadValue as error:
            raise BadValue(f"{self._place('vector')}: {error}") from error
        return unpacked

    def _json(self, row: sqlite3.Row, column: str) -> Any:
        value = read_json(self._text(row, column), self._place(column))
        check_depth(self._place(column), value)
        return value

    def _text(self, row: sqlite3.Row, column: str) -> str:
        return check_text(self._place(column), row[column])

    def _texts(self, row: sqlite3.Row, column: str) -> tuple[str, ...]:
        place = self._place(column)
        return tuple(check_text(place, one) for one in check_list(place, self._json(row, column)))

    def _whole(self, row: sqlite3.Row, column: str) -> int:
        return check_count(self._place(column), row[column], 0, MOST_INTEGER)

    def _place(self, column: str) -> str:
        return f"memory: '{self._where}' is damaged at {column}"
