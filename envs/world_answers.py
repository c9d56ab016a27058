"""Checks of a world's answers: the error for an answer that breaks the contract names the world.

`core.interfaces.World` says which answers are valid. All answers are checked when an episode begins and
after a sub-goal that the world carries out; after a tick only `alive`, `counts` and `events` are checked.
"""

from collections.abc import Collection, Mapping, Sequence
from functools import cache
from types import MappingProxyType
from typing import Any, Final, cast, get_args

import numpy as np
from numpy.typing import NDArray

from optimus_gym.core.checks import is_number, is_whole
from optimus_gym.core.errors import BadValue, UnknownName, shown
from optimus_gym.core.interfaces import World
from optimus_gym.core.overlay import DIGIT, ICON, ITEM_ICON, SLOT_FRAME, Overlay
from optimus_gym.core.predicaments import SEEN_BY_WORLD
from optimus_gym.core.types import EVENT_KINDS, Event, Failure, Reason
from optimus_gym.core.world_powers import (
    UNKNOWN_BLOCK,
    UNKNOWN_SCREEN,
    BiomeShareWorld,
    CommandWorld,
    Conditions,
    Done,
    MouseWorld,
    OverlayWorld,
    PredicamentWorld,
    RespawnWorld,
    SightWorld,
    SnapshotWorld,
    SubGoalWorld,
    Surroundings,
    SurroundingsWorld,
    WhereaboutsWorld,
)
from optimus_gym.game.blocks import block_names
from optimus_gym.game.hurts import hurts
from optimus_gym.game.items import HELD_SLOTS, item_names
from optimus_gym.game.protocols import COMMANDED, assists
from optimus_gym.game.screens import screen_names
from optimus_gym.game.things import things

OF_POWERS: Mapping[str, type] = MappingProxyType(
    {
        "respawn": RespawnWorld,
        "predicaments": PredicamentWorld,
        "biome_share": BiomeShareWorld,
        "overlay": OverlayWorld,
        "snapshots": SnapshotWorld,
        "sights": SightWorld,
        "subgoals": SubGoalWorld,
        "commands": CommandWorld,
        "mouse": MouseWorld,
        "surroundings": SurroundingsWorld,
        "whereabouts": WhereaboutsWorld,
    }
)
"""For some powers, the interface whose methods a world with the power must have."""
REASONS: Final = get_args(Reason)
_BYTE: Final = np.dtype(np.uint8)
_COUNT: Final = np.dtype(np.int32)
_VITAL: Final = np.dtype(np.float32)
_PLACE: Final = np.dtype(np.float64)
_FLAG: Final = np.dtype(np.bool_)


def check_methods(name: str, world: Any, count: int, can: Collection[str]) -> World:
    """Check that a world has all methods of `World` and of its powers, and `count` rows; return the world.

    Raises:
        BadValue: the world lacks a method, or has another number of rows.
    """
    for interface in (World, *(OF_POWERS[power] for power in OF_POWERS if power in can)):
        lacking = [one for one in _methods(interface) if not callable(getattr(world, one, None))]
        if lacking:
            where = f"{interface.__module__.removeprefix('optimus_gym.')}.{interface.__name__}"
            raise BadValue(
                f"world {name!r}: expected an object with the methods of `{where}`, "
                f"got this {type(world).__name__} without {', '.join(lacking)}"
            )
    rows = getattr(world, "count", None)
    if rows != count:
        raise BadValue(f"world: expected {count} rows, got {rows}")
    return cast(World, world)


def _methods(interface: type) -> list[str]:
    return [name for name, value in vars(interface).items() if callable(value) and name[0] != "_"]


def check_alive(name: str, alive: Any, count: int) -> NDArray[np.bool_]:
    """Return the checked result of a world's method `alive` for `count` rows.

    Raises:
        BadValue: the answer is no bool[count].
    """
    checked: NDArray[np.bool_] = _array(name, "alive", alive, (count,), _FLAG)
    return checked


def check_counts(name: str, counts: Any, rows: Collection[int]) -> NDArray[np.int32]:
    """Return the result of a world's method `counts` for `rows`, with shape and dtype checked.

    Raises:
        BadValue: the answer is no int32[n, 976].
    """
    shape = (len(rows), len(item_names()))
    checked: NDArray[np.int32] = _array(name, "counts", counts, shape, _COUNT)
    return checked


def check_held(name: str, counts: NDArray[np.int32], rows: Sequence[int]) -> None:
    """Reject counts (int32[n, 976]) of `rows` below 0, and pieces of air, which is no item.

    Raises:
        BadValue: a count is wrong; the message names the item and the row.
    """
    if counts.min() >= 0 and not counts[:, 0].any():
        return
    wrong = counts < 0
    wrong[:, 0] = counts[:, 0] != 0
    place, number = (int(k) for k in np.argwhere(wrong)[0])
    wanted = "no air (air is not an item)" if number == 0 else "at least 0"
    raise BadValue(
        f"world {name!r}: expected {wanted}, got {counts[place, number]} {item_names()[number]} "
        f"(counts, row {rows[place]})"
    )


