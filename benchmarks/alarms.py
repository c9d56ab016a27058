"""False alarms and delays of the reflector: python -m benchmarks.alarms --memory DIR [--episodes 120].

The oracle never needs another plan: each REPLAN of its sub-goals counts as a false alarm, by verb. Then the
oracle secretly abandons sub-goals: the benchmark measures the ticks from the abandonment to the REPLAN, or to
the sub-goal's end if no REPLAN comes. Some abandoned sub-goals are reached all the same, since a filled
furnace goes on smelting; the second median leaves these out. The benchmark plays validation seeds without a
memory and with the memory DIR, which it only reads.
"""

import argparse
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import gymnasium as gym
import numpy as np

import optimus_gym  # noqa: F401
from optimus_gym.controllers.unreliable import UnreliableController
from optimus_gym.core.deliberation import Outcome
from optimus_gym.core.intervals import wilson
from optimus_gym.terminal.bars import counted

FIRST: Final = 67_000
"""First validation seed; no calibration of the verdict has used the seeds from there on."""
TASKS: Final = ("Armor", "Iron", "Armor", "Gold", "Armor", "Diamond", "Armor", "Redstone")
LIMIT: Final = 2_400
"""Maximum ticks of a sub-goal."""
ABANDONED: Final = 0.3
"""Share of the sub-goals that the controller abandons."""


def main() -> None:
    """Print the tables of false alarms and of delays."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--memory", type=Path, required=True)
    parser.add_argument("--episodes", type=int, default=120)
    parsed = parser.parse_args()
    seeds = range(FIRST, FIRST + parsed.episodes)
    for name, memory in (("no memory", None), ("memory", str(parsed.memory))):
        ends: list[Outcome] = []
        for seed in counted(iter(seeds), f"alarms, {name}", total=len(seeds)):
            ends += [outcome for outcome, _ in played(seed, "oracle", memory)]
        print(f"{name}: {alarms(ends)}", flush=True)
        delays: list[int] = []
        failing: list[int] = []
        noticed = 0
        for seed in counted(iter(seeds), f"delays, {name}", total=len(seeds)):
            for outcome, abandoned in played(seed, UnreliableController, memory):
                if abandoned is not None:
                    delays.append(outcome.tick - abandoned)
                    failing += delays[-1:] if outcome.failure is not None else []
                    noticed += outcome.end == "replan"
        print(
            f"{name}: {len(delays)} abandoned, {noticed} noticed; {spread(delays)}; "
            f"{len(failing)} not reached, {spread(failing)}",
            flush=True,
        )


def played(seed: int, controller: Any, memory: str | None) -> Iterator[tuple[Outcome, int | None]]:
    """Yield the outcome of each sub-goal of an episode, and the tick of its abandonment, if any."""
    acting = controller if controller == "oracle" else controller("oracle", 0.0, ABANDONED, 0.0)
    env = gym.make(
        f"Optimus-{TASKS[seed % len(TASKS)]}-v0",
        controller=acting,
        memory=memory,
        subgoal_ticks=LIMIT,
    )
    ends: list[tuple[Outcome, int | None]] = []
    known = 0

    def note(outcome: Outcome) -> None:
        nonlocal known
        ticks = () if acting == "oracle" else acting.abandoned_of(0)
        ends.append((outcome, ticks[-1] if len(ticks) > known else None))
        known = len(ticks)

    view: Any = env.unwrapped
    view._view.watch_ends(note)
    env.reset(seed=seed)
    over = False
    while not over:
        *_, ended, cut, _ = env.step(0)
        over = ended or cut
    env.close()
    yield from ends


def alarms(ends: list[Outcome]) -> str:
    """Return in words how many sub-goals ended with REPLAN, by verb."""
    false = Counter(outcome.subgoal.verb for outcome in ends if outcome.end == "replan")
    whole = Counter(outcome.subgoal.verb for outcome in ends)
    eight = sum(outcome.subgoal.verb == "smelt" and outcome.subgoal.count >= 8 for outcome in ends)
    low, high = wilson(sum(false.values()), len(ends))
    by_verb = ", ".join(f"{verb} {false[verb]} of {count}" for verb, count in sorted(whole.items()))
    return (
        f"{sum(false.values())} false alarms at {len(ends)} sub-goals ({low:.1%} to "
        f"{high:.1%}), {eight} smeltings of 8 or more; {by_verb}"
    )


def spread(delays: list[int]) -> str:
    """Return median and quartiles of delays in words."""
    low, middle, high = np.percentile(delays, [25, 50, 75])
    return f"median {middle:.0f} ticks (quartiles {low:.0f} to {high:.0f})"


if __name__ == "__main__":
    main()
