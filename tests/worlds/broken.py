"""Worlds that break the contract in one way each, and the rules that must name it."""

from contextlib import suppress
from dataclasses import replace

import numpy as np

from optimus_gym.core.actions import FORWARD, INVENTORY, camera_turns
from optimus_gym.core.errors import BadValue, UnknownName, WorldFailed
from optimus_gym.core.snapshots import Snapshot
from optimus_gym.core.types import Event, Failure
from optimus_gym.core.world_powers import Conditions, Done, Surroundings, check_reach
from optimus_gym.game.items import item
from optimus_gym.testing.small_worlds import FailingWorld
from optimus_gym.worlds.symbolic.world import SymbolicWorld
from optimus_gym.worlds.voxel.world import VoxelWorld


class Able(VoxelWorld):
    """A correct world with a view distance of 16 blocks and all powers of the embedded world."""

    def __init__(self, count, **options):
        super().__init__(count, view_distance=16, threads=1)


class Near(Able):
    """A correct world without screens, commands, messages and surroundings, whose rules take long."""

    can = Able.can - {"camera", "mouse", "commands", "messages", "surroundings"}


class Blind(Near):
    """A correct world that does not report what a frame shows."""

    can = Near.can - {"sights"}


class Lost(Near):
    """A correct world that does not report what is in reach."""

    can = Near.can - {"whereabouts"}


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
    """Reports an event only once."""

    def events(self, row):
        told = super().events(row)
        self.worlds.players["events"][row] = 0
        return told


class OtherDigits(Near):
    """Returns other digits than it draws."""

    def overlay(self):
        told = super().overlay()
        return replace(told, digits=told.digits[::-1])


class EverybodysDraws(Near):
    """Turns the head by 1 to 2 degrees from the global generator: a walk stays nearly straight."""

    def tick(self, rows, actions, turns=None):
        super().tick(rows, actions, turns)
        self.worlds.players["yaw"][list(rows)] += 1 + np.random.random()  # noqa: NPY002


class RowDependent(Near):
    def reset(self, row, setup):
        super().reset(row, replace(setup, seed=setup.seed + row))


class Neighbourly(Near):
    """Advances the clocks of all rows when one row ticks."""

    def tick(self, rows, actions, turns=None):
        super().tick(rows, actions, turns)
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
    """Keeps the player's yaw from before the reset."""

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
    """Counts items by the events alone."""

    def __init__(self, count, **options):
        super().__init__(count)
        self._books = np.zeros((count, 976), np.int32)

    def reset(self, row, setup):
        super().reset(row, setup)
        self._books[row] = super().counts([row])[0]

    def tick(self, rows, actions, turns=None):
        super().tick(rows, actions, turns)
        for row in rows:
            for event in self.events(row):
                if event.kind in ("picked_up", "crafted", "smelted"):
                    self._books[row, item(event.subject).id] += event.count

    def counts(self, rows):
        return self._books[np.asarray(rows, np.int64)]


class OldEvents(Near):
    """Reports the events of the previous tick as well."""

    def __init__(self, count, **options):
        super().__init__(count)
        self._before = [()] * count

    def tick(self, rows, actions, turns=None):
        for row in rows:
            self._before[row] = super().events(row)
        super().tick(rows, actions, turns)

    def events(self, row):
        return (*self._before[row], *super().events(row))


class Leftward(Near):
    def poses(self, rows):
        poses = super().poses(rows)
        poses[:, 3] = (360 - poses[:, 3]) % 360
        return poses


class Undying(Near):
    """Reports every player as alive for ever."""

    def __init__(self, count, **options):
        super().__init__(count)
        self._known = np.ones(count, np.bool_)

    def alive(self, rows):
        return self._known[np.asarray(rows, np.int64)]


class BrieflyDead(Near):
    """Reports a death only in the tick of the death."""

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
    """Loses the player's pitch when it restores."""

    def restore(self, row, snapshot):
        super().restore(row, snapshot)
        self.worlds.players["pitch"][row] = 0


