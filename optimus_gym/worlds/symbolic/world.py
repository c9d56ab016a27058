"""The symbolic world: a player's items, biome and height, and whole sub-goals, but no space.

The symbolic world measures a planner without a controller. The symbolic world offers every way to get an
item in overworld survival. A sub-goal costs the ticks that `knowledge.simulate.carrying_out` computes; if a
sub-goal exceeds its limit of ticks, the player keeps the items gained within the limit. The search for a
block or creature costs the ticks that the game's data estimate, at most `FAR_TICKS`, and at most `NEAR` if
the player is in a biome where the block or creature occurs. After a sub-goal that needed a block or creature,
the player is in a biome and at a height where the block or creature occurs. All pictures are black. Nothing
hurts the player; the time of day, the weather and the setup's assists have no effect.
"""

import json
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field, fields
from math import ceil
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from optimus_gym.core.errors import BadValue
from optimus_gym.core.interfaces import Rows
from optimus_gym.core.rng import generator
from optimus_gym.core.snapshots import Snapshot
from optimus_gym.core.types import (
    FUNCTIONAL_VERBS,
    Event,
    Failure,
    Setup,
    SubGoal,
)
from optimus_gym.core.world_powers import Done
from optimus_gym.game.conditions import check_setup
from optimus_gym.game.equipment import EQUIPMENT_PLACES
from optimus_gym.game.items import item_names, items
from optimus_gym.game.sources import GETTING_VERBS, Source
from optimus_gym.game.ways import biome_names
from optimus_gym.knowledge.simulate.carrying_out import SURFACE, DeedResult, RecipeBatch, Rules
from optimus_gym.knowledge.simulate.pack import IN_HAND, Pack
from optimus_gym.knowledge.simulate.way_table import game_ways
from optimus_gym.worlds.symbolic.mischance import Noise

NEAR = 600.0
"""Maximum ticks of a search for a block or creature in a biome where it occurs: our estimate, 130 m at 4.3
m/s."""
FAR_TICKS = 4000.0
"""Maximum ticks of any search for a block or creature: our estimate, 860 m at 4.3 m/s."""
HOME = "plains"
"""Biome in which an episode begins unless the setup names another."""
VITALS = (20.0, 20.0, 5.0, 300.0, 0.0, 0.0)
"""Health, food, saturation, air, armour points and experience level of a player who has just spawned
(Minecraft Wiki, "Hunger")."""
_ARMOUR = 4
"""Index of the armour points in `VITALS`."""
LAYOUT = "2"
EVENT_OF = {
    "craft": "crafted",
    "smelt": "smelted",
    "place": "used",
    "use": "used",
    "find": "found",
    "fight": "killed",
}
"""Kind of the event that a sub-goal causes, by its verb; items gained with other verbs are "picked_up"."""
_TOLD_ONCE = ("find", "fight")
"""Verbs whose event tells the sub-goal's own item and not a gained one."""
_STAYS = (*FUNCTIONAL_VERBS, "use")
"""Verbs of sub-goals for which the player does not walk away."""


@dataclass(slots=True)
class Life:
    """One player's episode."""

    draws: np.random.Generator
    pack: Pack = field(default_factory=Pack)
    biome: str = HOME
    height: float = SURFACE
    tick: int = 0
    reached: list[tuple[str, int]] = field(default_factory=list)
    """Item and gained pieces of each sub-goal that was reached."""
    depth: int = 0
    """Reasoning step of the sub-goal reached last: how many different items the way to its item takes
    (`WayTable.depth`)."""
    thing: str = ""
    """The thing that the player has moved to and stands next to; "" if there is none."""
    events: tuple[Event, ...] = ()


