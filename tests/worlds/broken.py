"""Worlds that break the contract in one way each, and the check that must notice."""

from dataclasses import replace

import numpy as np

from optimus_gym.core.errors import UnknownName, WorldFailed
from optimus_gym.core.interfaces import Done
from optimus_gym.core.snapshots import Snapshot
from optimus_gym.core.types import Event
from optimus_gym.game.items import item
from optimus_gym.worlds.symbolic.world import SymbolicWorld
from optimus_gym.worlds.voxel.world import VoxelWorld
from tests.worlds.failing import FailingWorld


class Near(VoxelWorld):
    """A sound world that looks 16 blocks far."""

    def __init__(self, count, **options):
        super().__init__(count, view_distance=16, threads=1)


class NoSuchPower(Near):
    can = Near.can | {"flying"}


class EmptyWord(Near):
    can = Near.can | {"subgoals"}


class NothingToDo(Near):
    can = frozenset({"pictures"})


class OneBuffer(Near):
    """Returns the same array each time."""

    def __init__(self, count, **options):
        super().__init__(count)
        self._all = np.zeros((count, 976), np.int32)

    def counts(self, rows):
        self._all[: len(rows)] = super().counts(rows)
        return self._all[: len(rows)]


class OwnArray(Near):
    """Returns the state itself of the first rows."""

    def alive(self, rows):
        whole = self.worlds.players["alive"].view(np.bool_)
        return whole[: len(rows)] if list(rows) == list(range(len(rows))) else whole[list(rows)]


class Coarse(Near):
    def poses(self, rows):
        return super().poses(rows).astype(np.float32)


class Unordered(Near):
    def counts(self, rows):
        return super().counts(sorted(rows))


class HalfDrawn(Near):
    def frames(self, rows, images):
        sky = images[:, :2].copy()
        super().frames(rows, images)
        images[:, :2] = sky


class NothingToSee(Near):
    def frames(self, rows, images):
        images[:] = 0


class Dizzy(Near):
    """Turns the player a little when it is drawn."""

    def frames(self, rows, images):
        super().frames(rows, images)
        self.worlds.players["yaw"][list(rows)] += 0.001


class Forgetful(Near):
    """Tells an event only once."""

    def events(self, row):
        told = super().events(row)
        self.worlds.players["events"][row] = 0
        return told


class OtherDigits(Near):
    """Hands over other digits than it draws."""

    def overlay(self):
        told = super().overlay()
        return replace(told, digits=told.digits[::-1])


class EverybodysDraws(Near):
    def tick(self, rows, actions):
        super().tick(rows, actions)
        self.worlds.players["yaw"][list(rows)] = 360 * np.random.random()  # noqa: NPY002


class RowDependent(Near):
    def reset(self, row, setup):
        super().reset(row, replace(setup, seed=setup.seed + row))


class Neighbourly(Near):
    """Lets the clock of all rows go on when one ticks."""

    def tick(self, rows, actions):
        super().tick(rows, actions)
        still = [row for row in range(self.count) if row not in list(rows)]
        self.worlds.skies["time"][still] += 1