def check_events(name: str, events: Any, row: int) -> tuple[Event, ...]:
    """Return the checked result of a world's method `events` for a row.

    Raises:
        BadValue: the answer is no tuple of events, or an event has a count below 0 or an unknown kind or
            subject; the message names the nearest kind or subject.
    """
    where = f"events, row {row}"
    if not isinstance(events, tuple):
        raise BadValue(f"world {name!r}: expected a tuple of events, got {shown(events)} ({where})")
    for event in events:
        if not isinstance(event, Event):
            raise BadValue(f"world {name!r}: expected an Event, got {shown(event)} ({where})")
        if event.kind not in EVENT_KINDS:
            _refuse_name(name, UnknownName("kind of event", event.kind, EVENT_KINDS), where)
        if not isinstance(event.subject, str) or event.subject not in _subjects():
            subject = f"subject of the event {event.kind}"
            _refuse_name(name, UnknownName(subject, event.subject, _subjects()), where)
        if not is_whole(event.count) or event.count < 0:
            raise BadValue(
                f"world {name!r}: expected a count of at least 0 of the event {event.kind} "
                f"{event.subject}, got {shown(event.count)} ({where})"
            )
    return events


@cache
def _subjects() -> frozenset[str]:
    return frozenset((*things(), *hurts()))


def check_done(name: str, done: Any, limit: int) -> Done:
    """Return the checked result of `carry_out` for a sub-goal that may take `limit` ticks.

    Raises:
        BadValue: the answer is no `Done`, its ticks are not 1 to `limit`, or its failure is neither None nor
            a `Failure` with a known reason.
    """
    if not isinstance(done, Done):
        raise BadValue(f"world {name!r}: expected a Done, got {shown(done)} (carry_out)")
    if not is_whole(done.ticks) or not 1 <= done.ticks <= limit:
        raise BadValue(
            f"world {name!r}: expected 1 to {limit} ticks, got {shown(done.ticks)} (carry_out)"
        )
    failure = done.failure
    if failure is not None and not isinstance(failure, Failure):
        raise BadValue(
            f"world {name!r}: expected a Failure or None, got {shown(failure)} (carry_out)"
        )
    if failure is not None and failure.reason not in REASONS:
        _refuse_name(name, UnknownName("reason of a failure", failure.reason, REASONS), "carry_out")
    return done


def check_row(name: str, world: Any, can: Collection[str], row: int) -> None:
    """Query a world for all answers on one row, and reject answers that break the contract.

    Args:
        name: the world's name.
        world: a world that works in this row.
        can: the world's powers.
        row: the row.

    Raises:
        BadValue: an answer has another shape, type or range than `core.interfaces.World` says.
    """
    check_alive(name, world.alive([row]), 1)
    check_held(name, check_counts(name, world.counts([row]), [row]), [row])
    check_events(name, world.events(row), row)
    _check_bodies(name, world.bodies([row]))
    poses = _array(name, "poses", world.poses([row]), (1, 5), _PLACE)
    if not np.isfinite(poses).all():
        raise BadValue(f"world {name!r}: expected finite numbers, got {poses[0].tolist()} (poses)")
    biome = world.biome(row)
    if not isinstance(biome, str | None):
        raise BadValue(
            f"world {name!r}: expected a biome's name or None, got {shown(biome)} (biome)"
        )
    _check_names(name, "stations", world.stations(row), things())
    _check_names(name, "assists", world.assists(row), (*assists(), COMMANDED))
    if "predicaments" in can:
        _check_names(name, "predicaments", world.predicaments(row), SEEN_BY_WORLD, frozenset)
    if "mouse" in can:
        check_screens(name, world.screens([row]), [row])
        _check_pockets(name, world.pockets([row]))
    if "surroundings" in can:
        check_conditions(name, world.conditions(row))
    if "overlay" in can:
        _check_overlay(name, world.overlay())
    if "biome_share" in can:
        share = world.biome_share(row)
        if not is_number(share) or not 0 <= share <= 1:
            raise BadValue(
                f"world {name!r}: expected a share of 0 to 1, got {shown(share)} (biome_share)"
            )


def check_screens(name: str, screens: Any, rows: Collection[int]) -> NDArray[np.int32]:
    """Return the checked result of a world's method `screens` for `rows`.

    Raises:
        BadValue: the answer is no int32[n], or a code is neither a screen's nor `UNKNOWN_SCREEN`.
    """
    checked: NDArray[np.int32] = _array(name, "screens", screens, (len(rows),), _COUNT)
    most = len(screen_names()) - 1
    if checked.min() < UNKNOWN_SCREEN or checked.max() > most:
        raise BadValue(
            f"world {name!r}: expected codes of {UNKNOWN_SCREEN} to {most}, got {checked.tolist()} (screens)"
        )
    return checked


