"""One episode of an evaluation: a line of JSON that says all that a table or a picture needs."""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, fields
from types import MappingProxyType
from typing import Any, Final

from optimus_gym.core.errors import BadValue, shown
from optimus_gym.core.plain import read_json

FORMAT: Final = 1
"""Of the rows; one that is larger was written by a newer version."""
CRASHED: Final = "crashed"
"""The status of an episode that an error or a dead process cut off."""
LARGEST: Final = 2**63
"""Whole numbers are below; seeds come nearest."""
_LONG: Final = re.compile(rb"\d{19}")
OVERTIME: Final = "crashed (time)"
"""The status of an episode that took longer than `evaluate --episode-limit` allows. No share counts it: it is
neither success nor failure."""
MOST_REASON: Final = 20_000
"""Characters of an error's text that are kept: its beginning and, most of them, its end."""
IMPOSSIBLE: Final = "impossible"
"""The status of an episode that was not played: world and executors cannot give what its task asks for. It
counts as one that did not succeed. The other statuses are `core.types.STATUSES`."""


@dataclass(frozen=True, slots=True)
class Pursued:
    """A sub-goal that was pursued.

    Attributes:
        subgoal: verb, count and item, such as "mine 3 log".
        end: "reached", "complete", "failed" or "replan" (`core.deliberation.End`).
        failure: why it failed (`core.types.Reason`), else "".
        missing: what was missing or was not found, else "".
        detail: the failure in further words, else "".
        ticks: how many it took.
        tick: the episode's tick at its end.
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
    """A death of the player: of what ("zombie", "falling"), and in which tick of the episode."""

    cause: str
    tick: int


@dataclass(frozen=True, slots=True, kw_only=True)
class EpisodeRow:
    """One episode.

    Attributes:
        task: the task's id.
        suite: the suite that was played.
        group: the task's group.
        episode: its number among the task's, from 0.
        seed: of its world.
        agent: who planned; as one writes the part, and so are the next four.
        backbone: what the agent asked.
        controller: who carried out sub-goals.
        world: where.
        protocol: the rules.
        assists: what made the game easier.
        privileged: whether controller or agent reads the world itself.
        helper: who crafted, smelted, equipped and placed for the controller; "" for the world itself.
        budget: ticks that it might take.
        success: whether the task was reached.
        status: how it ended: one of `core.types.STATUSES`, "crashed", "crashed (time)" or "impossible".
        reason: why the agent gave up or the world failed, or the task cannot be done; of a crash, the
            traceback; else "".
        ticks: how long it was.
        milestones: the tick at which each item was first held that it did not begin with.
        subgoals: what was pursued, in order.
        deaths: of the player, in order; several where a protocol lets it go on.
        replans: new plans after the first one.
        complete_wrong: sub-goals that the agent called complete and that the inventory does not show.
        thinking: what the world did while the backbone answered: "paused", or "ticks".
        thought: ticks for which it went on meanwhile.
        calls: how often the backbone was asked.
        unanswered: how often no text came back.
        corrections: how often it was told what was wrong with its answer.
        own_plans: plans in its own words.
        goal_plans: plans in whose place the bare goal was handed out.
        rules_plans: plans that the rules made in its place.
        own_verdicts: verdicts of it that could be read.
        lost_verdicts: verdicts that it was asked for and that could not be read.
        fault: what went wrong with its answers first, in words; "" for nothing.
        prompt_tokens: of all calls.
        completion_tokens: of all calls.
        latency_s: seconds of all calls.
        cost: of all calls, in the money of the prices that the backbone was told.
        faults: what went wrong on the way to the answers: refusals, cut connections, errors that were drawn.
        models: who gave the answers.
        configuration: SHA-256 of what was evaluated (`optimus_gym.run.evaluate.identity`).
        code: SHA-256 of the package.
        memory: SHA-256 of the memory's folder; "" for none.
        memory_lost: why the agent went on without its memory (`on_bad_memory`); "" if it did not.
        versions: of Python and of the packages that decide results, by name.
        wall_s: seconds of one process; episodes that ran at once share them evenly. Beside `latency_s` of
            a real model, nothing else in a row depends on the clock.
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
        """Return what tells it from the other episodes of its evaluation."""
        return self.task, self.episode

    @property
    def is_counted(self) -> bool:
        """Return whether it says that the task was reached or not; an episode that took too long does not."""
        return self.status != OVERTIME

    def to_line(self) -> str:
        """Return it as a line of JSON, with its end of line.

        Half a character, as broken texts have them, becomes a question mark: UTF-8 cannot hold it.
        """
        line = json.dumps({"format": FORMAT, **asdict(self)}, ensure_ascii=False) + "\n"
        return line.encode(errors="replace").decode()


