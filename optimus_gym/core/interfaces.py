"""Interfaces of the exchangeable parts, which need not inherit them; `optimus_gym.testing` tests parts."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Protocol, runtime_checkable

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from optimus_gym.core.deliberation import Decision, Judge, Outcome, Record, Verdict
from optimus_gym.core.episode_change import EpisodeChange
from optimus_gym.core.overlay import Overlay
from optimus_gym.core.requests import Reply, Request
from optimus_gym.core.situation import Situation
from optimus_gym.core.task import Task
from optimus_gym.core.types import Event, Failure, Setup, SubGoal

Rows = NDArray[np.int64] | Sequence[int]
"""The numbers of n different rows (worlds)."""


@runtime_checkable
class World(Protocol):
    """N simulated worlds that tick independently; the argument `row` is a world's number.

    The environment makes worlds by `Class(count, view_distance=blocks, threads=number or None, **options)`.

    The contract of every world (`optimus_gym.testing` has the rules): the same seed and actions give the same
    bytes of state in every process. Methods that query the state never change the state. `counts` and `alive`
    return the present state in every tick, even if no event reported a change. Each query returns new arrays.
    `WorldFailed` names each row that broke down; the other rows have completed the failed call.
    """

    can: ClassVar[frozenset[str]]
    """The world's powers: some of `POWERS`."""
    options: ClassVar[tuple[str, ...]]
    """Names of the class's arguments besides `count`, `view_distance` and `threads`."""
    biomes: ClassVar[tuple[str, ...]]
    """Names of the biomes that a `Setup` may ask for."""
    count: int
    """The number of worlds."""

    def reset(self, row: int, setup: Setup) -> None:
        """Begin an episode in world `row`; nothing changes if the setup cannot be used.

        Raises:
            UnknownName: the setup names an unknown biome, weather, item, assist or difficulty.
            BadValue: a value of the setup is unusable, such as an inventory that does not fit.
            WorldFailed: the world broke down.
        """

    def tick(self, rows: Rows, actions: NDArray[np.int32]) -> None:
        """Advance the worlds `rows` by one tick.

        Args:
            rows: the worlds that tick; the others stand still.
            actions: int32[n, 15], laid out as in `optimus_gym.core.actions`; the last entry is an item id.

        Raises:
            WorldFailed: some of the worlds broke down.
        """

    # The methods below query a working world: a world that breaks down there reports so in its next tick.

    def frames(self, rows: Rows, images: NDArray[np.uint8]) -> None:
        """Draw the pictures of `rows` into `images` (uint8[n, H, W, 3], C-contiguous); change no state."""

    def counts(self, rows: Rows) -> NDArray[np.int32]:
        """Return how many of each item the players hold (int32[n, 976], by item id), a new array."""

    def bodies(self, rows: Rows) -> tuple[NDArray[np.int32], NDArray[np.float32]]:
        """Return the players' equipment and vitals, new arrays.

        Returns:
            item ids of hand, off-hand, feet, legs, chest, head (int32[n, 6]), and health, food,
            saturation, air, armour, level (float32[n, 6], game units).
        """

    def poses(self, rows: Rows) -> NDArray[np.float64]:
        """Return the players' positions and directions of view (float64[n, 5]), a new array.

        x, y, z of the feet (blocks), yaw (0 = south, growing to the right), pitch (positive down), degrees.
        """

    def alive(self, rows: Rows) -> NDArray[np.bool_]:
        """Return whether the players of `rows` live (bool[n])."""

    def biome(self, row: int) -> str | None:
        """Return the name of the biome around the player of world `row`, or None if the biome is unknown."""

    def stations(self, row: int) -> tuple[str, ...]:
        """Return the stations in reach of the player of world `row`."""

    def assists(self, row: int) -> tuple[str, ...]:
        """Return the names of world `row`'s active assists (changes that make the game easier)."""

    def events(self, row: int) -> tuple[Event, ...]:
        """Return world `row`'s events of its latest tick, or of all ticks of its latest `carry_out`."""

    def close(self) -> None:
        """Release all resources; may be called twice."""


