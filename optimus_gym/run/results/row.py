"""The row of results of one episode: a line of JSON with all facts that tables and plots need."""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, fields
from types import MappingProxyType
from typing import Any, Final

from optimus_gym.core.errors import BadValue, shown
from optimus_gym.core.plain import read_json

FORMAT: Final = 1
"""Format number of the rows; newer versions write larger numbers."""
CRASHED: Final = "crashed"
"""The status of an episode that an error or a dead process cut off."""
_LARGEST: Final = 2**63
"""Exclusive upper bound of integers in a row; seeds are the largest integers there."""
_LONG: Final = re.compile(rb"\d{19}")
OVERTIME: Final = "crashed (time)"
"""The status of an episode that exceeded `evaluate --episode-limit`. An episode with this status
is neither success nor failure, and no success rate counts it."""
MOST_REASON: Final = 20_000
"""Maximum number of characters stored of an error's text: a fifth from its beginning, the rest from its
end."""
IMPOSSIBLE: Final = "impossible"
"""The status of an episode that was not played because the world, controller and helper cannot do its task.
The episode counts as a failure. The statuses of played episodes are in `core.types.STATUSES`."""


@dataclass(frozen=True, slots=True)
class Pursued:
    """A sub-goal that the controller began, with its end.

    Attributes:
        subgoal: verb, count and item, such as "mine 3 log".
        end: "reached", "complete", "failed" or "replan" (`core.deliberation.End`).
        failure: why the sub-goal failed (`core.types.Reason`), else "".
        missing: the item that was missing or not found, else "".
        detail: further words on the failure, else "".
        ticks: the sub-goal's length in ticks.
        tick: the episode's tick at the sub-goal's end.
    """

    subgoal: str
    end: str
    failure: str
    missing: str
    detail: str
    ticks: int
    tick: int


@dataclass(frozen=True, slots=True)
class Death:
    """A death of the player: its cause ("zombie", "falling"), and the episode's tick."""

    cause: str
    tick: int


