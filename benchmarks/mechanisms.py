"""Measure the worth of each mechanism of each agent: `python -m benchmarks.mechanisms --work DIR`.

For each agent and suite the command first chooses a difficulty on seeds of its own, so that the whole agent
succeeds in 30 to 80 % of its episodes. Then the whole agent, and the agent without each of its mechanisms,
play the same validation episodes. The difficulty is how often sub-goals fail (the option `failures` of the
symbolic world, or the controller `unreliable` in the voxel world) and how often the backbone errs
(`fallible`). The command prints a table for each agent and suite, and writes all tables to DIR/mechanisms.md.
The same command resumes an interrupted run. `--arms` plays some mechanisms alone; the embedded world takes
minutes for each arm.
"""

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from benchmarks.arms import (
    SENTENCE,
    WORLDS,
    Rung,
    agents,
    mechanisms,
    memory_of,
    played,
    success_interval,
)
from optimus_gym.core.errors import BadValue
from optimus_gym.core.intervals import Interval, clustered_interval
from optimus_gym.game.tasks import tasks as suite_tasks
from optimus_gym.run.evaluate.evaluation import Evaluation
from optimus_gym.run.results.figures import figures
from optimus_gym.run.results.paired import Pair, difference, pairs_of
from optimus_gym.run.results.row import EpisodeRow

VALIDATION: Final = 85_000
"""First seed of the compared episodes; nothing is tuned on these seeds."""
TUNING: Final = 86_000
"""First seed of the episodes that choose the difficulty."""
TUNING_EPISODES: Final = 10
TUNING_TASKS: Final = 3
"""The difficulty is chosen on each third task, because tasks with equal seeds share their luck."""
SUITES: Final = ("optimus-ablation-18", "mp5-process-25")
LADDER: Final = (
    Rung(0.0, 0.5),
    Rung(0.05, 1.0),
    Rung(0.1, 1.0),
    Rung(0.1, 2.0),
    Rung(0.2, 2.0),
    Rung(0.2, 3.0),
    Rung(0.3, 3.0),
    Rung(0.4, 3.0),
    Rung(0.5, 3.0),
    Rung(0.6, 3.0),
    Rung(0.7, 3.0),
    Rung(0.8, 3.0),
    Rung(0.9, 3.0),
)
"""Difficulties, the easiest first."""
MIDDLE: Final = 0.55
"""Wanted success rate of the whole agent: the middle of 30 to 80 %."""
NEAR: Final = 0.1
"""Distance to `MIDDLE` at which the search for a difficulty ends."""
CEILING: Final = 0.95
"""Success rate of both arms above which success cannot tell what a mechanism is worth."""
WHOLE: Final = "all on"
HEAD: Final = (
    "| arm | success | difference | requests | new plans | ticks where both succeed | same |\n"
    "| --- | --- | --- | --- | --- | --- | --- |"
)


@dataclass(frozen=True, slots=True)
class Contest:
    """An agent in a suite.

    Attributes:
        agent: the agent's name.
        suite: the suite.
        world: the world, one of `benchmarks.arms.WORLDS`.
        work: the folder of all results.
        memory: the agent's memory; None if it keeps none.
        tasks: some of the suite's tasks; empty = all.
    """

    agent: str
    suite: str
    world: str
    work: Path
    memory: Path | None
    tasks: tuple[str, ...] = ()

    def rows(
        self, arm: str, options: dict[str, Any], rung: Rung, seed: int, count: int
    ) -> list[EpisodeRow]:
        """Return the rows of an arm: `count` episodes of each task (or tuning task), from a seed on."""
        folder = self.work / self.world / self.suite / self.agent
        kind = "tuning" if seed == TUNING else "arms"
        chosen = self.tasks or tuple(suite_tasks(self.suite))
        place = folder / kind / f"{arm}-{rung.trouble:g}-{rung.scale:g}".replace(" ", "-")
        evaluation = Evaluation(
            suite=self.suite,
            tasks=chosen[::TUNING_TASKS] if seed == TUNING else chosen,
            agent={"name": self.agent, **options},
            memory=self.memory,
            seed=seed,
            episodes=count,
            settings={"resolution": [1, 1]} if self.world == "symbolic" else {},
            **rung.parts(self.world),
        )
        return played(evaluation, place)

    def tuned(self) -> tuple[Rung, float]:
        """Return the difficulty, and the whole agent's success rate at it on the tuning seeds.

        The search halves the ladder, and takes the difficulty whose rate is nearest to `MIDDLE`.
        """
        tried: dict[Rung, float] = {}
        low, high = 0, len(LADDER) - 1
        while low <= high and all(abs(rate - MIDDLE) > NEAR for rate in tried.values()):
            middle = (low + high) // 2
            rows = self.rows(WHOLE, {}, LADDER[middle], TUNING, TUNING_EPISODES)
            rate = sum(row.success for row in rows) / len(rows)
            print(f"  tuning: {LADDER[middle]}: {rate:.1%}", flush=True)
            tried[LADDER[middle]] = rate
            low, high = (middle + 1, high) if rate > MIDDLE else (low, middle - 1)
        return min(tried.items(), key=lambda one: abs(one[1] - MIDDLE))


