"""Measure what each part of the memory is worth if lands differ: python -m benchmarks.lands --work DIR.

Training episodes fill DIR/memory in the voxel world. Each episode follows a plan of `TRIALS`, which names a
wood or a source that some lands lack. The memory stores every result. Validation episodes then begin in the
lands of `TASKS`, once for each arm (each choice of parts of the memory), without the knowledge graph
("unaided") and with it ("knowing"). The command prints success, ticks and new plans of each arm, and with
95 % intervals the paired differences between each arm and the whole memory.
"""

import argparse
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

import gymnasium as gym
import numpy as np

from optimus_gym.backbones.bare import plan_step
from optimus_gym.backbones.rules import RulesBackbone
from optimus_gym.core.intervals import mean_interval
from optimus_gym.core.requests import Reply, Request
from optimus_gym.knowledge.graph_folder import write_knowledge
from optimus_gym.knowledge.knowledge_graph import full_graph
from optimus_gym.minds.recall import EXPERIENCE_PARTS
from optimus_gym.run.evaluate.distributing import evaluate
from optimus_gym.run.evaluate.evaluation import Evaluation
from optimus_gym.run.evaluate.key_frames import Pictures
from optimus_gym.run.results.paired import Pair, difference, pairs_of
from optimus_gym.run.results.row import EpisodeRow
from optimus_gym.terminal.bars import counted

FIRST: Final = 446_000
"""First training seed."""
ROUNDS: Final = 4
"""Number of training episodes of each trial."""
VALIDATION: Final = 69_000
"""First validation seed."""
BUDGET: Final = 600
"""Budget of an episode in ticks: too small for most walks to a distant kind of tree."""
REPLANS: Final = 2
"""Largest number of new plans after setbacks in a validation episode."""
KINDS: Final = ("unaided", "knowing")


Steps = tuple[tuple[str, str, int], ...]
"""The steps of a plan: verb, item and count of each."""


class Trial(NamedTuple):
    """A plan that training episodes follow.

    Attributes:
        item: the item that the episode's task asks for.
        biome: the biome at the beginning of the episodes.
        source: the wood that the plan names; "dead_bush" for the sticks of dead bushes.
        then: the source of a second plan, which follows a setback; "" for none.
    """

    item: str
    biome: str
    source: str
    then: str = ""

    @property
    def plans(self) -> tuple[Steps, ...]:
        """Return the first plan, and the second one if there is one."""
        return tuple(self._plan(source) for source in (self.source, self.then) if source)

    def _plan(self, source: str) -> Steps:
        log, planks = f"{source}_log", f"{source}_planks"
        table = (("craft", "crafting_table", 1), ("place", "crafting_table", 1))
        if source == "dead_bush":
            return (("mine", "stick", 1),)
        if self.item == "stick":
            return ("mine", log, 1), ("craft", planks, 4), ("craft", "stick", 4)
        if self.item == "bowl":
            return ("mine", log, 2), ("craft", planks, 8), *table, ("craft", "bowl", 4)
        return ("mine", log, 3), ("craft", planks, 12), *table, ("craft", self.item, 3)


TRIALS: Final = (
    *(Trial("bowl", "forest", wood) for wood in ("oak", "birch")),
    *(Trial("bowl", "birch_forest", wood) for wood in ("oak", "spruce", "acacia")),
    *(Trial("bowl", "savanna", wood) for wood in ("acacia", "oak")),
    Trial("bowl", "savanna", "birch", "acacia"),
    *(Trial("bowl", "taiga", wood) for wood in ("birch", "spruce", "oak")),
    Trial("stick", "forest", "oak"),
    Trial("stick", "forest", "dead_bush", "oak"),
    *(Trial("stick", "desert", source) for source in ("dead_bush", "oak")),
    Trial("birch_door", "birch_forest", "birch"),
    Trial("oak_door", "forest", "oak"),
)
"""The trials, whose plans the training episodes of each round follow in this order."""
TASKS: Final = (
    ("BowlBirchForest", "bowl", "birch_forest"),
    ("BowlSavanna", "bowl", "savanna"),
    ("BowlTaiga", "bowl", "taiga"),
    ("StickDesert", "stick", "desert"),
    ("BowlDarkForest", "bowl", "dark_forest"),
    ("BowlMountains", "bowl", "mountains"),
    ("DoorTaiga", "spruce_door", "taiga"),
)
"""Id, item and biome of each validation task."""


class FixedPlan(RulesBackbone):
    """A backbone that answers with the first plan (after setbacks the last) and the rules' verdicts."""

    def __init__(self, plans: Sequence[Steps]) -> None:
        self._texts = {"plan": _told(plans[0]), "replan": _told(plans[-1])}

    def complete(self, requests: Sequence[Request]) -> list[Reply]:
        """Answer each request."""
        judged = super().complete(requests)
        return [
            Reply(self._texts[request.kind], 0.0, self.name)
            if request.kind in self._texts
            else reply
            for request, reply in zip(requests, judged, strict=True)
        ]