def shortened(text: str) -> str:
    """Return a text of at most `MOST_REASON` characters, the middle of a longer one left out.

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
"""What the entries of a row's lists are."""
_TABLES: Mapping[str, type] = MappingProxyType({"milestones": int, "versions": str})
"""What a row's tables hold by name."""


def row_of(text: str | bytes, where: str) -> EpisodeRow:
    """Return the row that a line holds.

    Args:
        text: the line.
        where: its file and number, for messages.

    Raises:
        BadValue: it is no JSON, of a newer version, or a field is missing, unknown, of the wrong type or
            out of range.
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
    found.setdefault("memory_lost", "")  # older rows know no agents that go on without a memory
    row: EpisodeRow = _made(EpisodeRow, found, where)
    return row


def _check_odd(text: bytes, found: dict[str, Any], where: str) -> None:
    """Refuse what JSON can hold and nothing else can.

    Args:
        text: the line; most have none of the signs of it, and are not looked at further.
        found: what it holds.
        where: its file and number, for messages.

    Raises:
        BadValue: a whole number is out of range, or a text has half a character.
    """
    if _LONG.search(text) and any(abs(number) >= LARGEST for number in _whole_numbers(found)):
        raise BadValue(f"{where}: expected whole numbers below {LARGEST}, got a larger one")
    if b"\xed" in text or b"\\ud" in text.lower():
        try:
            json.dumps(found, ensure_ascii=False).encode()
        except UnicodeEncodeError as error:
            raise BadValue(f"{where}: expected whole characters, got half of one") from error


def _whole_numbers(value: Any) -> Iterator[int]:
    """Yield the whole numbers in what JSON holds."""
    if isinstance(value, dict | list):
        for one in value.values() if isinstance(value, dict) else value:
            yield from _whole_numbers(one)
    elif isinstance(value, int):
        yield value


def _made(kind: Any, found: dict[str, Any], where: str) -> Any:
    """Return the object of a class of this module that a JSON object holds.

    Raises:
        BadValue: a field is missing, unknown or of the wrong type.
    """
    types = _TYPES[kind]
    if kind in _FLAT and {name: type(value) for name, value in found.items()} == types:
        return kind(**found)  # all is as it must be: nothing to read anew
    if found.keys() != types.keys():
        odd = sorted(found.keys() ^ types.keys())
        raise BadValue(f"{where}: expected the fields of a {kind.__name__}, got others: {odd}")
    return kind(**{name: _read(name, found[name], types[name], where) for name in types})


def _read(name: str, value: Any, kind: Any, where: str) -> Any:
    """Return a field's value, made of what JSON holds."""
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
    """Return an entry of a list."""
    kind = _LISTS[name]
    if kind is not str and type(value) is dict:
        return _made(kind, value, f"{where}: {name}")
    if kind is not str or type(value) is not str:
        raise BadValue(f"{where}: {name}: expected entries of {kind.__name__}, got {shown(value)}")
    return value


def _types_of(kind: Any) -> dict[str, Any]:
    """Return the types that JSON has for a class's fields."""
    listed: dict[str, Any] = {**dict.fromkeys(_LISTS, list), **dict.fromkeys(_TABLES, dict)}
    return {field.name: listed.get(field.name, field.type) for field in fields(kind)}


_FLAT: Final = (Pursued, Death)
"""Classes without lists and tables."""
_NAMES: Mapping[Any, str] = MappingProxyType({list: "a list", dict: "an object"})
_TYPES: Mapping[Any, dict[str, Any]] = MappingProxyType(
    {kind: _types_of(kind) for kind in (EpisodeRow, Pursued, Death)}
)
