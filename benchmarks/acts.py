"""Successes of oracle and helper at each act, and of chance: python -m benchmarks.acts [--seeds 20].

Each row of the table is a sub-goal, played on generated land with creatures. A cell has the successes by
the world's truth (`envs.reaching`), the mean ticks of a success, and the deaths. The columns are the oracle,
the helper (for the helper's verbs), the random controller and the best constant action. The best constant
action has the most successes on the same seeds, which favours this action. Nothing was tuned on the table's
seeds, which are validation seeds.
"""

import argparse
from collections.abc import Mapping, Sequence
from typing import Any, Final

import gymnasium as gym
import numpy as np
from numpy.typing import NDArray

import optimus_gym  # noqa: F401
from optimus_gym.agents.unplanned import Unplanned
from optimus_gym.controllers.random import RandomController
from optimus_gym.controllers.verbs import HELPED
from optimus_gym.core.actions import (
    ATTACK,
    CONTROL_SIZES,
    FORWARD,
    JUMP,
    PITCH,
    SPRINT,
    USE,
    YAW,
    noop,
)
from optimus_gym.core.deliberation import Decision, Outcome
from optimus_gym.core.situation import Situation
from optimus_gym.core.types import VERBS, SubGoal

FIRST: Final = 93_000
"""First validation seed; no script of an act was tuned on the seeds from there on."""
LOGS: Final = ("oak_log", "birch_log", "spruce_log", "jungle_log", "acacia_log", "dark_oak_log")
PICKAXE: Final = {"stone_pickaxe": 1, "dirt": 6}
"""Inventory of rows that dig."""
DOWN: Final = ("fill ~-1 ~-24 ~-1 ~1 ~-22 ~1 air", "tp @s ~ ~-24 ~")
"""Commands that put the player into a chamber 24 blocks below its start."""
ACTS: Final[Sequence[tuple[str, SubGoal, Mapping[str, Any]]]] = (
    ("kill for leather", SubGoal("kill", "leather"), {"biome": "plains"}),
    ("fight a pig", SubGoal("fight", "pig"), {"biome": "plains"}),
    ("find a cow", SubGoal("find", "cow"), {"biome": "plains"}),
    ("find coal ore", SubGoal("find", "coal_ore"), {"inventory": PICKAXE}),
    ("move to a cow", SubGoal("move", "cow"), {"biome": "plains"}),
    ("move to a tree", SubGoal("move", "oak_log", accepts=LOGS), {}),
    ("dig down to y 40", SubGoal("dig_down", "height", 40), {"inventory": PICKAXE}),
    ("dig down to y 11", SubGoal("dig_down", "height", 11), {"inventory": PICKAXE}),
    ("dig up to the sky", SubGoal("dig_up", "sky"), {"inventory": PICKAXE, "commands": DOWN}),
    ("use shears on a sheep", SubGoal("use", "shears"),
     {"inventory": {"shears": 1}, "commands": ("summon sheep ~2 ~ ~",)}),
    ("use a bucket on a cow", SubGoal("use", "bucket"),
     {"inventory": {"bucket": 1}, "commands": ("summon cow ~2 ~ ~",)}),
    ("use a hoe on the ground", SubGoal("use", "stone_hoe"),
     {"inventory": {"stone_hoe": 1}, "biome": "plains"}),
)  # fmt: skip
"""Name, sub-goal and reset options of each row."""
KEYS: Final[Mapping[str, Mapping[int, int]]] = {
    "forward, jump, sprint": {FORWARD: 1, JUMP: 1, SPRINT: 1},
    "forward, jump, attack": {FORWARD: 1, JUMP: 1, ATTACK: 1},
    "attack, look down": {ATTACK: 1, PITCH: 10},
    "attack, jump, look up": {ATTACK: 1, JUMP: 1, PITCH: 0},
    "use, turn, look down": {USE: 1, YAW: 7, PITCH: 6},
    "turn, attack": {YAW: 7, ATTACK: 1},
    "turn, use": {YAW: 7, USE: 1},
    "turn, forward, jump": {YAW: 6, FORWARD: 1, JUMP: 1},
}
"""Constant actions: the entries of the action that differ from idling."""