class RestlessReset(Near):
    def __init__(self, count, **options):
        super().__init__(count)
        self._resets = 0

    def reset(self, row, setup):
        self._resets += row == 0
        super().reset(row, replace(setup, seed=setup.seed + self._resets // 2))


class RestingReset(Near):
    """Goes on looking where the player looked."""

    def reset(self, row, setup):
        yaw = float(self.worlds.players["yaw"][row])
        super().reset(row, setup)
        self.worlds.players["yaw"][row] = yaw


class HastyReset(Near):
    """Clears the slots before it looks at the setup."""

    def reset(self, row, setup):
        self.worlds.slots[row] = 0
        super().reset(row, setup)


class AnyWeather(Near):
    def reset(self, row, setup):
        try:
            super().reset(row, setup)
        except UnknownName:
            super().reset(row, replace(setup, weather="clear"))


class Bookkeeper(Near):
    """Counts what the events say."""

    def __init__(self, count, **options):
        super().__init__(count)
        self._books = np.zeros((count, 976), np.int32)

    def reset(self, row, setup):
        super().reset(row, setup)
        self._books[row] = super().counts([row])[0]

    def tick(self, rows, actions):
        super().tick(rows, actions)
        for row in rows:
            for event in self.events(row):
                if event.kind in ("picked_up", "crafted", "smelted"):
                    self._books[row, item(event.subject).id] += event.count

    def counts(self, rows):
        return self._books[np.asarray(rows, np.int64)]


class OldEvents(Near):
    """Tells the events of the tick before as well."""

    def __init__(self, count, **options):
        super().__init__(count)
        self._before = [()] * count

    def tick(self, rows, actions):
        for row in rows:
            self._before[row] = super().events(row)
        super().tick(rows, actions)

    def events(self, row):
        return (*self._before[row], *super().events(row))


class Leftward(Near):
    def poses(self, rows):
        poses = super().poses(rows)
        poses[:, 3] = (360 - poses[:, 3]) % 360
        return poses


class Undying(Near):
    """Tells only what it knew at the start."""

    def __init__(self, count, **options):
        super().__init__(count)
        self._known = np.ones(count, np.bool_)

    def alive(self, rows):
        return self._known[np.asarray(rows, np.int64)]


class BrieflyDead(Near):
    """Tells a death only in its tick."""

    def alive(self, rows):
        died = [any(event.kind == "died" for event in self.events(row)) for row in rows]
        return ~np.array(died, np.bool_)


class AnybodyBack(Near):
    def respawn(self, row):
        self.worlds.players["alive"][row] = 0
        super().respawn(row)


class AnySnapshot(Near):
    def restore(self, row, snapshot):
        mine = self.snapshot(row)
        super().restore(row, Snapshot(mine.world, mine.layout, snapshot.parts))


class HastyRestore(Near):
    def restore(self, row, snapshot):
        self.worlds.slots[row] = 0
        super().restore(row, snapshot)


class LossySnapshot(Near):
    """Leaves the food out."""

    def restore(self, row, snapshot):
        super().restore(row, snapshot)
        self.worlds.players["pitch"][row] = 0


class ClosesOnce(Near):
    closed = False

    def close(self):
        assert not self.closed, "it is closed"
        self.closed = True
        super().close()


class Overtime(SymbolicWorld):
    def carry_out(self, row, subgoal, limit):
        return super().carry_out(row, subgoal, 10 * limit)


class Promising(SymbolicWorld):
    """Says that all is done, whatever was."""

    def carry_out(self, row, subgoal, limit):
        return Done(super().carry_out(row, subgoal, limit).ticks)


class LateCounts(SymbolicWorld):
    """Counts what was held before the latest sub-goal."""

    def carry_out(self, row, subgoal, limit):
        self._counted = super().counts([row])
        return super().carry_out(row, subgoal, limit)

    def counts(self, rows):
        return self.__dict__.get("_counted", super().counts(rows))


class AllEvents(SymbolicWorld):
    def carry_out(self, row, subgoal, limit):
        before = self.events(row)
        done = super().carry_out(row, subgoal, limit)
        self._lives[row].events = (*before, *self.events(row))
        return done


class SecretKeys(SymbolicWorld):
    def tick(self, rows, actions):
        super().tick(rows, actions)
        for row in rows:
            self._lives[row].pack.give("dirt", 1)


class Gossip(SymbolicWorld):
    """Tells of something that is no event of the row's."""

    def events(self, row):
        return tuple(one for life in self._lives for one in life.events) or (Event("died", "", 1),)


class AllStop(FailingWorld):
    """Nobody ticks where one breaks down."""

    def tick(self, rows, actions):
        if self._ticks + 1 >= self._last and self._row in rows:
            self._ticks += 1
            raise WorldFailed({self._row: "it broke down"})
        super().tick(rows, actions)


class WrongName(FailingWorld):
    def tick(self, rows, actions):
        try:
            super().tick(rows, actions)
        except WorldFailed as failed:
            raise WorldFailed({row + 1: why for row, why in failed.reasons.items()}) from None


class OnlyOnce(FailingWorld):
    """Goes on in the next tick as if nothing had been."""

    def tick(self, rows, actions):
        try:
            super().tick(rows, actions)
        except WorldFailed:
            self._last = 10**6
            raise


BROKEN = (
    (NoSuchPower, "declarations"),
    (EmptyWord, "declarations"),
    (NothingToDo, "declarations"),
    (OneBuffer, "arrays"),
    (OwnArray, "arrays"),
    (Coarse, "arrays"),
    (Unordered, "arrays"),
    (HalfDrawn, "pictures"),
    (NothingToSee, "pictures"),
    (OtherDigits, "overlay"),
    (Dizzy, "asking"),
    (Forgetful, "asking"),
    (EverybodysDraws, "repeats"),
    (RowDependent, "repeats"),
    (Neighbourly, "rows_that_stand_still"),
    (RestlessReset, "reset"),
    (RestingReset, "reset"),
    (HastyReset, "bad_setups"),
    (AnyWeather, "bad_setups"),
    (Bookkeeper, "functions"),
    (OldEvents, "events"),
    (Leftward, "keys"),
    (Undying, "death"),
    (BrieflyDead, "death"),
    (AnybodyBack, "death"),
    (AnySnapshot, "snapshots"),
    (HastyRestore, "snapshots"),
    (LossySnapshot, "snapshots"),
    (ClosesOnce, "close"),
    (Overtime, "subgoals"),
    (Promising, "subgoals"),
    (LateCounts, "subgoals"),
    (SecretKeys, "subgoals"),
    (AllEvents, "events"),
    (Gossip, "reset"),
)
"""Broken worlds, and the name of the check that notices."""
BROKEN_DOWN = (AllStop, WrongName, OnlyOnce)
"""Worlds of which a row breaks down otherwise than agreed."""
