"""Measure query generation on tasks that the memory has not seen: `python -m benchmarks.query_generation`.

The memory holds a success of each of half of the tasks, drawn. JARVIS-1 looks for plans for the other tasks:
by the task's text alone, and with the queries of its backward reasoning (JARVIS-1, Figure 5). A remembered
task is helpful if its item is needed: by the game's tables alone, nothing leads to the asked task without it.
The command prints for each top-k the share of the helpful tasks that were found (recall), and the share of
the asked tasks for which a helpful one was found (hit), with 95 % intervals over the asked tasks.
"""

import argparse
import tempfile
from collections.abc import Collection, Iterator, Sequence
from functools import cache
from itertools import product
from pathlib import Path
from typing import Final

import numpy as np

from benchmarks.paraphrases import remember
from benchmarks.reference.tables import FUELS, TOOLS, WAYS
from optimus_gym.agents.jarvis1.agent import Jarvis1
from optimus_gym.agents.jarvis1.plan_memory import SEARCH_DEPTH
from optimus_gym.core.intervals import mean_interval
from optimus_gym.core.rng import generator
from optimus_gym.core.situation import Situation
from optimus_gym.core.task import Task
from optimus_gym.game.tasks import tasks
from optimus_gym.knowledge.abilities import abilities_of
from optimus_gym.memory.pool import ExperiencePool
from optimus_gym.minds.eyes import Seen
from optimus_gym.terminal.bars import counted
from optimus_gym.testing.situations import attached
from optimus_gym.vision.aligner import Aligner
from optimus_gym.vision.mini_aligner import MiniAligner

SUITES: Final = ("optimus-67", "jarvis-190")
SEED: Final = 88_000
"""Seed of the drawn halves."""
SCARCE: Final = 0.2
"""Mean yield below which a way counts as luck (an iron ingot from a zombie), and leads to nothing."""
TOP: Final = (1, 3, 5, 10)
DEPTHS: Final = (1, 2, SEARCH_DEPTH, 6)


@cache
def obtainable(without: frozenset[str]) -> frozenset[str]:
    """Return all items that the ways of the game lead to from nothing, without luck and some items."""
    got: set[str] = set()
    grows = True
    while grows:
        tools = {
            (TOOLS[name]["kind"], tier) for name in got & TOOLS.keys() for tier in _tiers(name)
        }
        fire = bool(got & FUELS.keys())
        new = {
            way.product
            for many in WAYS.values()
            for way in many
            if way.yields >= SCARCE
            and way.product not in got | without
            and all(got.intersection(kinds) for kinds, _ in way.needs)
            and (way.tool is None or way.tool in tools)
            and (way.station is None or way.station in got)
            and got.issuperset(way.holds)
            and (way.verb != "smelt" or fire)
        }
        got |= new
        grows = bool(new)
    return frozenset(got)


def _tiers(name: str) -> range:
    return range(TOOLS[name]["tier"] + 1)


def is_needed(part: Task, goal: Task) -> bool:
    """Return whether nothing leads to a goal without a part's items."""
    banned = frozenset(part.kinds)
    return not banned.intersection(goal.kinds) and not obtainable(banned).intersection(goal.kinds)


def known_tasks() -> tuple[Task, ...]:
    """Return a task for each different set of items; only tasks that the ways of the game lead to."""
    every = (task for suite in SUITES for task in tasks(suite).values())
    kept = [task for task in every if obtainable(frozenset()).intersection(task.kinds)]
    return tuple({frozenset(task.kinds): task for task in kept}.values())


def halves(number: int) -> tuple[list[Task], list[Task]]:
    """Return a drawn half of the tasks, which the memory holds, and the other tasks."""
    every = known_tasks()
    order = generator(SEED, f"half {number}").permutation(len(every)).tolist()
    half = len(every) // 2
    return [every[place] for place in order[:half]], [every[place] for place in order[half:]]


def found(
    memory: Path, asked: Sequence[Task], retrieval: str, depth: int, top: int
) -> Iterator[list[str]]:
    """Yield for each asked task the texts of the remembered tasks that JARVIS-1 finds, the first first."""
    made = Jarvis1(switches={"retrieval": retrieval}, search_depth=depth, top_k=top)
    agent = attached(made, memory=memory, abilities=abilities_of("symbolic"))
    here = [Situation(row, task, task.goal) for row, task in enumerate(asked)]
    for rows in agent.memory.references(here, [Seen() for _ in here]):
        yield [str(row["goal"]) for row in rows]


def shares(texts: Collection[str], helpful: Collection[str]) -> tuple[float, float]:
    """Return recall and hit of some found tasks."""
    right = len({*texts} & {*helpful})
    return right / len(helpful), float(right > 0)


def measured(aligner: Aligner, number: int) -> Iterator[tuple[str, int, float, float]]:
    """Yield arm, top-k, recall and hit of each asked task with a helpful one, for a drawn half."""
    kept, others = halves(number)
    wanted = {
        task.id: {part.instruction for part in kept if is_needed(part, task)} for task in others
    }
    asked = [task for task in others if wanted[task.id]]
    arms = {"text alone": ("text", SEARCH_DEPTH)}
    arms |= {f"with queries, depth {depth}": ("reasoning", depth) for depth in DEPTHS}
    with tempfile.TemporaryDirectory() as folder:
        with ExperiencePool(Path(folder), aligner) as pool:
            remember(pool, kept)
        for (name, (retrieval, depth)), top in product(arms.items(), TOP):
            lists = found(Path(folder), asked, retrieval, depth, top)
            for task, texts in zip(asked, lists, strict=True):
                yield (name, top, *shares(texts, wanted[task.id]))


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--halves", type=int, default=10, help="number of drawn halves")
    parser.add_argument("--first", type=int, default=0, help="number of the first drawn half")
    asked = parser.parse_args(arguments)
    aligner = MiniAligner()
    numbers = range(asked.first, asked.first + asked.halves)
    lines = [one for number in counted(numbers, "halves") for one in measured(aligner, number)]
    print("| arm | top-k | asked | recall | hit |\n| --- | --- | --- | --- | --- |")
    for name, top in dict.fromkeys(line[:2] for line in lines):
        own = np.array([line[2:] for line in lines if line[:2] == (name, top)], np.float64)
        cells = [f"{name}", f"{top}", f"{len(own):,}", *(_told(column) for column in own.T)]
        print(f"| {' | '.join(cells)} |")


def _told(values: np.ndarray) -> str:
    low, high = mean_interval(values[None])
    return f"{values.mean():.1%} ({low:.1%} to {high:.1%})"


if __name__ == "__main__":
    main()