@dataclass(frozen=True, slots=True)
class ControllerSetting:
    """The environment's properties, which `Controller.attach` receives.

    Attributes:
        rows: N, rows of the environment.
        observation_space: the space of one row, with every key that the controller may look at.
        action_space: the space of one row: a policy's keys (`core.actions.KEYS`).
        vocabulary: item names in the order of the observation's indices.
        resolution: width and height of `pov`, pixels.
        view_distance: how far the frames show, blocks.
        pov: how frames are made: "drawn" at `resolution`, or "squeezed" as VPT does from 640x360 pixels.
        device: the device for a network ("cpu", "cuda:0"), or None: the controller decides.
        world: a function that returns the world, not to be called before the first `begin_episodes`; None
            for a controller that is not privileged.
        draw_into: a function; a controller with a fixed batch may pass it an array (uint8[N, H, W, 3],
            C-contiguous), such as memory that a GPU reads. The environment then draws frames into this array
            and passes it to `act` as `pov`. If `draw_into` is None or unused, each `pov` is a new array.
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

    One object serves all rows of one environment and keeps a row's state under the row's number.
    """

    privileged: bool
    """Whether the controller reads more of the world than observations show."""
    needs: frozenset[str]
    """Powers (`POWERS`) that the world must have."""
    verbs: frozenset[str]
    """Verbs of sub-goals that the controller carries out. The environment's helper carries out the verbs of
    `optimus_gym.controllers.verbs.HELPED` that the controller lacks."""
    looks_at: tuple[str, ...]
    """Keys of the observation that the controller reads; `act` gets only these keys."""
    fixed_batch: bool
    """Whether `act` gets all N rows each time, for a policy whose batch size may not change."""

    def attach(self, setting: ControllerSetting) -> None:
        """Receive the environment's properties and check that the controller fits the environment.

        Each environment calls `attach` once, before all other methods; the controller then forgets the
        environment that it served before.

        Raises:
            BadValue: the controller does not fit; the message says what it needs and what it got.
        """

    def begin_episodes(self, rows: Sequence[int], seeds: Sequence[int]) -> None:
        """Begin episodes in `rows`; forget the rows' earlier episodes."""

    def begin_subgoals(self, rows: Sequence[int], subgoals: Sequence[SubGoal]) -> None:
        """Give each of `rows` a new sub-goal, which replaces the row's earlier one."""

    def act(
        self,
        rows: Sequence[int],
        observations: Mapping[str, NDArray[Any]],
        mask: NDArray[np.bool_],
    ) -> tuple[NDArray[np.int32], Sequence[Failure | None]]:
        """Choose the next tick's actions.

        Args:
            rows: n row numbers, ascending: the rows to act for, or with `fixed_batch` all rows.
            observations: an array (n, ...) for each key of `looks_at`.
            mask: bool[n], which of `rows` act now; without `fixed_batch` all rows act. The observations of a
                row that does not act are zeros, and the environment ignores the row's action.

        Returns:
            actions (int32[n, 15], laid out as in `core.actions`; the last entry is an item id) and, for each
            row, why its sub-goal cannot be reached, or None.
        """


class Backbone(Protocol):
    """A (multimodal) language model, or a substitute such as the backbone `rules`."""

    name: str

    @property
    def takes_pictures(self) -> bool:
        """Return whether requests may hold pictures."""

    def complete(self, requests: Sequence[Request]) -> Sequence[Reply]:
        """Answer all requests at once and return the replies in the requests' order."""


@dataclass(frozen=True, slots=True)
class CallerObservations:
    """The observations of an environment's caller, for an agent that chooses by them.

    Attributes:
        observation_space: the space of one row.
        resolution: width and height of `pov`, pixels.
        view_distance: how far the frames show, blocks.
        pov: how frames are made, as in `ControllerSetting`.
        look: a function that returns the observations of rows, stacked along a first axis, for some keys of
            the space; not to be called before the first `begin_episodes`.
    """

    observation_space: spaces.Dict
    resolution: tuple[int, int]
    view_distance: int
    pov: str
    look: Callable[[Sequence[int], Sequence[str]], Mapping[str, NDArray[Any]]]


@dataclass(frozen=True, slots=True)
class AgentSetting:
    """The environment's properties, which `Agent.attach` receives.

    Attributes:
        rows: rows of the environment.
        backbone: the backbone to ask; each reply's cost goes to the record of the request's row.
        abilities: the game as world, protocol and executors allow it (`knowledge.abilities.Abilities`).
        knowledge: the full knowledge graph (`knowledge.knowledge_graph.KnowledgeGraph`), or the graph of
            the memory folder, which may be empty.
        memory: the memory's folder, or None.
        learn: whether `finish` writes what episodes teach.
        learn_into: a folder; `finish` writes the episodes of each task into a memory of their own below it,
            named by the task. None: `finish` writes into the memory's folder.
        pictures: whether the world has pictures.
        overlay: a function that returns the world's pictures of the heads-up display, not to be called
            before the first `begin_episodes`; None if the world lacks the power "overlay".
        predicaments: a function that returns which of `core.predicaments.SEEN_BY_WORLD` a row's player is in;
            None unless the agent is privileged and the world has the power "predicaments".
        observing: what the environment's caller observes.
    """

    rows: int
    backbone: Backbone
    abilities: Any
    knowledge: Any
    memory: Path | None = None
    learn: bool = False
    learn_into: Path | None = None
    pictures: bool = False
    overlay: Callable[[], Overlay] | None = None
    predicaments: Callable[[int], frozenset[str]] | None = None
    observing: CallerObservations | None = None


