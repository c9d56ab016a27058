"""An experience as JSON holds it in a portable file: pictures by their hash, vectors by their row."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields
from typing import Any, Final, Protocol, get_args

import numpy as np
from numpy.typing import NDArray

from optimus_gym.core.checks import check_count
from optimus_gym.core.deliberation import End, Judgement
from optimus_gym.core.errors import BadValue, shown
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

HASH: Final = re.compile(r"[0-9a-f]{64}")
IMAGE: Final = ("tick", "picture", "vector")
PURSUIT: Final = tuple(field.name for field in fields(PastPursuit))
CASE: Final = tuple(field.name for field in fields(Case))
REPLAN: Final = tuple(field.name for field in fields(Replan))
EXPERIENCE: Final = tuple(field.name for field in fields(Experience))

Vector = NDArray[np.float32]


class Drawer(Protocol):
    """Source of the pictures and vectors of a record."""

    def image(self, where: str, tick: int, picture: str, row: int) -> Image:
        """Return an image by its picture's SHA-256 and its vector's row.

        Raises:
            BadValue: the picture or the vector does not exist.
        """

    def vector(self, where: str, row: int | None, pictures: Sequence[str]) -> Vector | None:
        """Return the vector (float32[d]) of a video, by its row and the pictures' SHA-256.

        Raises:
            BadValue: the vector does not exist.
        """

    def correlation(self, text: str, value: float | None, vector: Vector | None) -> float | None:
        """Return how well a video fits a text, if the record says `value`."""


def record_of(
    experience: Experience, picture: Callable[[Image], str], row: Callable[[Vector], int]
) -> dict[str, Any]:
    """Return an experience's record without checks; `experience_of` checks records.

    Args:
        experience: any experience.
        picture: takes an image's picture and returns its SHA-256.
        row: takes a vector and returns its row.
    """

    def image(one: Image) -> dict[str, Any]:
        return {"tick": one.tick, "picture": picture(one), "vector": row(one.vector)}

    def pursuit(one: PastPursuit) -> dict[str, Any]:
        seen = [image(part) for part in one.seen]
        vector = None if one.vector is None else row(one.vector)
        return {**_plain(one, PURSUIT), "seen": seen, "vector": vector}

    def case(one: Case) -> dict[str, Any]:
        return {**_plain(one, CASE), "before": image(one.before), "present": image(one.present)}

    return {
        **_plain(experience, EXPERIENCE),
        "first": None if experience.first is None else image(experience.first),
        "pursuits": [pursuit(one) for one in experience.pursuits],
        "cases": [case(one) for one in experience.cases],
        "replans": [_plain(one, REPLAN) for one in experience.replans],
    }


def _plain(value: object, names: tuple[str, ...]) -> dict[str, Any]:
    return {name: getattr(value, name) for name in names}


def experience_of(where: str, value: object, drawer: Drawer) -> Experience:
    """Return the experience of a record.

    Args:
        where: the record's name, for the message.
        value: the value that was read.
        drawer: has the pictures and vectors.

    Raises:
        BadValue: the record has other keys or types, impossible values, or refers to a missing picture or
            vector; the error names the place.
    """
    check_depth(where, value)
    record = check_mapping(where, value, EXPERIENCE)
    first = record["first"]
    plan = _each(where, record, "plan")
    pursuits = _each(where, record, "pursuits")
    cases = _each(where, record, "cases")
    replans = _each(where, record, "replans")
    return Experience(
        key=_text(where, record, "key"),
        task=_text(where, record, "task"),
        goal=_text(where, record, "goal"),
        environment=_text(where, record, "environment"),
        start=check_start(f"{where}.start", record["start"]),
        plan=tuple(check_text(place, text) for place, text in plan),
        pursuits=tuple(_pursuit(place, one, drawer) for place, one in pursuits),
        cases=tuple(_case(place, one, drawer) for place, one in cases),
        status=check_choice(f"{where}.status", record["status"], STATUSES),
        ticks=_whole(where, record, "ticks"),
        first=None if first is None else _image(f"{where}.first", first, drawer),
        told=check_mapping(f"{where}.told", record["told"]),
        replans=tuple(_replan(place, one) for place, one in replans),
    )


def _pursuit(where: str, value: object, drawer: Drawer) -> PastPursuit:
    record = check_mapping(where, value, PURSUIT)
    text, row, fit = _text(where, record, "text"), record["vector"], record["correlation"]
    images = _each(where, record, "seen")
    seen = tuple(_image(place, image, drawer) for place, image in images)
    fit = None if fit is None else check_real(f"{where}.correlation", fit)
    row = None if row is None else check_count(f"{where}.vector", row, 0)
    vector = drawer.vector(where, row, [image["picture"] for _, image in images])
    return PastPursuit(
        text=text,
        end=check_choice(f"{where}.end", record["end"], get_args(End)),
        failure=_text(where, record, "failure"),
        tick=_whole(where, record, "tick"),
        ticks=_whole(where, record, "ticks"),
        seen=seen,
        correlation=drawer.correlation(text, fit, vector),
        vector=vector,
    )


def _case(where: str, value: object, drawer: Drawer) -> Case:
    record = check_mapping(where, value, CASE)
    words = get_args(Judgement)
    return Case(
        place=_whole(where, record, "place"),
        subgoal=_text(where, record, "subgoal"),
        environment=_text(where, record, "environment"),
        before=_image(f"{where}.before", record["before"], drawer),
        present=_image(f"{where}.present", record["present"], drawer),
        predicament=check_predicament(f"{where}.predicament", record["predicament"]),
        verdict=check_choice(f"{where}.verdict", record["verdict"], words),
        label=check_choice(f"{where}.label", record["label"], words),
    )


def _replan(where: str, value: object) -> Replan:
    record = check_mapping(where, value, REPLAN)
    if not isinstance(record["worked"], bool):
        raise BadValue(f"{where}.worked: expected True or False, got {shown(record['worked'])}")
    return Replan(
        place=_whole(where, record, "place"),
        failed=_text(where, record, "failed"),
        reason=_text(where, record, "reason"),
        plan=tuple(check_text(place, text) for place, text in _each(where, record, "plan")),
        reached=_whole(where, record, "reached"),
        worked=record["worked"],
    )


def _image(where: str, value: object, drawer: Drawer) -> Image:
    record = check_mapping(where, value, IMAGE)
    picture = _text(where, record, "picture")
    if not HASH.fullmatch(picture):
        raise BadValue(f"{where}.picture: expected a SHA-256 in hexadecimal, got {shown(picture)}")
    row = check_count(f"{where}.vector", record["vector"], 0)
    return drawer.image(where, _whole(where, record, "tick"), picture, row)


def _text(where: str, record: Mapping[str, Any], key: str) -> str:
    return check_text(f"{where}.{key}", record[key])


def _whole(where: str, record: Mapping[str, Any], key: str) -> int:
    return check_count(f"{where}.{key}", record[key], 0, MOST_INTEGER)


def _each(where: str, record: Mapping[str, Any], key: str) -> list[tuple[str, Any]]:
    """Return the values of a list, each with its place."""
    values = check_list(f"{where}.{key}", record[key])
    return [(f"{where}.{key}[{k}]", value) for k, value in enumerate(values)]
