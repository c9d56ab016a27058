"""Measure the self-check on plans mutated at random: `python -m benchmarks.self_check --work DIR`.

The rules plan tasks of all suites, some of them for many pieces, from drawn inventories and stations in
reach. Five of six plans then get one drawn mutation. The second interpreter (`benchmarks.reference.plans`)
says which plans reach their goals. The command prints which share of the broken plans the self-check catches,
and which share of the sound ones it refuses. With `--voxel` the oracle and the helper also play that many
plans for wooden and stone things in the embedded world. All disagreements lie in DIR. The same command
resumes an interrupted run.
"""

import argparse
import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any, Final

import gymnasium as gym
import numpy as np

import optimus_gym  # noqa: F401
from benchmarks.reference.plans import Player, Step
from optimus_gym.agents.optimus1.planner import KnowingPlanner
from optimus_gym.agents.unplanned import Unplanned
from optimus_gym.backbones.rules import RulesBackbone
from optimus_gym.core.deliberation import Decision, Outcome
from optimus_gym.core.intervals import wilson
from optimus_gym.core.rng import generator
from optimus_gym.core.situation import Situation
from optimus_gym.core.task import Task
from optimus_gym.core.types import ONCE, VERBS, SubGoal
from optimus_gym.game.items import items
from optimus_gym.game.sources import CRAFTING_TABLE, FURNACE
from optimus_gym.game.tasks import SUITES, tasks
from optimus_gym.knowledge.knowledge_graph import full_graph
from optimus_gym.minds.eyes import NoEyes
from optimus_gym.minds.planning import Ask
from optimus_gym.minds.recall import Lessons
from optimus_gym.minds.self_check import faults_of, judging_by
from optimus_gym.terminal.bars import counted
from optimus_gym.testing.situations import situation

SEED: Final = 87_000
"""Seed of the drawn plans, and of the first embedded world."""
SOUND: Final = "none"
OTHER: Final[Mapping[str, str]] = {CRAFTING_TABLE: FURNACE, FURNACE: CRAFTING_TABLE}
"""The wrong station in the place of each station."""
STRANGE: Final = ("copper_ingot", "oak_plank", "wood", "ruby", "wooden_stick", "steel_pickaxe")
"""Names that no item of the game has."""
EMPTY_HANDED: Final = 0.4
"""Share of the plans that begin with an empty inventory."""
MOST_HELD: Final = 4
"""Maximum number of different items in a drawn inventory."""
SURPLUS: Final = 3
"""Maximum number of pieces that a drawn inventory holds beyond the needed ones."""
MANY: Final = 12
"""Maximum factor on the pieces of a task, so that tools wear out and fuel runs out."""
NEAR: Final = 0.2
"""Probability of each station in reach at the beginning."""
EARLY: Final = ("wood", "stone")
"""Groups of `optimus-67` whose plans the embedded world tries."""
LIMIT: Final = 2_400
"""Maximum ticks of a sub-goal in the embedded world."""


@dataclass(frozen=True, slots=True)
class Case:
    """A plan, perhaps mutated.

    Attributes:
        number: the case's number.
        task: id of the task.
        goal: the sub-goal that reaches the task.
        held: the inventory at the beginning.
        near: the stations in reach at the beginning.
        plan: the plan.
        mutation: the kind of mutation; "none" without one.
    """

    number: int
    task: str
    goal: SubGoal
    held: Mapping[str, int]
    near: tuple[str, ...]
    plan: tuple[SubGoal, ...]
    mutation: str

    def truth(self) -> bool:
        """Return whether the plan reaches the goal, by the second interpreter."""
        steps = [Step(one.verb, one.kinds, one.count) for one in self.plan]
        goal = Step(self.goal.verb, self.goal.kinds, self.goal.count)
        return Player(self.held, self.near).reaches(goal, steps)

    def accepted(self) -> tuple[bool, str]:
        """Return whether the self-check accepts the plan, and its words."""
        here = situation(self.goal, self.held, stations=self.near)
        faults, missed = faults_of(self.plan, here, judging_by(full_graph()))
        told = [*map(str, faults), *([missed] if missed is not None else [])]
        return not told, "; ".join(told)

    def told(self) -> dict[str, Any]:
        """Return the case as JSON values."""
        plan = [str(one) for one in self.plan]
        return {**asdict(self), "goal": str(self.goal), "held": dict(self.held), "plan": plan}


@cache
def goals(groups: tuple[str, ...] = ()) -> tuple[Task, ...]:
    """Return a task for each item to hold, of all suites or of some groups of `optimus-67`."""
    chosen = [task for suite in SUITES for task in tasks(suite).values()]
    if groups:
        chosen = [task for task in tasks("optimus-67").values() if task.group in groups]
    kept = (task for task in chosen if task.goal.verb != "find")
    return tuple({(task.goal.kinds, task.goal.count): task for task in kept}.values())


