"""Symbolic worlds that answer wrongly in one way each, and the messages that must reject them."""

from dataclasses import replace

import numpy as np

from optimus_gym.core.errors import WorldFailed
from optimus_gym.core.types import Event, Failure
from optimus_gym.core.world_powers import Conditions, Done
from optimus_gym.worlds.symbolic.world import SymbolicWorld
from optimus_gym.worlds.voxel.screen.hud import hud_overlay
from tests.worlds.broken import Overtime, Promising


class Telling(SymbolicWorld):
    """Reports one extra event after each sub-goal."""

    more = Event("used", "dirt", 1)

    def events(self, row):
        told = super().events(row)
        return (*told, self.more) if told else told


class WrongKind(Telling):
    more = Event("useed", "dirt", 1)


class WrongSubject(Telling):
    more = Event("mined", "oak_logs", 1)


class NoSubject(Telling):
    more = Event("mined", ["dirt"], 1)


class WrongCount(Telling):
    more = Event("used", "dirt", -1)


class NoEvent(Telling):
    more = ("used", "dirt", 1)


class Listing(SymbolicWorld):
    def events(self, row):
        return list(super().events(row))


class Owing(SymbolicWorld):
    """Counts minus two of an item once the player holds something."""

    def counts(self, rows):
        counts = super().counts(rows)
        counts[counts.any(axis=1), 700] = -2
        return counts


class Airy(SymbolicWorld):
    def counts(self, rows):
        counts = super().counts(rows)
        counts[:, 0] = 1
        return counts


class Narrow(SymbolicWorld):
    def counts(self, rows):
        return super().counts(rows)[:, :900]


class Wide(SymbolicWorld):
    def counts(self, rows):
        return super().counts(rows).astype(np.int64)


class OneForAll(SymbolicWorld):
    def alive(self, rows):
        return True


class WrongItem(SymbolicWorld):
    def bodies(self, rows):
        worn, vitals = super().bodies(rows)
        return worn + 2000, vitals


class OneBody(SymbolicWorld):
    def bodies(self, rows):
        return super().bodies(rows)[0]


class Unwell(SymbolicWorld):
    def bodies(self, rows):
        worn, vitals = super().bodies(rows)
        return worn, vitals * np.float32(np.nan)


class Nowhere(SymbolicWorld):
    def poses(self, rows):
        return super().poses(rows) + np.inf


class Numbered(SymbolicWorld):
    def biome(self, row):
        return 7


class Kitchen(SymbolicWorld):
    def stations(self, row):
        return ("furnaces",)


class Eased(SymbolicWorld):
    def assists(self, row):
        return ("nightvision",)


class Together(SymbolicWorld):
    def assists(self, row):
        return "night_vision"


class Boundless(SymbolicWorld):
    can = SymbolicWorld.can | {"biome_share"}

    def biome_share(self, row):
        return 1.5


class Dazzled(SymbolicWorld):
    can = SymbolicWorld.can | {"surroundings"}

    def ask_surroundings(self, row, reach):
        pass

    def surroundings(self, row):
        return None

    def conditions(self, row):
        return Conditions("plains", True, False, 16, 1.0, 1.0)


class Indescribable(Dazzled):
    def conditions(self, row):
        return "plains"


class Lost(SymbolicWorld):
    can = SymbolicWorld.can | {"predicaments"}

    def predicaments(self, row):
        return frozenset({"in_watr"})


class Unpainted(SymbolicWorld):
    can = SymbolicWorld.can | {"overlay"}

    def overlay(self):
        return None


class Painted(SymbolicWorld):
    can = SymbolicWorld.can | {"overlay"}

    def overlay(self):
        return replace(hud_overlay(), digits=np.zeros((10, 7, 5), np.uint8))


class Heartless(SymbolicWorld):
    can = SymbolicWorld.can | {"overlay"}

    def overlay(self):
        return replace(hud_overlay(), hearts=np.zeros((0, 3, 9, 9, 4), np.uint8))


class Quiet(SymbolicWorld):
    def carry_out(self, row, subgoal, limit):
        super().carry_out(row, subgoal, limit)


class Vague(SymbolicWorld):
    def carry_out(self, row, subgoal, limit):
        return Done(1, Failure("no_idea"))


class Wordy(SymbolicWorld):
    def carry_out(self, row, subgoal, limit):
        return Done(1, "no idea")


class Unseen(SymbolicWorld):
    """Places things and reports no event of their use."""

    def events(self, row):
        return tuple(one for one in super().events(row) if one.kind != "used")


class Elsewhere(SymbolicWorld):
    """Places things and reports the use of another thing."""

    def events(self, row):
        return tuple(
            replace(one, subject="furnace") if one.kind == "used" else one
            for one in super().events(row)
        )


class Blaming(SymbolicWorld):
    """Blames the next row for a failure."""

    def carry_out(self, row, subgoal, limit):
        raise WorldFailed({row + 1: "it broke down"})


class Blameless(SymbolicWorld):
    def carry_out(self, row, subgoal, limit):
        raise WorldFailed({})


class Forgetful(SymbolicWorld):
    restore = None