class ClosesOnce(Near):
    closed = False

    def close(self):
        if self.closed:
            raise RuntimeError("it is closed")
        self.closed = True
        super().close()


class Binned(Able):
    """Turns the camera by bins alone."""

    def tick(self, rows, actions, turns=None):
        super().tick(rows, actions)


class AlwaysScreens(Able):
    def reset(self, row, setup):
        super().reset(row, replace(setup, screens=True))


class NeverShut(Able):
    """Never closes an open screen."""

    def tick(self, rows, actions, turns=None):
        pressed = actions.copy()
        pressed[self.screens(rows) > 0, INVENTORY] = 0
        super().tick(rows, pressed, turns)


class Looking(Able):
    """Turns the view together with the cursor."""

    def tick(self, rows, actions, turns=None):
        is_open = self.screens(rows) > 0
        super().tick(rows, actions, turns)
        turned = self.worlds.players["yaw"][list(rows)] + is_open * camera_turns(actions)[:, 1]
        self.worlds.players["yaw"][list(rows)] = turned % 360


class MainOnly(Able):
    """Leaves the hotbar out of its slots."""

    def pockets(self, rows):
        pockets = super().pockets(rows)
        pockets[:, :9] = 0
        return pockets


class Clumsy(Able):
    """Loses what lies in the grid."""

    def tick(self, rows, actions, turns=None):
        super().tick(rows, actions, turns)
        self.worlds.laid[list(rows), :9] = 0


class Overtime(SymbolicWorld):
    def carry_out(self, row, subgoal, limit):
        return super().carry_out(row, subgoal, 10 * limit)


class Promising(SymbolicWorld):
    """Calls each sub-goal done, even a failed one."""

    def carry_out(self, row, subgoal, limit):
        return Done(super().carry_out(row, subgoal, limit).ticks)


class LateCounts(SymbolicWorld):
    """Counts the items held before the latest sub-goal."""

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
    """Reports the events of all rows, or else a death that did not happen."""

    def events(self, row):
        return tuple(one for life in self._lives for one in life.events) or (Event("died", "", 1),)


class AllStop(FailingWorld):
    """No row ticks when one row breaks down."""

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
    """Goes on in the next tick as if the row had not failed."""

    def tick(self, rows, actions):
        try:
            super().tick(rows, actions)
        except WorldFailed:
            self._last = 10**6
            raise


class Miscounted(Near):
    def __init__(self, count, **options):
        super().__init__(count)
        self.count = count + 1


class Spinning(Near):
    def poses(self, rows):
        return super().poses(rows) + np.array([0, 0, 0, 360, 0])


class Jumbled(Near):
    """Lists the smallest things first."""

    def sights(self, row, resolution):
        return super().sights(row, resolution)[::-1]


class Gambler(Near):
    """Draws from NumPy's global generator for nothing."""

    def tick(self, rows, actions, turns=None):
        super().tick(rows, actions, turns)
        np.random.random()  # noqa: NPY002


class Together(Near):
    """Turns a player that ticks alone."""

    def tick(self, rows, actions, turns=None):
        super().tick(rows, actions, turns)
        if len(rows) == 1:
            self.worlds.players["yaw"][list(rows)] += 0.001


class Rooted(Near):
    def tick(self, rows, actions, turns=None):
        still = actions.copy()
        still[:, FORWARD] = 0
        super().tick(rows, still, turns)


class Unhurried(SymbolicWorld):
    """Calls a sub-goal that lacks ticks stuck."""

    def carry_out(self, row, subgoal, limit):
        done = super().carry_out(row, subgoal, limit)
        late = done.failure is not None and done.failure.reason == "timeout"
        return replace(done, failure=Failure("stuck")) if late else done


class Unused(SymbolicWorld):
    """Places things and reports no event of their use."""

    def events(self, row):
        return tuple(one for one in super().events(row) if one.kind != "used")


class Misspelt(SymbolicWorld):
    def events(self, row):
        return tuple(
            replace(one, kind="made") if one.kind == "crafted" else one
            for one in super().events(row)
        )