@dataclass(frozen=True, slots=True, kw_only=True)
class EpisodeRow:
    """The result of one episode of an evaluation, with all facts that tables and plots need.

    Attributes:
        task: the task's id.
        suite: the suite that was played.
        group: the task's group.
        episode: the episode's number among the task's episodes, from 0.
        seed: the world's seed.
        agent: the agent, written as on the command line; so are backbone, controller, world and protocol.
        backbone: the backbone that the agent asked.
        controller: the controller that carried out sub-goals.
        world: the world.
        protocol: the rule set.
        assists: the assists that made the game easier.
        privileged: whether controller or agent reads the world itself.
        crafting: the way to craft: "functional" (in one tick), or "gui" (by mouse on the game's screens).
        helper: the helper that crafted, smelted, equipped and placed; "" if the world itself did.
        budget: maximum number of ticks of the episode.
        success: whether the task was reached.
        status: how the episode ended: one of `core.types.STATUSES`, "crashed", "crashed (time)" or
            "impossible".
        reason: why the agent gave up, the world failed or the task is impossible; for a crash, the
            traceback; else "".
        ticks: the episode's length in ticks.
        milestones: the tick at which each item was first held, without the items of the start.
        subgoals: the pursued sub-goals, in order.
        deaths: deaths of the player, in order; several if the protocol lets the episode go on.
        replans: number of new plans after the first one.
        complete_wrong: number of sub-goals that the agent called complete although the inventory did not
            show them.
        thinking: what the world does while the backbone answers: "paused", or "ticks" (the world goes on).
        thought: number of ticks that the world went on while the backbone answered.
        calls: number of requests to the backbone.
        unanswered: number of requests without a text in return.
        corrections: number of requests that reported a fault of the last answer to the backbone.
        own_plans: number of plans in the backbone's own words.
        goal_plans: number of plans that the bare goal (the wanted item, without a recipe) replaced.
        rules_plans: number of plans that the rules made in the backbone's place.
        own_verdicts: number of the backbone's verdicts that could be read.
        lost_verdicts: number of the backbone's verdicts that could not be read.
        fault: the first fault of the backbone's answers, in words; "" for none.
        prompt_tokens: prompt tokens of all calls.
        completion_tokens: completion tokens of all calls.
        latency_s: seconds of all calls.
        cost: cost of all calls, in the currency of the backbone's prices.
        faults: number of the backbone's failed attempts to answer, such as refused requests and cut
            connections.
        models: names of the models that answered.
        configuration: SHA-256 of the configuration (`optimus_gym.run.evaluate.identity`).
        code: SHA-256 of the package.
        memory: SHA-256 of the memory's folder; "" for none.
        memory_lost: why the agent went on without its memory (`on_bad_memory`); "" if no memory was lost.
        versions: versions of Python and of the packages that decide results, by name.
        wall_s: wall seconds of one process, shared evenly among simultaneous episodes. Only `wall_s` and the
            `latency_s` of a real model depend on the clock.
    """

    task: str
    suite: str
    group: str
    episode: int
    seed: int
    agent: str
    backbone: str
    controller: str
    world: str
    protocol: str
    assists: tuple[str, ...]
    privileged: bool
    crafting: str
    helper: str
    budget: int
    success: bool
    status: str
    reason: str = ""
    ticks: int = 0
    milestones: Mapping[str, int]
    subgoals: tuple[Pursued, ...]
    deaths: tuple[Death, ...]
    replans: int = 0
    complete_wrong: int = 0
    thinking: str
    thought: int = 0
    calls: int = 0
    unanswered: int = 0
    corrections: int = 0
    own_plans: int = 0
    goal_plans: int = 0
    rules_plans: int = 0
    own_verdicts: int = 0
    lost_verdicts: int = 0
    fault: str = ""
    prompt_tokens: int = 0
    completion_tokens: int = 0
    latency_s: float = 0.0
    cost: float = 0.0
    faults: int = 0
    models: tuple[str, ...] = ()
    configuration: str
    code: str
    memory: str = ""
    memory_lost: str = ""
    versions: Mapping[str, str]
    wall_s: float = 0.0

    @property
    def key(self) -> tuple[str, int]:
        """Return the task and number that identify the episode within its evaluation."""
        return self.task, self.episode

    @property
    def is_counted(self) -> bool:
        """Return whether the episode is a success or a failure: every status but "crashed (time)" is."""
        return self.status != OVERTIME

    def to_line(self) -> str:
        """Return the row as a line of JSON with a line feed at its end.

        A lone surrogate in a text becomes a question mark, since UTF-8 cannot encode it.
        """
        line = json.dumps({"format": FORMAT, **asdict(self)}, ensure_ascii=False) + "\n"
        return line.encode(errors="replace").decode()


def shortened(text: str) -> str:
    """Return a text of at most `MOST_REASON` characters; leave out the middle of a longer text.

    >>> len(shortened("a" * 10**6)), shortened("short")
    (20000, 'short')
    """
    if len(text) <= MOST_REASON:
        return text
    told = f"\n[{len(text) - MOST_REASON:,} characters are left out]\n"
    head = MOST_REASON // 5
    return text[:head] + told + text[len(text) - (MOST_REASON - head - len(told)) :]


_LISTS: Mapping[str, type] = MappingProxyType(
    {"assists": str, "subgoals": Pursued, "deaths": Death, "models": str}
)
"""Type of the entries of each field of a row that holds a list."""
_TABLES: Mapping[str, type] = MappingProxyType({"milestones": int, "versions": str})
"""Type of the values of each field of a row that holds a mapping."""


def row_of(text: str | bytes, where: str) -> EpisodeRow:
    """Return the row of results that a line of JSON holds.

    Args:
        text: the line.
        where: the line's file and number, for messages.

    Raises:
        BadValue: the line is no JSON or has another format, or a field is missing, unknown, of the wrong
            type or out of range.
    """
    found = read_json(text, where)
    if not isinstance(found, dict):
        raise BadValue(f"{where}: expected an episode's row, got {shown(found)}")
    _check_odd(text if isinstance(text, bytes) else text.encode(), found, where)
    version = found.pop("format", None)
    if version != FORMAT:
        newer = isinstance(version, int) and version > FORMAT
        why = "; a newer version of optimus-gym wrote it" if newer else ""
        raise BadValue(f"{where}: expected a row of format {FORMAT}, got {shown(version)}{why}")
    found.setdefault("memory_lost", "")  # older rows lack both fields
    found.setdefault("crafting", "functional")
    row: EpisodeRow = _made(EpisodeRow, found, where)
    return row


