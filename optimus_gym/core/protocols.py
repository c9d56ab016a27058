"""The interfaces of the parts; implementations need not inherit from them, contract tests check them."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Protocol, runtime_checkable

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from optimus_gym.core.deliberation import Decision, Judge, Outcome, Record, Verdict
from optimus_gym.core.overlay import Overlay
from optimus_gym.core.requests import Reply, Request
from optimus_gym.core.situation import Situation
from optimus_gym.core.snapshots import Snapshot
from optimus_gym.core.types import Event, Failure, Setup, Sight, SubGoal

Rows = NDArray[np.int64] | Sequence[int]
"""Numbers of rows, n of them, each once."""

POWERS: Mapping[str, str] = {
    "keys": "keys and camera move its player, a tick at a time",
    "functions": "crafts, smelts, equips and places in one tick (`core.actions.Function`)",
    "mouse": "crafts, smelts and equips on screens that the mouse works",
    "subgoals": "carries out whole sub-goals by itself (`carry_out`)",
    "pictures": "has something to see",
    "overlay": "lays the game's hearts, food and hotbar over its pictures, and tells how it draws them",
    "finds": 'tells when a thing is found (event "found")',
    "snapshots": "can be saved and restored",
    "sights": "tells what a frame shows",
    "arrays": "lets its arrays be read (attribute `worlds`)",
    "respawn": "brings the dead back",
    "predicaments": "tells what predicaments its player is in",
    "biome_share": "tells how much of the land around its player is of the player's biome",
    "night_vision": "draws frames as with night vision on request",
}
"""What a world can declare in `can`; whatever depends on a world is decided by these."""


@runtime_checkable
class World(Protocol):
    """N simulated worlds that tick independently; `row` says which.

    Made as `Class(count, view_distance=blocks, threads=number or None, **options)`.

    What every world keeps (`tests/worlds/contract.py` tries any world): its state is the same bytes for
    the same seed and actions in every process; whatever is asked of it changes nothing; `counts` and
    `alive` tell the present state in every tick, whatever the events said; arrays that it returns are
    new; a row that breaks down is named by `WorldFailed` while the others have done what they were asked.
    """

    can: ClassVar[frozenset[str]]
    """What it can do: some of `POWERS`."""
    options: ClassVar[tuple[str, ...]]
    """Names that its class takes beside `count`, `view_distance` and `threads`."""
    biomes: ClassVar[tuple[str, ...]]
    """Names of the biomes that a setup may ask for."""
    count: int
    """How many worlds."""

    def reset(self, row: int, setup: Setup) -> None:
        """Begin an episode in world `row`; nothing changes if the setup cannot be used.

        Raises:
            BadValue, UnknownName: the setup asks for what there is not.
            WorldFailed: it broke down.
        """

    def tick(self, rows: Rows, actions: NDArray[np.int32]) -> None:
        """Advance the worlds `rows` by one tick.

        Args:
            rows: the worlds that tick; the others stand still.
            actions: int32[n, 15], as `optimus_gym.core.actions` lays out, the item as item id.

        Raises:
            WorldFailed: some of them broke down.
        """

    # What follows asks a world that works: one that finds itself broken there tells so in its next tick.

    def frames(self, rows: Rows, images: NDArray[np.uint8]) -> None:
        """Fill `images` (uint8[n, H, W, 3], C-contiguous) with the views of `rows`; changes no state."""

    def counts(self, rows: Rows) -> NDArray[np.int32]:
        """Return how many of each item are held (int32[n, 976], by item id), a new array."""

    def bodies(self, rows: Rows) -> tuple[NDArray[np.int32], NDArray[np.float32]]:
        """Return what the players wear and how they are, new arrays.

        Returns:
            item ids of hand, off-hand, feet, legs, chest, head (int32[n, 6]), and health, food,
            saturation, air, armour, level (float32[n, 6], game units).
        """

    def poses(self, rows: Rows) -> NDArray[np.float64]:
        """Return where the players stand and look (float64[n, 5]), a new array.

        x, y, z of the feet (blocks), yaw (degrees, 0 = south, turning right) and pitch (degrees, down
        positive).
        """

    def alive(self, rows: Rows) -> NDArray[np.bool_]:
        """Tell whether the players of `rows` live (bool[n])."""

    def biome(self, row: int) -> str | None:
        """Return the name of the biome that the player of world `row` is in, or None if it cannot be told."""

    def stations(self, row: int) -> tuple[str, ...]:
        """Return the stations in reach of the player of world `row`."""

    def assists(self, row: int) -> tuple[str, ...]:
        """Return the names of what makes world `row` easier than the game, as its state has it."""

    def events(self, row: int) -> tuple[Event, ...]:
        """Return what happened in the latest tick, or in all of the latest `carry_out`."""

    def close(self) -> None:
        """Let go of everything; may be called twice."""


class RespawnWorld(World, Protocol):
    """A world with the power "respawn"."""

    def respawn(self, row: int) -> None:
        """Let the dead player of world `row` go on at its spawn point, in full health.

        What death costs, the world's assists and rules have decided before.

        Raises:
            BadValue: it lives.
        """


class PredicamentWorld(World, Protocol):
    """A world with the power "predicaments"."""

    def predicaments(self, row: int) -> frozenset[str]:
        """Return which of `core.predicaments.SEEN_BY_WORLD` the player of world `row` is in."""


class OverlayWorld(World, Protocol):
    """A world with the power "overlay"."""

    def overlay(self) -> Overlay:
        """Return how what lies over its pictures of 640x360 is drawn; always the same."""


class BiomeShareWorld(World, Protocol):
    """A world with the power "biome_share"."""

    def biome_share(self, row: int) -> float:
        """Return how much (0 to 1) of the land within 32 blocks of the player is of the player's biome."""