@cache
def planned(
    goal: SubGoal, held: tuple[tuple[str, int], ...] = (), near: tuple[str, ...] = ()
) -> tuple[SubGoal, ...]:
    """Return the plan of the rules for a goal, from an inventory and stations in reach."""
    planner = KnowingPlanner(RulesBackbone(), full_graph(), VERBS, checks=False)
    here = situation(goal, dict(held), stations=near)
    seen = NoEyes().look([here])
    (plan,) = planner.plan([Ask(here, None)], seen, [Lessons()])
    return plan.subgoals


def drawn(number: int, groups: tuple[str, ...] = ()) -> Case:
    """Return a case; equal numbers give equal cases.

    Args:
        number: the case's number.
        groups: groups of `optimus-67` for plans that the embedded world can try, without stations in reach.
    """
    chance = generator(SEED, f"plan {number} {groups}")
    known = goals(groups)
    plan: tuple[SubGoal, ...] = ()
    while not plan:
        task = known[chance.integers(len(known))]
        goal, near = task.goal, ()
        if not groups:
            factor = int(chance.integers(1, MANY + 1)) if chance.random() < 1 / 2 else 1
            goal = replace(goal, count=goal.count if goal.verb in ONCE else goal.count * factor)
            near = tuple(name for name in OTHER if chance.random() < NEAR)
        held = {} if chance.random() < EMPTY_HANDED else some_of(planned(goal), chance)
        plan = planned(goal, tuple(sorted(held.items())), near)
    kinds = tuple(MUTATIONS)
    wanted = kinds[chance.integers(len(kinds))]
    mutated = MUTATIONS[wanted](plan, chance)
    mutation = SOUND if mutated is None or mutated == plan else wanted
    return Case(number, task.id, goal, held, near, mutated or plan, mutation)


def some_of(plan: Sequence[SubGoal], chance: np.random.Generator) -> dict[str, int]:
    """Return an inventory of some items that a plan gets, fewer or more pieces than the plan gets."""
    getting = [one for one in plan[:-1] if one.verb not in ("equip", "place")]
    if not getting:
        return {}
    count = int(chance.integers(1, MOST_HELD + 1))
    chosen = [getting[k] for k in chance.integers(len(getting), size=count)]
    return {one.item: int(chance.integers(1, one.count + SURPLUS + 1)) for one in chosen}


def removed(plan: Sequence[SubGoal], chance: np.random.Generator) -> tuple[SubGoal, ...] | None:
    """Leave out a step."""
    place = int(chance.integers(len(plan)))
    return None if len(plan) == 1 else (*plan[:place], *plan[place + 1 :])


def lowered(plan: Sequence[SubGoal], chance: np.random.Generator) -> tuple[SubGoal, ...] | None:
    """Lower a step's count."""
    places = [k for k, one in enumerate(plan) if one.count > 1]
    if not places:
        return None
    place = places[chance.integers(len(places))]
    fewer = replace(plan[place], count=int(chance.integers(1, plan[place].count)))
    return (*plan[:place], fewer, *plan[place + 1 :])


def swapped(plan: Sequence[SubGoal], chance: np.random.Generator) -> tuple[SubGoal, ...] | None:
    """Swap two steps."""
    if len(plan) == 1:
        return None
    first, second = chance.choice(len(plan), 2, replace=False).tolist()
    mixed = list(plan)
    mixed[first], mixed[second] = mixed[second], mixed[first]
    return tuple(mixed)


def misplaced(plan: Sequence[SubGoal], chance: np.random.Generator) -> tuple[SubGoal, ...] | None:
    """Place the crafting table in the furnace's place, or the furnace in the table's."""
    places = [k for k, one in enumerate(plan) if one.verb == "place" and one.item in OTHER]
    if not places:
        return None
    place = places[chance.integers(len(places))]
    wrong = SubGoal("place", OTHER[plan[place].item])
    return (*plan[:place], wrong, *plan[place + 1 :])


def renamed(plan: Sequence[SubGoal], chance: np.random.Generator) -> tuple[SubGoal, ...] | None:
    """Name an item that the game lacks."""
    place = int(chance.integers(len(plan)))
    name = STRANGE[chance.integers(len(STRANGE))]
    return (*plan[:place], replace(plan[place], item=name, accepts=()), *plan[place + 1 :])


Mutation = Callable[[Sequence[SubGoal], np.random.Generator], tuple[SubGoal, ...] | None]
MUTATIONS: Final[Mapping[str, Mutation]] = {
    SOUND: lambda plan, chance: None,
    "step removed": removed,
    "count lowered": lowered,
    "order swapped": swapped,
    "wrong station": misplaced,
    "unknown item": renamed,
}
"""The mutations; None if a plan does not allow the mutation."""