def _check_odd(text: bytes, found: dict[str, Any], where: str) -> None:
    """Reject numbers and texts that a row must not have; most lines need only a quick search of their text.

    Args:
        text: the line.
        found: the line's content.
        where: the line's file and number, for messages.

    Raises:
        BadValue: a whole number is out of range, or a text has a lone surrogate.
    """
    if _LONG.search(text) and any(abs(number) >= _LARGEST for number in _whole_numbers(found)):
        raise BadValue(f"{where}: expected whole numbers below {_LARGEST}, got a larger one")
    if b"\xed" in text or b"\\ud" in text.lower():
        try:
            json.dumps(found, ensure_ascii=False).encode()
        except UnicodeEncodeError as error:
            raise BadValue(f"{where}: expected valid Unicode, got an unpaired surrogate") from error


def _whole_numbers(value: Any) -> Iterator[int]:
    """Yield the whole numbers in a JSON value, also nested ones."""
    if isinstance(value, dict | list):
        for one in value.values() if isinstance(value, dict) else value:
            yield from _whole_numbers(one)
    elif isinstance(value, int):
        yield value


def _made(kind: Any, found: dict[str, Any], where: str) -> Any:
    """Return an object of `kind`, a class of this module, from the fields of a JSON object.

    Raises:
        BadValue: a field is missing, unknown or of the wrong type.
    """
    types = _TYPES[kind]
    if (tuple(found), *map(type, found.values())) == _FLAT.get(kind):
        return kind(*found.values())  # all values have the fields' order and types already
    if found.keys() != types.keys():
        odd = sorted(found.keys() ^ types.keys())
        raise BadValue(
            f"{where}: expected the fields of a {kind.__name__}, got missing or unknown fields: {odd}"
        )
    return kind(**{name: _read(name, found[name], types[name], where) for name in types})


def _read(name: str, value: Any, kind: Any, where: str) -> Any:
    """Return a field's value, converted from its JSON value."""
    if kind is float and type(value) is int:
        return float(value)
    if type(value) is not kind:
        wanted = _NAMES.get(kind, kind.__name__)
        raise BadValue(f"{where}: {name}: expected {wanted}, got {shown(value)}")
    if name in _LISTS:
        return tuple(_entry(name, one, where) for one in value)
    if name in _TABLES and not all(type(one) is _TABLES[name] for one in value.values()):
        wanted = f"values of type {_TABLES[name].__name__}"
        raise BadValue(f"{where}: {name}: expected {wanted}, got {shown(value)}")
    return value


def _entry(name: str, value: Any, where: str) -> Any:
    """Return an entry of a field that holds a list, converted from its JSON value."""
    kind = _LISTS[name]
    if kind is not str and type(value) is dict:
        return _made(kind, value, f"{where}: {name}")
    if kind is not str or type(value) is not str:
        raise BadValue(
            f"{where}: {name}: expected a list of {kind.__name__}, got the entry {shown(value)}"
        )
    return value


def _types_of(kind: Any) -> dict[str, Any]:
    """Return the JSON types of a class's fields."""
    listed: dict[str, Any] = {**dict.fromkeys(_LISTS, list), **dict.fromkeys(_TABLES, dict)}
    return {field.name: listed.get(field.name, field.type) for field in fields(kind)}


_NAMES: Mapping[Any, str] = MappingProxyType({list: "a list", dict: "an object"})
_TYPES: Mapping[Any, dict[str, Any]] = MappingProxyType(
    {kind: _types_of(kind) for kind in (EpisodeRow, Pursued, Death)}
)
_FLAT: Mapping[Any, tuple[Any, ...]] = MappingProxyType(
    {kind: (tuple(_TYPES[kind]), *_TYPES[kind].values()) for kind in (Pursued, Death)}
)
"""Names and types of the fields of the classes that have no fields with lists or mappings."""