def _told(plan: Steps) -> str:
    """Return the text of a plan, as a language model would write the plan."""
    steps = (plan_step(*one) for one in plan)
    return json.dumps({f"step {number}": one for number, one in enumerate(steps, 1)})


def task_row(name: str, item: str, biome: str) -> dict[str, Any]:
    """Return the fields of a task of the suite "own"."""
    words = f"Craft a {item.replace('_', ' ')}"
    row = {"id": name, "item": item, "verb": "craft", "instruction": words}
    return {**row, "budget": BUDGET, "biomes": [biome]}


def remember(trial: Trial, seed: int, memory: Path) -> None:
    """Play a trial once and store the episode in the memory."""
    name = f"Trial{trial.item}{trial.biome}".replace("_", "")
    env = gym.make(
        "Optimus-v0",
        task=task_row(name, trial.item, trial.biome),
        backbone=FixedPlan(trial.plans),
        agent={
            "name": "optimus-1",
            "max_replans": len(trial.plans) - 1,
            "switches": {"knowledge": False},
        },
        memory=memory,
        learn=True,
    )
    env.reset(seed=seed)
    over = False
    while not over:
        _, _, terminated, truncated, _ = env.step(0)
        over = terminated or truncated
    env.close()


def filled(memory: Path, rounds: int) -> None:
    """Fill a memory with the training episodes, unless the memory exists."""
    if memory.exists():
        return
    write_knowledge(memory, full_graph())
    plays = [(trial, FIRST + number) for number in range(rounds) for trial in TRIALS]
    for trial, seed in counted(plays, "remembering", total=len(plays)):
        remember(trial, seed, memory)


def arms() -> dict[str, list[str]]:
    """Return the parts of the experience that agents use, by arm; the arm with all parts comes first."""
    parts = [part for part in EXPERIENCE_PARTS if part not in ("cases", "times")]
    without = {
        f"without {part}": [one for one in EXPERIENCE_PARTS if one != part] for part in parts
    }
    return {"whole": list(EXPERIENCE_PARTS), "none": [], **without}


def played(
    work: Path, name: str, knows: bool, parts: Sequence[str], asked: argparse.Namespace
) -> list[EpisodeRow]:
    """Return the rows of the validation episodes of an arm."""
    evaluation = Evaluation(
        suite="own",
        own_tasks={"tasks": [task_row(*one) for one in TASKS]},
        agent={
            "name": "optimus-1",
            "max_replans": REPLANS,
            "switches": {"knowledge": knows, "experience": list(parts) or False},
        },
        memory=work / "memory",
        episodes=asked.episodes,
        seed=asked.seeds,
    )
    folder = work / f"{'knowing' if knows else 'unaided'} {name}".replace(" ", "-")
    total = len(evaluation.tasks) * asked.episodes
    rows = evaluate(evaluation, folder, rows=8, pictures=Pictures(frames=False))
    return list(counted(rows, folder.name, total=total))


def report(name: str, pairs: Sequence[Pair]) -> None:
    """Print the differences between the results of an arm and those of the whole memory."""
    found = difference(name, pairs)
    low, high = (100 * end for end in found.interval)
    line = f"  {name:18} {100 * found.rates[1]:5.1f} %"
    line += f" {100 * found.rate:+6.1f} ({low:+.1f} to {high:+.1f})"
    for told in ("ticks", "replans"):
        values = [getattr(second, told) - getattr(first, told) for first, second in pairs]
        mean = np.mean([getattr(second, told) for _, second in pairs])
        low, high = mean_interval(np.array([values], np.float64))
        line += f"; {told} {mean:.2f} {np.mean(values):+.2f} ({low:+.2f} to {high:+.2f})"
    print(line)


def main(arguments: Sequence[str] | None = None) -> None:
    """Fill the memory, play the arms and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--episodes", type=int, default=40)
    parser.add_argument("--seeds", type=int, default=VALIDATION)
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--kinds", nargs="*", choices=KINDS, default=KINDS)
    parser.add_argument("--arms", nargs="*", choices=arms(), default=tuple(arms()))
    asked = parser.parse_args(arguments)
    filled(asked.work / "memory", asked.rounds)
    for kind in asked.kinds:
        rows: dict[str, list[EpisodeRow]] = {
            name: played(asked.work, name, kind == "knowing", parts, asked)
            for name, parts in arms().items()
            if name in asked.arms
        }
        print(kind)
        for task, _, _ in TASKS:
            print(f" {task}")
            for name, own in rows.items():
                pairs = pairs_of(rows["whole"], own)
                report(name, [pair for pair in pairs if pair[0].task == task])


if __name__ == "__main__":
    main()