class SymbolicWorld:
    """Carries out whole sub-goals at a cost in ticks, without space or pictures, for N players.

    The random generator "symbolic world", made from the row's seed, draws one number for a sub-goal's
    failure and one for its lost item. Without noise the generator draws no number.

    Args:
        count: number of worlds.
        view_distance: without effect; accepted because other worlds have it.
        threads: without effect; accepted because other worlds have it.
        options: the fields of `optimus_gym.worlds.symbolic.mischance.Noise`.
    """

    can: ClassVar[frozenset[str]] = frozenset({"subgoals", "finds", "snapshots", "whereabouts"})
    options: ClassVar[tuple[str, ...]] = tuple(entry.name for entry in fields(Noise))
    biomes: ClassVar[tuple[str, ...]] = biome_names()

    def __init__(
        self,
        count: int,
        *,
        view_distance: int = 0,
        threads: int | None = None,
        **options: Any,
    ) -> None:
        self.count = count
        self.noise = Noise(**options)
        self._ways = game_ways()
        self._lives = [Life(generator(0, "symbolic world")) for _ in range(count)]

    def reset(self, row: int, setup: Setup) -> None:
        """Begin an episode in world `row`.

        Raises:
            BadValue: the inventory is more than 36 stacks.
            UnknownName: the game has no such biome, item or weather.
        """
        check_setup(setup, self.biomes)
        self._lives[row] = Life(
            draws=generator(setup.seed, "symbolic world"),
            pack=Pack.of(setup.inventory),
            biome=HOME if setup.biome is None else setup.biome,
            height=SURFACE if setup.position is None else setup.position[1],
            tick=setup.time,
        )

    def tick(self, rows: Rows, actions: NDArray[np.int32]) -> None:
        """Advance the clocks of `rows` by one tick; low-level actions do nothing in the symbolic world."""
        for row in rows:
            self._lives[row].tick += 1
            self._lives[row].events = ()

    def carry_out(self, row: int, subgoal: SubGoal, limit: int) -> Done:
        """Carry out a sub-goal, as `optimus_gym.core.world_powers.SubGoalWorld` says."""
        life = self._lives[row]
        getting = self._gets(subgoal)
        lost = None
        if getting and life.depth > self.noise.drop_after:
            lost = self.noise.lose(life.pack, life.reached, life.draws)
        before = life.pack.copy()
        deed = Rules(self._ways, self._look(life), life.height).do(life.pack, subgoal, limit)
        failure = deed.failure
        ticks = min(max(ceil(deed.ticks), 1), limit)
        if failure is None and self.noise.fails(life.draws):
            failure = Failure("not_found" if deed.way else "stuck", subgoal.item, subgoal.count)
            life.pack, deed = before, DeedResult(deed.ticks, failure)
        else:
            if failure is None and getting:
                gains = _gains(before, life.pack)
                life.reached += [(name, n) for name, n in gains if name in subgoal.kinds]
                life.depth = self._depth(subgoal)
            _go(life, deed)
            if subgoal.verb not in _STAYS:
                life.thing = subgoal.item if subgoal.verb == "move" and failure is None else ""
        life.tick += ticks
        life.events = _events(lost, before, life.pack, subgoal, failure, deed.batches)
        return Done(ticks, failure)

    def _gets(self, subgoal: SubGoal) -> bool:
        """Return whether a sub-goal yields items: acts other than fights, and most searches, yield none."""
        if subgoal.verb == "find":
            return any(way.verb == "find" for kind in subgoal.kinds for way in self._ways.to(kind))
        return subgoal.verb in ("fight", *GETTING_VERBS)

    def _depth(self, subgoal: SubGoal) -> int:
        """Return a sub-goal's reasoning step (`WayTable.depth`); 0 without Random Drop, to save time."""
        return self._ways.depth(subgoal.item) if self.noise.drop is not None else 0

    @staticmethod
    def _look(life: Life) -> Callable[[Source], float]:
        def look(way: Source) -> float:
            biomes = way.place.biomes if way.place is not None else ()
            return min(way.first, NEAR if life.biome in biomes else FAR_TICKS)

        return look

    def snapshot(self, row: int) -> Snapshot:
        """Return the whole state of world `row`."""
        life = self._lives[row]
        state = {
            "pack": {**asdict(life.pack), "near": sorted(life.pack.near)},
            "biome": life.biome,
            "height": life.height,
            "tick": life.tick,
            "reached": life.reached,
            "depth": life.depth,
            "thing": life.thing,
            "draws": life.draws.bit_generator.state,
        }
        return Snapshot("symbolic", LAYOUT, (("state", json.dumps(state).encode()),))

    def restore(self, row: int, snapshot: Snapshot) -> None:
        """Put world `row` into a saved state.

        Raises:
            BadValue: the snapshot is of another kind of world, or its data have another layout; world `row`
                has not changed.
        """
        if (snapshot.world, snapshot.layout) != ("symbolic", LAYOUT):
            raise BadValue(
                f"snapshot: expected a snapshot of world 'symbolic', layout {LAYOUT!r}, got world "
                f"{snapshot.world!r}, layout {snapshot.layout!r}"
            )
        if [name for name, _ in snapshot.parts] != ["state"]:
            raise BadValue("snapshot: expected exactly one part, named 'state'")
        state = json.loads(dict(snapshot.parts)["state"])
        draws = generator(0, "symbolic world")
        draws.bit_generator.state = state["draws"]
        self._lives[row] = Life(
            draws=draws,
            pack=Pack(**{**state["pack"], "near": set(state["pack"]["near"])}),
            biome=state["biome"],
            height=state["height"],
            tick=state["tick"],
            reached=[(name, count) for name, count in state["reached"]],
            depth=state["depth"],
            thing=state["thing"],
        )

    def frames(self, rows: Rows, images: NDArray[np.uint8]) -> None:
        """Fill `images` (uint8[n, H, W, 3]) with black: there is nothing to see."""
        images[:] = 0

    def counts(self, rows: Rows) -> NDArray[np.int32]:
        """Return the number of held pieces of each item (int32[n, 976], by item id), a new array."""
        counts = np.zeros((len(rows), len(item_names())), np.int32)
        for held, row in zip(counts, rows, strict=True):
            for name, count in self._lives[row].pack.held.items():
                held[items()[name].id] = count
        return counts

    def bodies(self, rows: Rows) -> tuple[NDArray[np.int32], NDArray[np.float32]]:
        """Return the players' equipment and vitals, new arrays.

        Returns:
            item ids of hand, off-hand, feet, legs, chest and head (int32[n, 6]), and health, food,
            saturation, air, armour points and level (float32[n, 6]).
        """
        equipment = np.zeros((len(rows), len(EQUIPMENT_PLACES)), np.int32)
        vitals = np.tile(np.array(VITALS, np.float32), (len(rows), 1))
        for k, row in enumerate(rows):
            for place, name in self._lives[row].pack.worn.items():
                equipment[k, EQUIPMENT_PLACES.index(place)] = items()[name].id
                vitals[k, _ARMOUR] += items()[name].defence if place != IN_HAND else 0
        return equipment, vitals

    def poses(self, rows: Rows) -> NDArray[np.float64]:
        """Return poses (float64[n, 5]), a new array; y is the height, all other numbers are 0."""
        poses = np.zeros((len(rows), 5))
        poses[:, 1] = [self._lives[row].height for row in rows]
        return poses

    def alive(self, rows: Rows) -> NDArray[np.bool_]:
        """Return True for each of `rows` (bool[n]): nothing hurts a player in the symbolic world."""
        return np.ones(len(rows), np.bool_)

    def biome(self, row: int) -> str:
        """Return the name of the biome that the player of world `row` is in."""
        return self._lives[row].biome

    def stations(self, row: int) -> tuple[str, ...]:
        """Return the stations in reach of the player of world `row`."""
        return tuple(sorted(self._lives[row].pack.near))

    def in_reach(self, row: int) -> tuple[str, ...]:
        """Return the stations in reach of a player, and the thing that the player has moved to, sorted."""
        life = self._lives[row]
        return tuple(sorted({*life.pack.near, life.thing} - {""}))

    def under_sky(self, row: int) -> bool:
        """Return whether the player of world `row` is at the surface."""
        return self._lives[row].height >= SURFACE

    def assists(self, row: int) -> tuple[str, ...]:
        """Return no assists: the symbolic world has neither light nor land that an assist could change."""
        return ()

    def events(self, row: int) -> tuple[Event, ...]:
        """Return the events of the latest tick or sub-goal."""
        return self._lives[row].events

    def close(self) -> None:
        """Do nothing; the symbolic world holds no resources."""


