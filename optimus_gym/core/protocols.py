"""The interfaces of the parts; implementations need not inherit from them, contract tests check them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from optimus_gym.core.requests import Reply, Request
from optimus_gym.core.snapshots import Snapshot
from optimus_gym.core.types import Event, Failure, Plan, PlannerView, Setup, Sight, SubGoal


@runtime_checkable
class World(Protocol):
    """N simulated worlds that tick independently; `row` says which.

    Made as `Class(count, view_distance=blocks, threads=number or None)`.
    """

    count: int
    """How many worlds."""

    def reset(self, row: int, setup: Setup) -> None:
        """Begin an episode in world `row`."""

    def tick(self, rows: NDArray[np.int64], actions: NDArray[np.int32]) -> None:
        """Advance the worlds `rows` (int64[n]) by one tick.

        Args:
            rows: the worlds that tick; the others stand still.
            actions: int32[n, 11], as `optimus_gym.core.actions` lays out, the item as item id.
        """

    def respawn(self, row: int) -> None:
        """Let the dead player of world `row` go on at its spawn point, in full health.

        What death costs, the world's assists and rules have decided before.
        """

    def snapshot(self, row: int) -> Snapshot:
        """Return the whole state of world `row`, from which it goes on in one way only."""

    def restore(self, row: int, snapshot: Snapshot) -> None:
        """Put world `row` into a saved state; one that cannot be taken is refused and changes nothing."""

    def frame(self, row: int, image: NDArray[np.uint8]) -> None:
        """Fill `image` (uint8[H, W, 3]) with the view of world `row`; changes no state."""

    def frames(self, rows: NDArray[np.int64], images: NDArray[np.uint8]) -> None:
        """Fill `images` (uint8[n, H, W, 3]) with the views of `rows` (int64[n]), like `frame`."""

    def sights(self, row: int, resolution: tuple[int, int]) -> tuple[Sight, ...]:
        """Return what `frame` shows of world `row` at a resolution (width, height), for judges.

        Most pixels first, then by name. It is what there is to see, hand and HUD left out, however
        dark or far in the fog it is, up to the view distance; empty in a world without pictures.
        Changes no state.
        """

    def counts(self, row: int) -> NDArray[np.int32]:
        """Return how many of each item are held (int32[976], by item id), a new array."""

    def equipment(self, row: int) -> NDArray[np.int32]:
        """Return item ids (int32[6]) of hand, off-hand, feet, legs, chest, head, a new array."""

    def vitals(self, row: int) -> NDArray[np.float32]:
        """Return health, food, saturation, air, armour, level (float32[6], game units), a new array."""

    def bodies(self, rows: NDArray[np.int64]) -> tuple[NDArray[np.int32], NDArray[np.float32]]:
        """Return `equipment` (int32[n, 6]) and `vitals` (float32[n, 6]) of `rows`, new arrays."""

    def assists(self, row: int) -> tuple[str, ...]:
        """Return the names of what makes world `row` easier than the game, as its state has it."""

    def alive(self, row: int) -> bool:
        """Tell whether the player of world `row` lives."""

    def events(self, row: int) -> tuple[Event, ...]:
        """Return what happened in the latest tick."""

    def view(self, row: int) -> PlannerView:
        """Return what a planner may see of world `row`."""

    def close(self) -> None:
        """Let go of everything; may be called twice."""


@dataclass(frozen=True, slots=True)
class Done:
    """How a world carried out a sub-goal: the ticks that it took and, if it failed, why."""

    ticks: int
    failure: Failure | None = None


@runtime_checkable
class SubGoalWorld(World, Protocol):
    """A world that carries out whole sub-goals by itself; `tick` only lets time pass in it."""

    def carry_out(self, row: int, subgoal: SubGoal, limit: int) -> Done:
        """Carry out a sub-goal of world `row`.

        Afterwards `events` tells what happened in all of it.

        Args:
            row: which world.
            subgoal: what to do.
            limit: ticks that it may take, at least 1; one that needs more fails by "timeout" and
                gets nothing.

        Returns:
            the ticks spent, 1 to `limit`, and why it failed, if it did.
        """


class Controller(Protocol):
    """Turns observation and sub-goal into low-level actions, for many rows at once."""

    privileged: bool
    """Whether it reads more of the world than observations show."""
    verbs: frozenset[str]
    """Verbs of sub-goals that it carries out; the helper does the rest of them."""

    def attach(self, world: World, seeds: Sequence[int] | None = None) -> None:
        """Meet the world that it will act in; called before anything else, once."""

    def reset(self, row: int, seed: int) -> None:
        """Begin an episode of `row`; what was known of the former one is forgotten."""

    def begin(self, row: int, subgoal: SubGoal) -> None:
        """Turn to another sub-goal."""

    def act(
        self, rows: Sequence[int], observations: Sequence[Mapping[str, NDArray[Any]]]
    ) -> tuple[NDArray[np.int32], list[Failure | None]]:
        """Choose the next tick's actions.

        Args:
            rows: the live rows, n of them.
            observations: one for each of them, as the control view gives; empty mappings if
                the controller's `observes` is False.

        Returns:
            actions (int32[n, 11]) and, for each row, why its sub-goal cannot be reached, or None.
        """


class Backbone(Protocol):
    """A (multimodal) language model, or what stands for one."""

    name: str

    def complete(self, request: Request) -> Reply:
        """Answer a request with text."""


class Planner(Protocol):
    """Makes plans and mends them."""

    def plan(self, goal: SubGoal, view: PlannerView) -> Plan:
        """Return the sub-goals that lead from what is held to the goal."""

    def replan(self, goal: SubGoal, view: PlannerView, failed: SubGoal, why: Failure) -> Plan:
        """Return the sub-goals that are still needed after `failed` failed."""
