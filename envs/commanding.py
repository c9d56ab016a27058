"""Carries out chat commands in a row's world, at the start of an episode and between two ticks."""

from collections.abc import Sequence
from dataclasses import replace
from typing import cast

from optimus_gym.core.errors import BadValue, UnknownName
from optimus_gym.core.interfaces import World
from optimus_gym.core.snapshots import Snapshot
from optimus_gym.core.types import Event, Setup
from optimus_gym.core.world_powers import (
    CommandWorld,
    RespawnWorld,
    ScreenSnapshotWorld,
    SnapshotWorld,
)


def obey(world: World, row: int, text: str, respawns: bool) -> tuple[str, bool]:
    """Carry out a chat command in a world with the power "commands".

    Args:
        world: the world.
        row: the world's row.
        text: the command.
        respawns: whether the protocol revives a dead player.

    Returns:
        the game's line, and whether the command killed the player and the player was revived.

    Raises:
        BadValue, UnknownName: the world refuses the command; nothing has changed.
    """
    line = cast(CommandWorld, world).command(row, text)
    if not respawns or world.alive([row])[0]:
        return line, False
    cast(RespawnWorld, world).respawn(row)
    return line, True


def needed_powers(start: Setup | Snapshot, commands: Sequence[str]) -> list[str]:
    """Return the powers that a world needs for the start of an episode."""
    used = {"snapshots": isinstance(start, Snapshot), "commands": bool(commands)}
    return [power for power, needed in used.items() if needed]


def begin_world(
    world: World,
    row: int,
    start: Setup | Snapshot,
    commands: Sequence[str],
    respawns: bool,
    keeps: bool,
    screens: bool | None,
) -> None:
    """Put a row's world at the start of an episode, then carry out commands in order.

    Args:
        world: the world; a snapshot needs its power "snapshots", commands need its power "commands".
        row: the world's row.
        start: the setup or snapshot.
        commands: texts of chat commands.
        respawns: whether the protocol revives a dead player.
        keeps: whether the row's former state comes back if the world refuses a command; this needs the power
            "snapshots" and a row that has begun an episode before.
        screens: whether a snapshot's world must open the game's screens; None takes either.

    Raises:
        UnknownName, BadValue: the world cannot use the start or a command.
        WorldFailed: the world broke down.
    """
    former = cast(SnapshotWorld, world).snapshot(row) if commands and keeps else None
    if not isinstance(start, Snapshot):
        world.reset(row, start)
    elif screens is None:
        cast(SnapshotWorld, world).restore(row, start)
    else:
        cast(ScreenSnapshotWorld, world).restore(row, start, screens)
    try:
        for text in commands:
            obey(world, row, text, respawns)
    except (BadValue, UnknownName):
        if former is not None:
            cast(SnapshotWorld, world).restore(row, former)
        raise


def added_events(before: Sequence[Event], after: Sequence[Event]) -> list[Event]:
    """Return the events of `after` that `before` lacks; counts of equal kinds and subjects are subtracted.

    >>> added_events([Event("died", "void", 1)], [Event("died", "void", 2)])
    [Event(kind='died', subject='void', count=1)]
    """
    old = {(event.kind, event.subject): event.count for event in before}
    more = [(event, event.count - old.get((event.kind, event.subject), 0)) for event in after]
    return [replace(event, count=count) for event, count in more if count > 0]