class Agent(Protocol):
    """Thinks for many rows at once; keeps a row's goal, plan and setbacks under the row's number.

    The agent does all the thinking: it makes and checks plans, chooses the next sub-goal, judges running
    sub-goals, and asks the backbone. The loop makes each call once for all rows concerned: `begin_episodes`,
    then `decide`; during a sub-goal `watch` every `period` ticks; at the sub-goal's end `ended`, then
    `decide` unless the episode is over; `finish` after the episode's end, or after a reset or a close has cut
    it off ("abandoned"). If the caller of `env.step` chose a sub-goal, the sub-goal's outcome says so
    (`chosen`). The agent never hears of an episode that ends during reset. An episode's record is made before
    `finish`, so only `info` shows answers that the backbone gives during `finish`.

    An agent that reads more of the world than situations show has a true attribute `privileged`, which makes
    the environment privileged. An agent that goes on without a memory that it could not use gives the reason
    in an attribute `memory_lost`, a text; "" or no such attribute means that the memory is intact.
    """

    name: str
    needs: frozenset[str]
    """Powers (`POWERS`) that the world must have."""
    period: int | None
    """Ticks between calls of `watch` in a sub-goal; None, or if the world carries out sub-goals: no calls."""
    judge: Judge
    """The judge that ends a sub-goal as done.

    "inventory": the world ends a sub-goal when its state shows the success; the loop notes the agent's
    COMPLETE and does not act on COMPLETE. "reflector": the agent's COMPLETE ends a sub-goal (Optimus-1,
    Figure 10), whether or not the world shows the success; but the
    verbs of `optimus_gym.controllers.verbs.HELPED` end by the world's state under any executor, because
    Optimus-1's helper carries such sub-goals out; so do acts (`core.types.ACT_VERBS`), whose success no
    situation shows.
    "both": the sub-goal ends by the world's state or by COMPLETE, whichever comes first. REPLAN, a failure, a
    death, the sub-goal's last tick and the episode's end always end a sub-goal. A world that carries out
    sub-goals by itself also decides when a sub-goal ends."""

    def attach(self, setting: AgentSetting) -> None:
        """Receive the environment's properties and check that the agent fits the environment.

        Each environment calls `attach` once, before all other methods; the agent then forgets the environment
        that it served before.

        Raises:
            BadValue: the agent does not fit; the message says what it needs and what it got.
        """

    def begin_episodes(self, situations: Sequence[Situation]) -> None:
        """Begin an episode in each situation's row; forget the rows' earlier episodes."""

    def decide(self, situations: Sequence[Situation]) -> Sequence[Decision]:
        """Return each row's next sub-goal, or the reason to give up."""

    def watch(self, situations: Sequence[Situation]) -> Sequence[Verdict]:
        """Judge each row's current sub-goal."""

    def ended(self, outcomes: Sequence[Outcome]) -> None:
        """Receive the outcomes of sub-goals that have ended."""

    def finish(self, records: Sequence[Record]) -> None:
        """Receive the records of finished episodes; only `finish` may write the agent's memory."""


@dataclass(frozen=True, slots=True)
class RewardSetting:
    """The environment's properties, which `Reward.attach` receives.

    Attributes:
        rows: rows of the environment.
        discount: the discount factor of one tick, above 0 and at most 1.
        depths: a function that returns the items on the way to a task, each with its depth: how many ways to
            get items, one after the other, lead to the item at least.
        frame: a function that returns a row's present frame (uint8[H, W, 3]); None if the world lacks the
            power "pictures".
    """

    rows: int
    discount: float
    depths: Callable[[Task], Mapping[str, int]]
    frame: Callable[[int], NDArray[np.uint8]] | None = None


class Reward(Protocol):
    """Rewards the changes of many rows; keeps what it remembers of a row under the row's number."""

    needs_subgoals: bool
    """Whether the reward is about sub-goals, which the flat view lacks."""
    asks_every_tick: bool
    """Whether a tick without a change of inventory or status may pay; if not, such ticks are left out."""

    def attach(self, setting: RewardSetting) -> None:
        """Receive the environment's properties, and forget the environment that the reward served before.

        Raises:
            BadValue: the environment lacks something that the reward needs.
        """

    def begin_episodes(self, rows: Sequence[int]) -> None:
        """Begin episodes in `rows`; forget the rows' earlier episodes."""

    def pay(self, change: EpisodeChange) -> float:
        """Return the reward of a change, a finite number; a row's changes come in order."""
