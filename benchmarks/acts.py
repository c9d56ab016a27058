"""Successes of oracle and helper at each act, and of chance: python -m benchmarks.acts [--seeds 20].

Each row of the table is a sub-goal, played on generated land with creatures. A cell has the successes by
the world's truth (`envs.reaching`) and the mean ticks of a success. The columns are the oracle, the helper
(for the helper's verbs), the random controller and the best constant action. The best constant action has the
most successes on the same seeds, which favours this action. Nothing was tuned on the table's seeds, which are
validation seeds.
"""

import argparse
from collections.abc import Mapping, Sequence
from typing import Any, Final

import gymnasium as gym
import numpy as np
from numpy.typing import NDArray

import optimus_gym  # noqa: F401
from optimus_gym.agents.unplanned import Unplanned
from optimus_gym.controllers.helper.helper import HelperController
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
from optimus_gym.terminal.bars import counted

FIRST: Final = 93_000
"""First validation seed; no script of an act was tuned on the seeds from there on."""
LOGS: Final = ("oak_log", "birch_log", "spruce_log", "jungle_log", "acacia_log", "dark_oak_log")
PICKAXE: Final = {"stone_pickaxe": 1, "dirt": 6}
DIG: Final = SubGoal("dig_down", "height", 40)
ACTS: Final[Sequence[tuple[str, SubGoal, Mapping[str, Any]]]] = (
    ("kill a cow for leather", SubGoal("kill", "leather"), {"biome": "plains"}),
    ("kill for beef", SubGoal("kill", "beef"), {"biome": "plains"}),
    ("fight a pig", SubGoal("fight", "pig"), {"biome": "plains"}),
    ("find a cow", SubGoal("find", "cow"), {"biome": "plains"}),
    ("find a tree", SubGoal("find", "oak_log", accepts=LOGS), {}),
    ("find water", SubGoal("find", "water"), {}),
    ("find coal ore", SubGoal("find", "coal_ore"), {"inventory": PICKAXE}),
    ("move to a cow", SubGoal("move", "cow"), {"biome": "plains"}),
    ("move to a tree", SubGoal("move", "oak_log", accepts=LOGS), {}),
    ("dig down to y 40", DIG, {"inventory": PICKAXE}),
    ("dig down to y 11", SubGoal("dig_down", "height", 11), {"inventory": PICKAXE}),
    ("dig up to the sky", SubGoal("dig_up", "sky"), {"inventory": PICKAXE}),
    ("shear a sheep", SubGoal("use", "shears"), {"inventory": {"shears": 1}, "summon": "sheep"}),
    ("use a bucket on a cow", SubGoal("use", "bucket"), {"inventory": {"bucket": 1}, "summon": "cow"}),
    ("till the ground", SubGoal("use", "stone_hoe"), {"inventory": {"stone_hoe": 1}, "biome": "plains"}),
)  # fmt: skip
"""Name, sub-goal and start of each row. A command summons the creature "summon" two blocks away. The row of
"dig up" begins in a shaft that the oracle has dug."""
KEYS: Final[Mapping[str, Mapping[int, int]]] = {
    "forward": {FORWARD: 1},
    "forward, jump, sprint": {FORWARD: 1, JUMP: 1, SPRINT: 1},
    "forward, attack": {FORWARD: 1, ATTACK: 1},
    "forward, jump, attack": {FORWARD: 1, JUMP: 1, ATTACK: 1},
    "attack": {ATTACK: 1},
    "attack, look down": {ATTACK: 1, PITCH: 10},
    "jump, use, look down": {JUMP: 1, USE: 1, PITCH: 10},
    "use": {USE: 1},
    "use, look down": {USE: 1, PITCH: 6},
    "turn": {YAW: 7},
    "turn, attack": {YAW: 7, ATTACK: 1},
    "turn, use": {YAW: 7, USE: 1},
    "turn, forward, jump": {YAW: 6, FORWARD: 1, JUMP: 1},
}
"""Constant actions: the entries of the action that differ from idling."""


class Pursuing(Unplanned):
    """Pursues given sub-goals in order, and then gives up.

    Args:
        subgoals: the sub-goals.
    """

    name = "pursuing"

    def __init__(self, subgoals: Sequence[SubGoal]) -> None:
        super().__init__()
        self._left = list(subgoals)
        self.outcomes: list[Outcome] = []

    def decide(self, situations: Sequence[Situation]) -> list[Decision]:
        """Return the next sub-goal, or give up."""
        return [Decision(self._left.pop(0) if self._left else None) for _ in situations]

    def ended(self, outcomes: Sequence[Outcome]) -> None:
        """Keep the outcomes."""
        self.outcomes += outcomes


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
        oracle = rate(seeds, subgoal, start, "oracle", asked.limit)
        helped = subgoal.verb in HELPED
        helper = rate(seeds, subgoal, start, HelperController, asked.limit) if helped else ""
        chance = rate(seeds, subgoal, start, Everything, asked.limit)
        constant = {
            keys: rate(seeds, subgoal, start, lambda c=entries: Everything(c), asked.limit)
            for keys, entries in KEYS.items()
        }
        best = max(constant, key=lambda keys: int(constant[keys].split()[0]))
        print(f"| {name} | {oracle} | {helper} | {chance} | {constant[best]}: {best} |", flush=True)


def rate(
    seeds: Sequence[int], subgoal: SubGoal, start: Mapping[str, Any], controller: Any, limit: int
) -> str:
    """Return the successes, and the mean ticks of a success, as a cell of the table."""
    name = controller if isinstance(controller, str) else "keys"
    ends = [
        play(
            seed, subgoal, start, controller if isinstance(controller, str) else controller(), limit
        )
        for seed in counted(iter(seeds), f"{subgoal}, {name}", total=len(seeds))
    ]
    won = [end.ticks for end in ends if end is not None and end.end == "reached"]
    return f"{len(won)} of {len(ends)}" + (f", {np.mean(won):,.0f} ticks" if won else "")


def play(
    seed: int, subgoal: SubGoal, start: Mapping[str, Any], controller: Any, limit: int
) -> Outcome | None:
    """Return how a sub-goal ended; None if the episode ended before."""
    first = [DIG] if subgoal.verb == "dig_up" else []
    agent = Pursuing([subgoal])
    options = {name: value for name, value in start.items() if name != "summon"}
    if "summon" in start:
        options["commands"] = (f"summon {start['summon']} ~2 ~ ~",)
    env = gym.make(
        "Optimus-v0", task={"item": "bedrock", "success": "declared"}, agent=agent,
        controller=controller, subgoal_ticks=limit, resolution=(16, 12),
    )  # fmt: skip
    env.reset(seed=seed, options={**options, **_shaft(seed, options, first)})
    env.step(0)
    env.close()
    return agent.outcomes[0] if agent.outcomes else None


def _shaft(seed: int, options: Mapping[str, Any], first: Sequence[SubGoal]) -> dict[str, Any]:
    """Return the reset options that begin at the bottom of a shaft; empty without a sub-goal that digs it."""
    if not first:
        return {}
    env = gym.make(
        "Optimus-v0", task={"item": "bedrock", "success": "declared"}, agent=Pursuing(first),
        controller="oracle", resolution=(16, 12),
    )  # fmt: skip
    env.reset(seed=seed, options=dict(options))
    env.step(0)
    snapshot = env.unwrapped.snapshot()  # type: ignore[attr-defined]
    env.close()
    return {"snapshot": snapshot, **dict.fromkeys(options)}


if __name__ == "__main__":
    main()
