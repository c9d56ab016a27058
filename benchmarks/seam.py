"""Measure the layer between worlds and agents: batched planning, costs of agent and controller.

    python benchmarks/seam.py [--rows 64] [--ticks 150] [--rounds 5]

Thinking: a vector environment with a backbone that takes 0.2 s a request, like a server that answers many
requests at once. The output is the times of the reset (worlds and first plans), of the first plans alone, and
of a step in which every row's sub-goal fails at once and all rows replan.

Ticks: the flat view, the control view, and the sub-goal view with a controller that looks at 128x128 frames
and does nothing. The views run in turn, and stand still in the same worlds. The printed ratios are those of
the medians over rounds.
"""

import argparse
import statistics
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import gymnasium as gym
import numpy as np
from numpy.typing import NDArray

import optimus_gym  # noqa: F401  registers the ids
from optimus_gym.backbones.rules import RulesBackbone
from optimus_gym.core.actions import noop
from optimus_gym.core.interfaces import ControllerSetting
from optimus_gym.core.requests import Reply, Request
from optimus_gym.core.types import FUNCTIONAL_VERBS, VERBS, Failure, SubGoal

TASK = "Diamond"
REQUEST_SECONDS = 0.2
FIRST_SEED = 600_000
"""First seed, in a range that is never used for tuning."""


class SlowBackbone:
    """The rules behind a delay of 0.2 s a request, like a server that answers many requests at once."""

    name = "slow"
    takes_pictures = False

    def __init__(self) -> None:
        self._rules = RulesBackbone()
        self.calls: list[int] = []
        """The number of requests in each call of `complete`."""

    def complete(self, requests: Sequence[Request]) -> Sequence[Reply]:
        """Answer all requests in parallel."""
        self.calls.append(len(requests))
        with ThreadPoolExecutor(len(requests)) as pool:
            return list(pool.map(self._answer, requests))

    def _answer(self, request: Request) -> Reply:
        time.sleep(REQUEST_SECONDS)
        return self._rules.complete([request])[0]


class Idle:
    """A controller that looks at frames and does nothing, or gives up at once."""

    privileged = False
    needs = frozenset({"keys"})
    verbs = frozenset(VERBS) - FUNCTIONAL_VERBS
    looks_at = ("pov",)
    fixed_batch = False

    def __init__(self, gives_up: bool = False) -> None:
        self._gives_up = gives_up
        self.seen = 0
        """Sum of pixels, so that no optimisation skips the pictures."""

    def attach(self, setting: ControllerSetting) -> None:
        """Attach to an environment; does nothing."""

    def begin_episodes(self, rows: Sequence[int], seeds: Sequence[int]) -> None:
        """Begin episodes."""

    def begin_subgoals(self, rows: Sequence[int], subgoals: Sequence[SubGoal]) -> None:
        """Begin sub-goals in some rows; does nothing."""

    def act(
        self, rows: Sequence[int], observations: Mapping[str, NDArray[Any]], mask: NDArray[np.bool_]
    ) -> tuple[NDArray[np.int32], list[Failure | None]]:
        """Return actions that do nothing, with failures if the controller gives up."""
        self.seen += int(observations["pov"][:, 0, 0, 0].sum())
        failure = Failure("not_found", "oak_log", 1) if self._gives_up else None
        return np.tile(noop(), (len(rows), 1)), [failure] * len(rows)


def thinking(rows: int) -> None:
    """Print the times of first plans and replans of all rows."""
    backbone = SlowBackbone()
    env = gym.make_vec(
        f"Optimus-{TASK}-v0", rows, backbone=backbone, controller=Idle(gives_up=True)
    )
    bare = gym.make_vec(f"OptimusFlat-{TASK}-v0", rows)
    bare.reset(seed=FIRST_SEED)
    worlds = _seconds(lambda: bare.reset(seed=FIRST_SEED + 10_000))
    env.reset(seed=FIRST_SEED)
    begun = _seconds(lambda: env.reset(seed=FIRST_SEED + 10_000))
    plans = backbone.calls[-1]
    replans = _seconds(lambda: env.step(np.zeros(rows, np.int64)))
    print(
        f"{rows} rows, {REQUEST_SECONDS} s a request\n"
        f"  reset with first plans ({plans} in one call)  {begun:6.2f} s\n"
        f"  of these the worlds and their frames          {worlds:6.2f} s\n"
        f"  a step in which all plan anew ({backbone.calls[-1]} in one call) {replans:6.2f} s"
    )
    env.close()
    bare.close()


def ticking(rows: int, ticks: int, rounds: int) -> None:
    """Print ticks a second of the three views, and their ratios to the flat view."""
    idle = np.tile(noop(), (rows, 1)).astype(np.int64)
    flat = gym.make_vec(f"OptimusFlat-{TASK}-v0", rows)
    control = gym.make_vec(f"OptimusControl-{TASK}-v0", rows)
    subgoal = gym.make_vec(
        f"Optimus-{TASK}-v0", rows, controller=Idle(), subgoal_ticks=ticks, view_distance=64
    )
    keys = idle[:, : control.single_action_space.shape[0]]

    def steps(env: Any, action: NDArray[np.int64], count: int) -> None:
        for _ in range(count):
            env.step(action)

    plays: dict[str, tuple[Any, Callable[[], None]]] = {
        "flat": (flat, lambda: steps(flat, idle, ticks)),
        "control": (control, lambda: steps(control, keys, ticks)),
        "sub-goal": (subgoal, lambda: steps(subgoal, np.zeros(rows, np.int64), 1)),
    }
    taken: dict[str, list[float]] = {name: [] for name in plays}
    for number in range(rounds + 1):
        for name, (env, play) in plays.items():
            env.reset(seed=FIRST_SEED + number * rows)
            seconds = _seconds(play)
            if number:  # the first round loads code and does not count
                taken[name].append(rows * ticks / seconds)
    flat_median = statistics.median(taken["flat"])
    for name, rates in taken.items():
        median = statistics.median(rates)
        print(
            f"  {name:<9} {median:>9,.0f} ticks/s ({min(rates):,.0f} to {max(rates):,.0f}), "
            f"{median / flat_median:.2f} times flat"
        )


def _seconds(work: Callable[[], object]) -> float:
    begun = time.perf_counter()
    work()
    return time.perf_counter() - begun


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="Measure the layer between worlds and minds.")
    parser.add_argument("--rows", type=int, default=64)
    parser.add_argument("--ticks", type=int, default=150, help="ticks of each measurement")
    parser.add_argument("--rounds", type=int, default=5)
    parsed = parser.parse_args()
    thinking(parsed.rows)
    ticking(parsed.rows, parsed.ticks, parsed.rounds)


if __name__ == "__main__":
    main()