class Mouse(SymbolicWorld):
    """A correct world with screens, which stay closed."""

    can = SymbolicWorld.can | {"mouse"}

    def screens(self, rows):
        return np.zeros(len(rows), np.int32)

    def pockets(self, rows):
        return np.zeros((len(rows), 36, 2), np.int32)

    def restore(self, row, snapshot, screens=None):
        super().restore(row, snapshot)


class StrangeScreen(Mouse):
    def screens(self, rows):
        return np.full(len(rows), 99, np.int32)


class WideScreen(Mouse):
    def screens(self, rows):
        return np.zeros(len(rows))


class FewPockets(Mouse):
    def pockets(self, rows):
        return np.zeros((len(rows), 9, 2), np.int32)


class OddPockets(Mouse):
    def pockets(self, rows):
        return np.full((len(rows), 36, 2), -1, np.int32)


class Homeless(SymbolicWorld):
    biomes = None


class Armless(SymbolicWorld):
    carry_out = None


MISTAKEN = (
    (WrongKind, "unknown kind of event 'useed'; did you mean 'used', 'smelted'? (events, row 0)"),
    (WrongSubject, "unknown subject of the event mined 'oak_logs'; did you mean 'oak_log'"),
    (NoSubject, "unknown subject of the event mined ['dirt']"),
    (WrongCount, "expected a count of at least 0 of the event used dirt, got -1 (events, row 0)"),
    (NoEvent, "expected an Event, got ('used', 'dirt', 1) (events, row 0)"),
    (Listing, "expected a tuple of events, got [] (events, row 0)"),
    (Owing, "expected at least 0, got -2 "),
    (Airy, "expected no air (air is not an item), got 1 air (counts, row 0)"),
    (Narrow, "expected int32[1, 976], got int32[1, 900] (counts)"),
    (Wide, "expected int32[1, 976], got int64[1, 976] (counts)"),
    (OneForAll, "expected bool[1], got True (alive)"),
    (WrongItem, "expected item ids of 0 to 975, got [2000, 2000, 2000, 2000, 2000, 2000] (bodies)"),
    (OneBody, "expected a pair of arrays, got array([[0, 0, 0, 0, 0, 0]], dtype=int32) (bodies)"),
    (Unwell, "expected finite numbers, got [nan, nan, nan, nan, nan, nan] (bodies)"),
    (Nowhere, "expected finite numbers, got [inf, inf, inf, inf, inf] (poses)"),
    (Numbered, "expected a biome's name or None, got 7 (biome)"),
    (Kitchen, "unknown name in stations 'furnaces'; did you mean 'furnace'"),
    (Eased, "unknown name in assists 'nightvision'; did you mean 'night_vision'? (assists)"),
    (Together, "expected a tuple of names, got 'night_vision' (assists)"),
    (Boundless, "expected a share of 0 to 1, got 1.5 (biome_share)"),
    (Dazzled, "expected a value of 0 to 15 of light, got 16 (conditions)"),
    (Indescribable, "expected Conditions, got 'plains' (conditions)"),
    (Lost, "unknown name in predicaments 'in_watr'; did you mean 'in_water'? (predicaments)"),
    (Unpainted, "expected an Overlay, got None (overlay)"),
    (Painted, "expected uint8[10, 8, 8], got uint8[10, 7, 5] (overlay: digits)"),
    (Heartless, "expected uint8[1, 3, 9, 9, 4], got uint8[0, 3, 9, 9, 4] (overlay: hearts)"),
    (Quiet, "expected a Done, got None (carry_out)"),
    (Vague, "unknown reason of a failure 'no_idea'; expected one of "),
    (Wordy, "expected a Failure or None, got 'no idea' (carry_out)"),
    (Overtime, "expected 1 to 7 ticks, got "),
    (Promising, "calls 'mine 3 oak_log' done: expected 3 more of oak_log "),
    (
        Unseen,
        "calls 'place 1 crafting_table' done: expected the event used of crafting_table (`events`), "
        "got 0% of it and no event (carry_out, row 0)",
    ),
    (
        Elsewhere,
        "expected the event used of crafting_table (`events`), got 0% of it and the events "
        "used 1 furnace (carry_out, row 0)",
    ),
    (
        Blaming,
        "expected WorldFailed with reasons by row, for some of the rows [0], got {1: 'it broke down'}",
    ),
    (Blameless, "expected WorldFailed with reasons by row, for some of the rows [0], got {}"),
    (
        Forgetful,
        "the methods of `core.world_powers.SnapshotWorld`, got this Forgetful without restore",
    ),
    (
        Armless,
        "the methods of `core.world_powers.SubGoalWorld`, got this Armless without carry_out",
    ),
    (StrangeScreen, "expected codes of -1 to 9, got [99] (screens)"),
    (WideScreen, "expected int32[1], got float64[1] (screens)"),
    (FewPockets, "expected int32[1, 36, 2], got int32[1, 9, 2] (pockets)"),
    (OddPockets, "expected item ids of 0 to 975 and counts of at least 0, got [[-1, -1], "),
    (Homeless, "expected an attribute `biomes` with names of biomes, got None"),
)
"""Worlds, each with a part of its error message; every message names the world."""