def _gains(before: Pack, now: Pack) -> list[tuple[str, int]]:
    """Return name and gained pieces of each item whose number of pieces has grown, sorted by name."""
    return [
        (name, count - before.held.get(name, 0))
        for name, count in sorted(now.held.items())
        if count > before.held.get(name, 0)
    ]


def _go(life: Life, deed: DeedResult) -> None:
    """Set the player's biome and height to where the sub-goal was carried out."""
    if deed.height is not None:
        life.height = deed.height
    if deed.way is None:
        return
    place = deed.way.place
    life.height = SURFACE
    if place is None:
        return
    if place.biomes and life.biome not in place.biomes:
        life.biome = place.biomes[0]
    if place.high is not None and place.high < SURFACE:
        life.height = (place.high + (place.low or 0)) / 2


def _events(
    lost: tuple[str, int] | None,
    before: Pack,
    now: Pack,
    subgoal: SubGoal,
    failure: Failure | None,
    batches: Sequence[RecipeBatch],
) -> tuple[Event, ...]:
    """Return a sub-goal's events: lost, gained, placed and used items, found things, killed creatures.

    Each crafted or smelted batch has an event of its own.
    """
    events = [Event("lost", *lost)] if lost is not None else []
    kind = EVENT_OF.get(subgoal.verb, "picked_up")
    if failure is None and subgoal.verb in _TOLD_ONCE:
        events.append(Event(kind, subgoal.item, 1 if subgoal.verb == "find" else subgoal.count))
    if failure is None and subgoal.verb == "use":
        return (*events, Event(kind, next(n for n in subgoal.kinds if before.held.get(n)), 1))
    if failure is None and subgoal.verb == "place":
        placed = next(
            (n for n in subgoal.kinds if before.held.get(n, 0) > now.held.get(n, 0)), None
        )
        return (*events, *((Event(kind, placed, 1),) if placed else ()))
    if subgoal.verb in ("craft", "smelt"):
        return (*events, *(Event(kind, *batch) for batch in batches))
    gained = "picked_up" if subgoal.verb in _TOLD_ONCE else kind
    return (*events, *(Event(gained, name, count) for name, count in _gains(before, now)))