class FollowsPlan(Unplanned):
    """Carries out the sub-goals of a plan, and gives up at the first one that is not reached."""

    name = "follows-plan"

    def __init__(self, plan: Sequence[SubGoal]) -> None:
        super().__init__()
        self._left = list(plan)
        self.failure = ""

    def decide(self, situations: Sequence[Situation]) -> list[Decision]:
        """Return the next sub-goal of the only row."""
        (_,) = situations
        if self._left and self._left[0].item not in items():
            self.failure = f"{self._left[0]}: the game has no such item"
        over = self.failure or not self._left
        return [Decision(None if over else self._left.pop(0), self.failure or "the plan is over")]

    def ended(self, outcomes: Sequence[Outcome]) -> None:
        """Read how the sub-goal ended."""
        for outcome in outcomes:
            if outcome.end != "reached":
                self.failure = f"{outcome.subgoal}: {outcome.failure or outcome.end}"


def played(case: Case) -> tuple[bool, str]:
    """Return whether oracle and helper reach the goal by a plan in the embedded world, and the failure."""
    agent = FollowsPlan(case.plan)
    env = gym.make(
        "Optimus-v0", task=case.task, agent=agent, controller="oracle", protocol="jarvis-1-paper",
        subgoal_ticks=LIMIT, resolution=(16, 12), disable_env_checker=True,
    )  # fmt: skip
    _, info = env.reset(seed=SEED + case.number, options={"inventory": dict(case.held)})
    over = info["status"] != "running"
    while not over:
        _, _, terminated, truncated, info = env.step(0)
        over = terminated or truncated
    env.close()
    return bool(info["is_success"]), agent.failure or str(info["status"])


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the figures and write the disagreements."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--work", type=Path, required=True, help="folder of the disagreements")
    parser.add_argument("--plans", type=int, default=5_000, help="plans that are tried")
    parser.add_argument("--voxel", type=int, default=0, help="plans in the embedded world")
    asked = parser.parse_args(arguments)
    asked.work.mkdir(parents=True, exist_ok=True)
    if asked.plans:
        judged = list(judge(counted(map(drawn, range(asked.plans)), "plans", asked.plans)))
        report(judged, asked.work)
    if asked.voxel:
        compare(asked.voxel, asked.work)


def judge(cases: Iterator[Case]) -> Iterator[tuple[Case, bool, bool, str]]:
    """Yield for each case whether the plan is sound, whether the self-check accepts it, and its words."""
    for case in cases:
        accepted, words = case.accepted()
        yield case, case.truth(), accepted, words


def report(judged: Sequence[tuple[Case, bool, bool, str]], work: Path) -> None:
    """Print the shares by mutation, and write the cases in which self-check and interpreter disagree."""
    print(
        "| mutation | plans | broken | caught | sound | refused |\n| --- | --- | --- | --- | --- | --- |"
    )
    for kind in (*MUTATIONS, "all"):
        own = [one for one in judged if kind in ("all", one[0].mutation)]
        broken = [accepted for _, sound, accepted, _ in own if not sound]
        fine = [accepted for _, sound, accepted, _ in own if sound]
        caught, refused = share(broken, False), share(fine, False)
        print(f"| {kind} | {len(own):,} | {len(broken):,} | {caught} | {len(fine):,} | {refused} |")
    odd = [(case, words) for case, sound, accepted, words in judged if sound != accepted]
    lines = [json.dumps({**case.told(), "self-check": words}) for case, words in odd]
    (work / "disagreements.jsonl").write_text("".join(f"{line}\n" for line in lines), "utf-8")


def share(values: Sequence[bool], wanted: bool) -> str:
    """Return how many values are as wanted, in per cent with an interval."""
    if not values:
        return ""
    hits = sum(value is wanted for value in values)
    low, high = wilson(hits, len(values))
    return f"{hits / len(values):.2%} ({low:.2%} to {high:.2%})"


def compare(count: int, work: Path) -> None:
    """Play plans in the embedded world, and print how often its truth differs from the interpreter's."""
    path = work / "voxel.jsonl"
    lines = path.read_text("utf-8").splitlines() if path.exists() else []
    done = {row["number"]: row for row in map(json.loads, lines)}
    with path.open("a", encoding="utf-8") as out:
        for number in counted(range(count), "embedded world"):
            if number not in done:
                case = drawn(number, EARLY)
                reached, words = played(case)
                accepted, told = case.accepted()
                done[number] = {
                    **case.told(), "interpreter": case.truth(), "world": reached, "failure": words,
                    "accepted": accepted, "self-check": told,
                }  # fmt: skip
                out.write(json.dumps(done[number]) + "\n")
                out.flush()
    rows = [done[number] for number in range(count)]
    seen = Counter((row["interpreter"], row["world"]) for row in rows)
    print(f"sound by both {seen[True, True]}, broken by both {seen[False, False]}, sound by the ")
    print(f"interpreter alone {seen[True, False]}, by the embedded world alone {seen[False, True]}")
    for truth in ("interpreter", "world"):
        broken = share([row["accepted"] for row in rows if not row[truth]], False)
        sound = share([row["accepted"] for row in rows if row[truth]], False)
        print(f"by the {truth}: caught {broken}, refused {sound}")


if __name__ == "__main__":
    main()