class Pursuing(Unplanned):
    """Pursues one sub-goal in each row, and then gives up.

    Args:
        subgoal: the sub-goal.
    """

    name = "pursuing"

    def __init__(self, subgoal: SubGoal) -> None:
        super().__init__()
        self._subgoal = subgoal
        self.outcomes: dict[int, Outcome] = {}

    def decide(self, situations: Sequence[Situation]) -> list[Decision]:
        """Return the sub-goal; give up in rows where the sub-goal has ended."""
        return [
            Decision(None if situation.row in self.outcomes else self._subgoal)
            for situation in situations
        ]

    def ended(self, outcomes: Sequence[Outcome]) -> None:
        """Keep the outcomes by row."""
        self.outcomes.update((outcome.row, outcome) for outcome in outcomes)


class Everything(RandomController):
    """Presses random keys, or constant ones, for every verb.

    Args:
        constant: the entries of the constant action; None draws actions.
    """

    verbs = frozenset(VERBS)

    def __init__(self, constant: Mapping[int, int] | None = None) -> None:
        super().__init__()
        self._constant = constant

    def act(
        self, rows: Sequence[int], observations: Mapping[str, NDArray[Any]], mask: NDArray[np.bool_]
    ) -> tuple[NDArray[np.int32], list[Any]]:
        """Return the actions (int32[n, 15])."""
        actions, failures = super().act(rows, observations, mask)
        if self._constant is not None:
            actions = np.tile(noop(), (len(rows), 1))
            for place, value in self._constant.items():
                actions[:, place] = min(value, CONTROL_SIZES[place] - 1)
        return actions, failures


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=20)
    parser.add_argument("--first", type=int, default=FIRST)
    parser.add_argument("--limit", type=int, default=3_000)
    parser.add_argument("--only", default="")
    asked = parser.parse_args()
    seeds = range(asked.first, asked.first + asked.seeds)
    print("| sub-goal | oracle | helper | random | best constant action |")
    print("| --- | --- | --- | --- | --- |")
    for name, subgoal, start in ACTS:
        if asked.only not in name:
            continue

        def played(controller: Any) -> str:
            return rate(seeds, subgoal, start, controller, asked.limit)  # noqa: B023  used at once

        oracle = played("oracle")
        helper = played("random") if subgoal.verb in HELPED else ""
        chance = played(Everything())
        constant = {keys: played(Everything(entries)) for keys, entries in KEYS.items()}
        best = max(constant, key=lambda keys: int(constant[keys].split()[0]))
        print(f"| {name} | {oracle} | {helper} | {chance} | {constant[best]}: {best} |", flush=True)


def rate(
    seeds: Sequence[int], subgoal: SubGoal, start: Mapping[str, Any], controller: Any, limit: int
) -> str:
    """Return the successes, the mean ticks of a success and the deaths, as a cell of the table.

    All seeds are played side by side. The helper is played under the random controller, which leaves the
    helper's verbs to the helper.
    """
    agent = Pursuing(subgoal)
    envs = gym.make_vec(
        "Optimus-v0", len(seeds), task={"item": "bedrock", "success": "declared"}, agent=agent,
        controller=controller, subgoal_ticks=limit, ticks=limit + 1, resolution=(16, 12),
    )  # fmt: skip
    envs.reset(seed=list(seeds), options=dict(start))
    envs.step(np.zeros(len(seeds), np.int64))
    envs.close()
    ends = agent.outcomes.values()
    won = [end.ticks for end in ends if end.end == "reached"]
    died = sum(end.failure is not None and end.failure.reason == "died" for end in ends)
    told = f"{len(won)} of {len(seeds)}" + (f", {np.mean(won):,.0f} ticks" if won else "")
    return told + (f", {died} died" if died else "")


if __name__ == "__main__":
    main()