def main(arguments: Sequence[str] | None = None) -> None:
    """Play all arms and write the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--work", type=Path, required=True, help="folder of all results")
    parser.add_argument("--agents", nargs="*", choices=agents(), default=agents())
    parser.add_argument("--suites", nargs="*", default=SUITES)
    parser.add_argument("--tasks", nargs="*", default=(), help="some of the suite's tasks")
    parser.add_argument("--arms", nargs="*", default=(), help="some of the agents' mechanisms")
    parser.add_argument("--world", choices=WORLDS, default=WORLDS[0])
    parser.add_argument("--episodes", type=int, default=10, help="seeds of each task")
    asked = parser.parse_args(arguments)
    told = [SENTENCE, ""]
    for suite in asked.suites:
        for agent in asked.agents:
            arms = {
                name: off
                for name, off in mechanisms(agent).items()
                if name in asked.arms or not asked.arms
            }
            if not arms:
                continue
            print(f"{agent}, {suite}: {', '.join(arms)}", flush=True)
            memory = memory_of(agent, asked.work)
            tasks = tuple(asked.tasks)
            contest = Contest(agent, suite, asked.world, asked.work, memory, tasks)
            try:
                lines = table(contest, arms, asked.episodes)
            except BadValue as error:
                lines = [f"`{agent}` in `{suite}` is left out: {error}"]
            print("\n".join(lines), flush=True)
            told += [*lines, ""]
            (asked.work / "mechanisms.md").write_text("\n".join(told), "utf-8")


def table(contest: Contest, arms: dict[str, dict[str, Any]], count: int) -> list[str]:
    """Play the arms of an agent in a suite; return a table with a row for each arm."""
    rung, rate = contest.tuned()
    seeds = f"{VALIDATION} to {VALIDATION + count - 1}"
    lines = [
        f"`{contest.agent}` in `{contest.suite}`, world {contest.world}, {rung} "
        f"(whole agent on the tuning seeds: {rate:.1%}), seeds {seeds}",
        "",
        HEAD,
    ]
    whole = contest.rows(WHOLE, {}, rung, VALIDATION, count)
    lines.append(_line(WHOLE, pairs_of(whole, whole)))
    for name, off in arms.items():
        rows = contest.rows(name, off, rung, VALIDATION, count)
        lines.append(_line(f"`{name}` off", pairs_of(whole, rows)))
        print(f"  {lines[-1]}", flush=True)
    return lines


def _line(name: str, pairs: Sequence[Pair]) -> str:
    """Return the row of an arm, with its differences to the whole agent."""
    own = figures(name, [second for _, second in pairs])
    low, high = success_interval([second for _, second in pairs])
    found = difference(name, pairs)
    cells = [name, f"{own.rate:.1%} ({low:.1%} to {high:.1%})"]
    if name == WHOLE:
        calls, replans = (_mean(pairs, one) for one in ("calls", "replans"))
        ticks = "" if own.ticks is None else f"{own.ticks:,.0f}"
        return f"| {' | '.join([*cells, '', calls, replans, ticks, ''])} |"
    told = _signed(100 * found.rate, tuple(100 * end for end in found.interval), ".1f", " points")
    if min(found.rates) >= CEILING:
        told += ", at the ceiling: success cannot tell"
    ticks = "" if found.ticks is None else _signed(found.ticks, found.ticks_interval, ",.0f")
    same = sum(_told(first) == _told(second) for first, second in pairs)
    rest = [_change(pairs, "calls"), _change(pairs, "replans"), ticks, f"{same} of {len(pairs)}"]
    return f"| {' | '.join([*cells, told, *rest])} |"


def _mean(pairs: Sequence[Pair], field: str) -> str:
    return f"{np.mean([getattr(second, field) for _, second in pairs]):.2f}"


def _change(pairs: Sequence[Pair], field: str) -> str:
    """Return the mean of a count in the second arm, and its difference to the first arm."""
    gains = np.array([getattr(b, field) - getattr(a, field) for a, b in pairs], np.float64)
    ends = clustered_interval(gains, [first.seed for first, _ in pairs])
    return f"{_mean(pairs, field)}, {_signed(float(gains.mean()), ends, '.2f')}"


def _signed(value: float, ends: Interval | None, form: str, unit: str = "") -> str:
    told = f"{value:+{form}}{unit}"
    return told if ends is None else f"{told} ({ends[0]:+{form}} to {ends[1]:+{form}})"


def _told(row: EpisodeRow) -> tuple[object, ...]:
    """Return what happened in an episode."""
    return row.status, row.ticks, row.subgoals, row.replans, row.calls


if __name__ == "__main__":
    main()