class NightVisionWorld(World, Protocol):
    """A world with the power "night_vision"."""

    def bright_frames(self, rows: Rows, images: NDArray[np.uint8]) -> None:
        """Fill `images` as `frames` does, but as with night vision; changes no state."""


class SnapshotWorld(World, Protocol):
    """A world with the power "snapshots"."""

    def snapshot(self, row: int) -> Snapshot:
        """Return the whole state of world `row`, from which it goes on in one way only."""

    def restore(self, row: int, snapshot: Snapshot) -> None:
        """Put world `row` into a saved state.

        Raises:
            BadValue: it cannot be taken; nothing has changed.
        """


class SightWorld(World, Protocol):
    """A world with the power "sights"."""

    def sights(self, row: int, resolution: tuple[int, int]) -> tuple[Sight, ...]:
        """Return what `frames` shows of world `row` at a resolution (width, height), for judges.

        Most pixels first, then by name. It is what there is to see, hand and HUD left out, however
        dark or far in the fog it is, up to the view distance. Changes no state.
        """


@dataclass(frozen=True, slots=True)
class Done:
    """How a world carried out a sub-goal: the ticks that it took and, if it failed, why."""

    ticks: int
    failure: Failure | None = None


class SubGoalWorld(World, Protocol):
    """A world with the power "subgoals"; without "keys" its `tick` only lets time pass."""

    def carry_out(self, row: int, subgoal: SubGoal, limit: int) -> Done:
        """Carry out a sub-goal of world `row`.

        Args:
            row: which world.
            subgoal: what to do.
            limit: ticks that it may take, at least 1; one that needs more fails by "timeout".

        Returns:
            the ticks spent, 1 to `limit`, and why it failed, if it did.

        Raises:
            WorldFailed: it broke down.
        """


@dataclass(frozen=True, slots=True)
class ControllerSetting:
    """What a controller meets when it is attached.

    Attributes:
        rows: N, rows of the environment.
        observation_space: of one row: every key that it may look at.
        action_space: of one row: a policy's keys (`core.actions.KEYS`).
        vocabulary: item names in the order of the observation's indices.
        resolution: width and height of `pov`, pixels.
        view_distance: how far the frames show, blocks.
        pov: how frames are made, "drawn" or "squeezed".
        device: where a network should run ("cpu", "cuda:0"), or None: the controller decides.
        world: gives the world, for privileged controllers only (else None); to be called from the
            first `begin_episodes` on, since it makes the world.
        draw_into: takes an array (uint8[N, H, W, 3], C-contiguous) of a controller with a fixed batch, which
            `act` then gets as `pov` each time: frames are drawn straight into it, such as into memory that a
            GPU reads. None, or never called: each time a new one.
    """

    rows: int
    observation_space: spaces.Dict
    action_space: spaces.MultiDiscrete
    vocabulary: tuple[str, ...]
    resolution: tuple[int, int]
    view_distance: int = 64
    pov: str = "drawn"
    device: str | None = None
    world: Callable[[], World] | None = None
    draw_into: Callable[[NDArray[np.uint8]], None] | None = None


class Controller(Protocol):
    """Turns observations and sub-goals into low-level actions, for many rows at once.

    One object serves all rows of one environment; what belongs to a row it keeps under its number.
    """

    privileged: bool
    """Whether it reads more of the world than observations show."""
    needs: frozenset[str]
    """Powers (`POWERS`) that the world must have."""
    verbs: frozenset[str]
    """Verbs of sub-goals that it carries out; the helper does the rest of them."""
    looks_at: tuple[str, ...]
    """Keys of the observation that it looks at; nothing else is drawn or computed for it."""
    fixed_batch: bool
    """Whether `act` gets all N rows each time, for a policy whose batch may not change."""

    def attach(self, setting: ControllerSetting) -> None:
        """Meet the environment.

        Called once by each environment, before anything else; what was known of a former one is
        forgotten.

        Raises:
            BadValue: it does not fit; names what it has and what the environment has.
        """

    def begin_episodes(self, rows: Sequence[int], seeds: Sequence[int]) -> None:
        """Begin episodes in `rows`; what was known of their former ones is forgotten."""

    def begin_subgoals(self, rows: Sequence[int], subgoals: Sequence[SubGoal]) -> None:
        """Turn `rows` to other sub-goals."""

    def act(
        self,
        rows: Sequence[int],
        observations: Mapping[str, NDArray[Any]],
        mask: NDArray[np.bool_],
    ) -> tuple[NDArray[np.int32], Sequence[Failure | None]]:
        """Choose the next tick's actions.

        Args:
            rows: n row numbers, ascending: those to act for, or with `fixed_batch` all of them.
            observations: an array (n, ...) for each key of `looks_at`.
            mask: bool[n], which of `rows` act now; without `fixed_batch` all do. The other rows'
                observations are zeros, and what is returned for them is not used.

        Returns:
            actions (int32[n, 15], laid out as `core.actions`, the item as item id) and, for each row,
            why its sub-goal cannot be reached, or None.
        """