class Silent(SymbolicWorld):
    def carry_out(self, row, subgoal, limit):
        super().carry_out(row, subgoal, limit)


class Homeless(SymbolicWorld):
    biomes = ()


class Slow(Able):
    """Carries a command out in the next tick."""

    def __init__(self, count, **options):
        super().__init__(count)
        self._due = []

    def command(self, row, text):
        saved = self.snapshot(row)
        line = super().command(row, text)
        told = self.worlds.rules["commanded"][row]
        self.restore(row, saved)
        self.worlds.rules["commanded"][row] = told
        self._due.append((row, text))
        return line

    def tick(self, rows, actions, turns=None):
        for row, text in self._due:
            super().command(row, text)
        self._due = []
        super().tick(rows, actions, turns)


class Discreet(Able):
    """Leaves commands out of its assists."""

    def assists(self, row):
        return tuple(name for name in super().assists(row) if name != "commands")


class HastyCommand(Able):
    """Clears the slots before it reads a command."""

    def command(self, row, text):
        held = self.worlds.slots[row].copy()
        self.worlds.slots[row] = 0
        line = super().command(row, text)
        free = self.worlds.slots[row, 0].copy()
        self.worlds.slots[row] = held
        self.worlds.slots[row, 35] = free
        return line


class Attentive(SymbolicWorld):
    """A correct world with the power "surroundings": stone below the player's feet, air above."""

    can = SymbolicWorld.can | {"surroundings"}

    def __init__(self, count, **options):
        super().__init__(count, **options)
        self._asked, self._told = {}, {}

    def reset(self, row, setup):
        super().reset(row, setup)
        self._asked.pop(row, None)
        self._told.pop(row, None)

    def tick(self, rows, actions):
        super().tick(rows, actions)
        for row in rows:
            self._answer(row)

    def _answer(self, row):
        self._told.pop(row, None)
        if row in self._asked:
            x0, x1, y0, y1, z0, z1 = self._asked.pop(row)
            here = np.floor(self.poses([row])[0, :3]).astype(int)
            blocks = np.zeros((x1 - x0 + 1, y1 - y0 + 1, z1 - z0 + 1), np.int32)
            blocks[:, : max(-y0, 0)] = 1
            corner = tuple((here + np.array([x0, y0, z0])).tolist())
            self._told[row] = Surroundings(corner, blocks, ())

    def ask_surroundings(self, row, reach):
        self._asked[row] = check_reach(reach)

    def surroundings(self, row):
        return self._told.get(row)

    def conditions(self, row):
        return Conditions(self.biome(row), True, False, 15, 1.0, 1.0)


class Foresighted(Attentive):
    """Reports a box at once."""

    def ask_surroundings(self, row, reach):
        super().ask_surroundings(row, reach)
        self._answer(row)


class Nosy(Attentive):
    """Gives the player a piece of dirt when somebody looks around."""

    def ask_surroundings(self, row, reach):
        super().ask_surroundings(row, reach)
        self._lives[row].pack.give("dirt", 1)


class Nowhere(Attentive):
    """Tells no biome of its conditions."""

    def conditions(self, row):
        return replace(super().conditions(row), biome=None)


class AnyBox(Attentive):
    def ask_surroundings(self, row, reach):
        with suppress(BadValue):
            super().ask_surroundings(row, reach)


class Armless(Attentive):
    """Reaches nothing."""

    def in_reach(self, row):
        return ()


class Speechless(Able):
    """Shows no messages."""

    def reset(self, row, setup):
        super().reset(row, replace(setup, messages=False))


