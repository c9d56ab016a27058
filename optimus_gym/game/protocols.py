"""The rules of an episode that are not the game's: protocols, and the assists that they name."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType

from optimus_gym.core.errors import UnknownName
from optimus_gym.game.conditions import DAY_TICKS, WEATHERS
from optimus_gym.game.creatures import DIFFICULTIES
from optimus_gym.game.rows import Row, refuse, rows

PROTOCOL_FIELDS: Mapping[str, type] = MappingProxyType(
    {
        "name": str,
        "death": str,
        "difficulty": str,
        "creatures": bool,
        "time": int,
        "weather": str,
        "assists": list,
        "tells": list,
    }
)
"""Fields, with their types, that each row of `data/protocols.json` must have besides `source`."""
BUDGET_FIELD = "budget"
DEATHS = ("episode_over", "respawn")
"""Consequences of death: the episode ends, or the player goes on at its spawn point."""
TELLS = ("biome", "position")
"""Facts about where the player is that a protocol may show to the agent; every agent sees the height."""


@dataclass(frozen=True, slots=True)
class EpisodeProtocol:
    """The rules of an episode that are not the game's.

    Attributes:
        name: the value of the argument `protocol`.
        death: "episode_over" (death ends the episode, `terminated`) or "respawn" (the player goes on at
            its spawn point; it loses its items unless an assist keeps them).
        difficulty: "peaceful" to "hard".
        creatures: whether animals and monsters spawn.
        time: time of day at the start of episodes in the game's ticks, 0 (6 in the morning) to 23,999; the
            clock runs unless an assist stops it.
        weather: "clear", "rain" or "thunder" at the start; it changes as in the game.
        assists: names of the assists, which make the game easier, in the order of `assists`.
        tells: facts about where the player is that the agent sees, from `TELLS` and in the order of `TELLS`.
        budget: ticks that an episode may take; None takes the task's own budget.
        source: the publication from which the rules come.
    """

    name: str
    death: str
    difficulty: str
    creatures: bool
    time: int
    weather: str
    assists: tuple[str, ...]
    tells: tuple[str, ...]
    budget: int | None
    source: str


@cache
def protocols() -> Mapping[str, EpisodeProtocol]:
    """Return every protocol by name, "vanilla" first.

    Source: `data/protocols.json`; each row names the paper's section.

    Raises:
        BadValue: lists every fault of the file.
    """
    return protocols_of(rows("protocols"), "protocols.json")


def protocol(name: str) -> EpisodeProtocol:
    """Return one protocol.

    Raises:
        UnknownName: no such protocol; the error suggests similar names.

    >>> protocol("optimus-1-paper").assists
    ('night_vision', 'diamonds_20_percent')
    """
    known = tuple(protocols())
    if name not in known:
        raise UnknownName("protocol", name, known)
    return protocols()[name]


COMMANDED = "commands"
"""Name that a world adds to its assists once a chat command has been carried out; no protocol has it."""


@cache
def assists() -> Mapping[str, str]:
    """Return each assist's effect, in words, by name.

    Source: `data/assists.json`; each row names the paper's section.
    """
    return MappingProxyType({row["name"]: row["effect"] for row in rows("assists")})


def protocols_of(found: Sequence[Row], where: str) -> Mapping[str, EpisodeProtocol]:
    """Return the protocols of a file's rows by name, in the rows' order.

    Args:
        found: rows, each with its source (see `optimus_gym.game.rows.checked`).
        where: the file's name, for the error.

    Raises:
        BadValue: lists every fault of every row: a missing or unknown field, a field of a wrong type, an
            unknown assist or fact in `tells`, or a name, an assist or a fact given twice.
    """
    faults: list[str] = []
    seen: set[str] = set()
    for number, row in enumerate(found):
        name = str(row.get("name", "?"))
        own = _form_faults(row) or _value_faults(row)
        if name in seen:
            own.append("expected a new name, got one that an earlier row has")
        seen.add(name)
        faults += [f"row {number} ({name}): {fault}" for fault in own]
    refuse(faults, where)
    return MappingProxyType({row["name"]: _protocol(row) for row in found})


def _form_faults(row: Row) -> list[str]:
    """Return the faults of a protocol's fields in a row: missing, unknown or of a wrong type."""
    faults = [f"expected a field {name!r}, got none" for name in PROTOCOL_FIELDS if name not in row]
    known = {*PROTOCOL_FIELDS, BUDGET_FIELD, "source"}
    faults += [f"expected no field {name!r}" for name in row if name not in known]
    return faults + [
        f"expected {name} of type {kind.__name__}, got {row[name]!r}"
        for name, kind in PROTOCOL_FIELDS.items()
        if name in row and type(row[name]) is not kind
    ]


def _value_faults(row: Row) -> list[str]:
    """Return the faults of a protocol's values in a row whose fields have the right types."""
    faults = _listed_faults(row["assists"], "assist", tuple(assists()))
    faults += _listed_faults(row["tells"], "tell", TELLS)
    for field, values in (("death", DEATHS), ("difficulty", DIFFICULTIES), ("weather", WEATHERS)):
        if row[field] not in values:
            faults.append(f"expected {field} as one of {values}, got {row[field]!r}")
    if not 0 <= row["time"] < DAY_TICKS:
        faults.append(f"expected a time of 0 to {DAY_TICKS - 1}, got {row['time']!r}")
    budget = row.get(BUDGET_FIELD, 1)
    if type(budget) is not int or budget < 1:
        faults.append(f"expected a budget of at least 1 tick, got {budget!r}")
    return faults


def _listed_faults(named: list[object], kind: str, known: Sequence[str]) -> list[str]:
    """Return the faults of a list of names: unknown names, or a name given twice."""
    faults = [str(UnknownName(kind, name, known)) for name in named if name not in known]
    if len({str(name) for name in named}) < len(named):
        faults.append(f"expected each {kind} once, got {named}")
    return faults


def _protocol(row: Row) -> EpisodeProtocol:
    """Return the protocol of a row that has been checked."""
    return EpisodeProtocol(
        name=row["name"],
        death=row["death"],
        difficulty=row["difficulty"],
        creatures=row["creatures"],
        time=row["time"],
        weather=row["weather"],
        assists=tuple(name for name in assists() if name in row["assists"]),
        tells=tuple(name for name in TELLS if name in row["tells"]),
        budget=row.get(BUDGET_FIELD),
        source=row["source"],
    )
