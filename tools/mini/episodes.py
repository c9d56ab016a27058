"""Clips of sub-goals that the scripted controller carries out: a frame a second, and the last frame."""

from collections.abc import Collection, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Final

import gymnasium as gym
import numpy as np
from numpy.typing import NDArray

import optimus_gym  # noqa: F401  registers the environments
from optimus_gym.agents.optimus1.agent import Optimus1
from optimus_gym.core.deliberation import Decision, Outcome, Verdict
from optimus_gym.core.situation import Situation
from optimus_gym.core.types import SubGoal
from optimus_gym.envs.feasibility import Impossible
from optimus_gym.game.tasks import tasks
from optimus_gym.memory.buffers import PERIOD
from optimus_gym.run.episode import FOLLOW_PLAN
from tools.mini.gather import Lot
from tools.mini.shards import write_shard

EPISODES_A_SHARD: Final = 25
SUITES: Final = ("optimus-67", "jarvis-190")
UNRELIABLE_EVERY: Final = 3
"""The unreliable controller plays every third episode, so that clips show failures and recover sub-goals."""
LONGEST: Final = 64
"""Maximum number of frames of a sub-goal in memory; beyond it, every second frame is dropped."""


class Filming(Optimus1):
    """Optimus-1 that stores, for one row, the frames of each sub-goal.

    Args:
        longest: most frames of a sub-goal in memory; beyond it, every second frame is dropped.
    """

    period = PERIOD

    def __init__(self, longest: int = LONGEST) -> None:
        super().__init__()
        self._longest = longest
        self.clips: list[tuple[SubGoal, Outcome, list[NDArray[np.uint8]]]] = []
        self._seen: list[NDArray[np.uint8]] = []

    def decide(self, situations: Sequence[Situation]) -> list[Decision]:
        """Begin a clip for the next sub-goal."""
        self._seen = [_seen(situations[0])]
        return super().decide(situations)

    def watch(self, situations: Sequence[Situation]) -> list[Verdict]:
        """Add a frame to the clip."""
        self._seen.append(_seen(situations[0]))
        if len(self._seen) > self._longest:
            self._seen = self._seen[::2]
        return super().watch(situations)

    def ended(self, outcomes: Sequence[Outcome]) -> None:
        """Add the last frame and store the clip."""
        (outcome,) = outcomes
        if outcome.pov is not None:
            self._seen.append(outcome.pov.look())
        self.clips.append((outcome.subgoal, outcome, self._seen))
        super().ended(outcomes)


def _seen(situation: Situation) -> NDArray[np.uint8]:
    assert situation.pov is not None, "the world has pictures"
    return situation.pov.look()


def thinned(frames: Sequence[Any], most: int) -> list[Any]:
    """Return at most `most` of some frames, evenly spaced, with the first and the last."""
    if len(frames) <= most:
        return list(frames)
    return [frames[k] for k in np.linspace(0, len(frames) - 1, most).round().astype(int)]


def gather_clips(folder: Path, number: int, lot: Lot) -> None:
    """Write one shard of clips: play the episodes and store the frames of their sub-goals."""
    frames: list[NDArray[np.uint8]] = []
    rows: list[dict[str, Any]] = []
    for k in range(EPISODES_A_SHARD):
        place = number * EPISODES_A_SHARD + k
        controller = "oracle" if place % UNRELIABLE_EVERY else "unreliable"
        for subgoal, outcome, seen in played(lot.first + place, controller=controller):
            kept = thinned(seen, lot.frames)
            rows.append(
                {
                    "episode": place,
                    "text": subgoal.text,
                    "verb": subgoal.verb,
                    "item": subgoal.item,
                    "kinds": len(subgoal.kinds),
                    "count": subgoal.count,
                    "creature": subgoal.creature,
                    "end": outcome.end,
                    "ticks": outcome.ticks,
                    "frames": list(range(len(frames), len(frames) + len(kept))),
                }
            )
            frames += kept
    write_shard(folder, frames, rows)


@cache
def _tasks() -> tuple[str, ...]:
    """Return the environments of all feasible tasks of `SUITES`."""
    made: list[str] = []
    for suite in SUITES:
        faults: Collection[str] = ()
        try:
            gym.make("Optimus-v0", suite=suite, disable_env_checker=True).close()
        except Impossible as error:
            faults = error.faults
        made += [f"Optimus-{name}-v0" for name in tasks(suite) if name not in faults]
    return tuple(made)


def played(
    seed: int, longest: int = LONGEST, controller: Any = "oracle"
) -> list[tuple[SubGoal, Outcome, list[NDArray[np.uint8]]]]:
    """Play an episode of the task that the seed selects, and return its clips."""
    agent = Filming(longest)
    name = _tasks()[int(np.random.default_rng([seed, 2]).integers(len(_tasks())))]
    env = gym.make(name, agent=agent, controller=controller, disable_env_checker=True)
    _, info = env.reset(seed=seed)
    over = bool(info["is_success"])
    while not over:
        _, _, terminated, truncated, _ = env.step(FOLLOW_PLAN)
        over = terminated or truncated
    env.close()
    return agent.clips