BROKEN = {
    Miscounted: ("can_be_made",),
    NoSuchPower: ("declares_known_powers",),
    NothingToDo: ("declares_known_powers",),
    EmptyWord: ("has_all_members",),
    Homeless: ("names_its_options_and_biomes",),
    Coarse: ("answers_have_their_types",),
    Gossip: ("begins_an_episode",),
    Misspelt: ("events_exist",),
    OneBuffer: ("answers_many_rows_as_each_alone", "returned_arrays_are_new"),
    OwnArray: ("returned_arrays_are_new",),
    Unordered: ("answers_many_rows_as_each_alone",),
    Spinning: (
        "answers_make_sense",
        "keys_turn_the_player",
    ),
    HalfDrawn: ("draws_whole_frames",),
    NothingToSee: ("shows_something", "reads_its_overlay"),
    Jumbled: ("lists_sights_by_size",),
    OtherDigits: ("reads_its_overlay",),
    Dizzy: (
        "rows_stand_still",
        "queries_change_nothing",
        "respawns_the_dead_alone",
        "refuses_foreign_snapshots",
    ),
    Forgetful: ("queries_change_nothing",),
    Gambler: ("draws_from_its_own_generators",),
    EverybodysDraws: (
        "repeats_itself",
        "draws_from_its_own_generators",
        "rows_are_independent",
        "keys_turn_the_player",
        "snapshots_go_on_alike",
    ),
    RowDependent: (
        "repeats_itself",
        "rows_are_independent",
        "queries_change_nothing",
        "a_reset_leaves_nothing",
        "refuses_bad_setups",
    ),
    Together: (
        "repeats_itself",
        "rows_are_independent",
        "keys_turn_the_player",
    ),
    Neighbourly: ("rows_stand_still", "a_reset_leaves_nothing"),
    RestlessReset: ("a_reset_leaves_nothing",),
    RestingReset: ("a_reset_leaves_nothing",),
    HastyReset: ("refuses_bad_setups",),
    AnyWeather: ("refuses_bad_setups",),
    ClosesOnce: ("closes_at_any_time",),
    Leftward: ("keys_turn_the_player",),
    Rooted: ("keys_move_the_player",),
    Bookkeeper: (
        "functions_count_at_once",
        "snapshots_go_on_alike",
    ),
    OldEvents: ("functions_tell_events",),
    Undying: ("death_lasts", "respawns_the_dead_alone"),
    BrieflyDead: ("death_lasts", "respawns_the_dead_alone"),
    AnybodyBack: ("respawns_the_dead_alone",),
    LossySnapshot: ("snapshots_go_on_alike",),
    AnySnapshot: ("refuses_foreign_snapshots",),
    HastyRestore: ("refuses_foreign_snapshots",),
    Silent: ("returns_a_done",),
    Overtime: ("returns_a_done",),
    AllEvents: ("subgoals_tell_events", "snapshots_go_on_alike"),
    Unused: ("tells_what_it_placed",),
    Promising: ("subgoals_are_done", "subgoals_keep_their_limit"),
    LateCounts: (
        "answers_many_rows_as_each_alone",
        "returned_arrays_are_new",
        "rows_stand_still",
        "a_reset_leaves_nothing",
        "subgoals_are_done",
        "snapshots_go_on_alike",
    ),
    Unhurried: ("subgoals_keep_their_limit",),
    SecretKeys: ("undeclared_keys_do_nothing",),
    Binned: ("turns_by_any_angle",),
    AlwaysScreens: (
        "functions_count_at_once",
        "functions_tell_events",
        "has_screens_only_if_asked",
    ),
    NeverShut: ("opens_and_closes_the_inventory",),
    Looking: ("stands_still_while_a_screen_is_open",),
    MainOnly: ("pockets_agree_with_counts", "crafts_by_mouse"),
    Clumsy: ("crafts_by_mouse",),
    Slow: ("commands_act_at_once",),
    Discreet: ("commands_are_assists",),
    HastyCommand: ("refuses_bad_commands",),
    Speechless: ("shows_messages",),
    Foresighted: ("reports_the_box_asked_for",),
    Nosy: ("looking_changes_nothing",),
    Nowhere: ("conditions_make_sense",),
    AnyBox: ("refuses_bad_boxes",),
    Armless: ("tells_what_is_in_reach",),
}
"""Broken worlds, and all rules that each breaks."""
BROKEN_DOWN = (AllStop, WrongName, OnlyOnce)
"""Worlds with a row that breaks down in a wrong way."""