def check_conditions(name: str, told: Any) -> Conditions:
    """Return the checked result of a world's method `conditions`.

    Raises:
        BadValue: the answer is no `Conditions`, or has a value out of range.
    """
    if not isinstance(told, Conditions):
        raise BadValue(f"world {name!r}: expected Conditions, got {shown(told)} (conditions)")
    limits = {"light": (told.light, 15), "sky_light": (told.sky_light, 1), "sun": (told.sun, 1)}
    for what, (value, most) in limits.items():
        if not is_number(value) or not 0 <= value <= most:
            raise BadValue(
                f"world {name!r}: expected a value of 0 to {most} of {what}, got {shown(value)} (conditions)"
            )
    return told


def check_surroundings(name: str, told: Any) -> Surroundings:
    """Return the checked report of a world's method `surroundings`.

    Raises:
        BadValue: the answer is no `Surroundings`, its blocks are no int32[x, y, z] of block ids, or a
            creature is unknown.
    """
    if not isinstance(told, Surroundings):
        raise BadValue(f"world {name!r}: expected Surroundings, got {shown(told)} (surroundings)")
    blocks = told.blocks
    shape = getattr(blocks, "shape", ())
    _array(name, "surroundings: blocks", blocks, (*shape, 0, 0, 0)[:3], _COUNT)
    most = len(block_names()) - 1
    if blocks.size and not UNKNOWN_BLOCK <= blocks.min() <= blocks.max() <= most:
        raise BadValue(
            f"world {name!r}: expected block ids of {UNKNOWN_BLOCK} to {most}, got {blocks.min()} to "
            f"{blocks.max()} (surroundings)"
        )
    _check_names(name, "surroundings", tuple(one.name for one in told.creatures), things())
    return told


def _check_pockets(name: str, pockets: Any) -> None:
    """Reject an answer of `pockets` for one row that is no int32[1, 36, 2] of item ids and counts."""
    checked = _array(name, "pockets", pockets, (1, HELD_SLOTS, 2), _COUNT)
    most = len(item_names()) - 1
    if checked.min() < 0 or checked[..., 0].max() > most:
        raise BadValue(
            f"world {name!r}: expected item ids of 0 to {most} and counts of at least 0, got "
            f"{checked[0].tolist()!r:.200} (pockets)"
        )


def _check_bodies(name: str, bodies: Any) -> None:
    if not isinstance(bodies, tuple) or len(bodies) != 2:
        raise BadValue(f"world {name!r}: expected a pair of arrays, got {shown(bodies)} (bodies)")
    worn = _array(name, "bodies: items", bodies[0], (1, 6), _COUNT)
    vitals = _array(name, "bodies: vitals", bodies[1], (1, 6), _VITAL)
    most = len(item_names()) - 1
    if worn.min() < 0 or worn.max() > most:
        raise BadValue(
            f"world {name!r}: expected item ids of 0 to {most}, got {worn[0].tolist()} (bodies)"
        )
    if not np.isfinite(vitals).all():
        raise BadValue(
            f"world {name!r}: expected finite numbers, got {vitals[0].tolist()} (bodies)"
        )


def _check_overlay(name: str, overlay: Any) -> None:
    if not isinstance(overlay, Overlay):
        raise BadValue(f"world {name!r}: expected an Overlay, got {shown(overlay)} (overlay)")
    levels, items = (3, ICON, ICON, 4), len(item_names())
    shapes = {
        "hearts": (max(len(overlay.hearts), 1), *levels),
        "foods": (max(len(overlay.foods), 1), *levels),
        "armours": levels,
        "bubble": (ICON, ICON, 4),
        "frame": (SLOT_FRAME, SLOT_FRAME, 4),
        "icons": (items, ITEM_ICON, ITEM_ICON, 4),
        "digits": (10, DIGIT, DIGIT),
    }
    for what, shape in shapes.items():
        _array(name, f"overlay: {what}", getattr(overlay, what), shape, _BYTE)


def _check_names(
    name: str, method: str, told: Any, known: Collection[str], kind: type[Collection[str]] = tuple
) -> None:
    if not isinstance(told, kind):
        raise BadValue(
            f"world {name!r}: expected a {kind.__name__} of names, got {shown(told)} ({method})"
        )
    for one in told:
        if one not in known:
            _refuse_name(name, UnknownName(f"name in {method}", one, known), method)


def _refuse_name(name: str, error: UnknownName, where: str) -> None:
    raise BadValue(f"world {name!r}: {error} ({where})")


def _array(name: str, method: str, told: Any, shape: tuple[int, ...], dtype: np.dtype[Any]) -> Any:
    """Return `told` if it is an array of the given shape and dtype.

    Raises:
        BadValue: `told` is no array, or has another shape or dtype.
    """
    if isinstance(told, np.ndarray) and told.shape == shape and told.dtype == dtype:
        return told
    came = f"{told.dtype}{list(told.shape)}" if isinstance(told, np.ndarray) else shown(told)
    raise BadValue(f"world {name!r}: expected {dtype}{list(shape)}, got {came} ({method})")