class Backbone(Protocol):
    """A (multimodal) language model, or what stands for one."""

    name: str

    @property
    def takes_pictures(self) -> bool:
        """Return whether a request may bring pictures."""

    def complete(self, requests: Sequence[Request]) -> Sequence[Reply]:
        """Answer requests, all at once, in their order."""


@dataclass(frozen=True, slots=True)
class AgentSetting:
    """What an agent meets when it is attached.

    Attributes:
        rows: rows of the environment.
        backbone: what to ask; each reply's cost goes to the record of the request's row.
        abilities: what world, protocol and executors can do (`knowledge.abilities.Abilities`); fixed.
        knowledge: the knowledge graph (`knowledge.knowledge_graph.KnowledgeGraph`): the full one, or
            that of the memory folder, which may be empty.
        memory: the memory's folder, or None.
        learn: whether `finish` may write into it.
        pictures: whether the world has pictures.
        overlay: gives how the world draws the overlay of its pictures; to be called from the first
            `begin_episodes` on, since it makes the world. None: the world cannot tell.
        predicaments: gives the predicaments (`core.predicaments.SEEN_BY_WORLD`) of a row's player now.
            None unless the agent is privileged and the world has the power "predicaments".
    """

    rows: int
    backbone: Backbone
    abilities: Any
    knowledge: Any
    memory: Path | None = None
    learn: bool = False
    pictures: bool = False
    overlay: Callable[[], Overlay] | None = None
    predicaments: Callable[[int], frozenset[str]] | None = None


class Agent(Protocol):
    """Thinks for many rows at once; a row's mind is kept under its number.

    All that thinks is in it: planning, replanning, recovery, self-check, selection, reflection,
    dialogue. The loop calls, for the rows concerned and all of them together: `begin_episodes`, then
    `decide`; while a sub-goal is carried out `watch` every `period` ticks; at its end `ended`, then `decide`
    unless the episode is over; and `finish` when it is, or when a reset or a close has cut it off
    ("abandoned"). A sub-goal that somebody chose instead of the agent's decision ends in an outcome that
    says so (`chosen`). An episode that ends in its reset is told to nobody. What `finish` asks of the
    backbone stands in `info`, not in the record, which is made before.

    An agent that reads more of the world than situations show has an attribute `privileged` that is true, and
    the environment is privileged with it. An agent that goes on without a memory that it could not use says
    why in an attribute `memory_lost`, a text; "" or no such attribute says that nothing was lost.
    """

    name: str
    needs: frozenset[str]
    """Powers (`POWERS`) that the world must have."""
    period: int | None
    """Ticks of a sub-goal between two calls of `watch`; None: never, as in a world that carries out
    sub-goals by itself."""
    judge: Judge
    """Whose word ends a sub-goal as done.

    "inventory": the world's, which shows that it is reached; the loop notes COMPLETE and does not act on it.
    "reflector": the agent's COMPLETE (Optimus-1, Figure 10), whether or not the world shows it; but craft,
    smelt, equip, place and recover end when the world shows it, whoever carries them out, as the helper does
    in the paper. "both": whichever comes first. REPLAN, a failure, a death, the sub-goal's last tick and the
    episode's end end it in any case. A world that carries out sub-goals by itself decides by itself."""

    def attach(self, setting: AgentSetting) -> None:
        """Meet the environment.

        Called once by each environment, before anything else; what was known of a former one is
        forgotten.

        Raises:
            BadValue: it does not fit; names what it has and what the environment has.
        """

    def begin_episodes(self, situations: Sequence[Situation]) -> None:
        """Begin episodes; what was in these rows' minds is forgotten."""

    def decide(self, situations: Sequence[Situation]) -> Sequence[Decision]:
        """Return each row's next sub-goal, or why it gives up."""

    def watch(self, situations: Sequence[Situation]) -> Sequence[Verdict]:
        """Judge each row's sub-goal while it is carried out."""

    def ended(self, outcomes: Sequence[Outcome]) -> None:
        """Learn how sub-goals ended."""

    def finish(self, records: Sequence[Record]) -> None:
        """Learn that episodes are over: the only place where a memory may be written."""
