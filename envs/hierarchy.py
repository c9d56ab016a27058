"""Planner, controller and helper over the runtime: plans, begins sub-goals, ends them, replans."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from optimus_gym.core.registry import load
from optimus_gym.core.types import Failure, SubGoal
from optimus_gym.envs.config import EnvConfig, carries_out_subgoals
from optimus_gym.envs.episode import Episode, Pursuit
from optimus_gym.envs.executors import Executors, Observe
from optimus_gym.envs.rewards import subgoal_progress
from optimus_gym.envs.runtime import Runtime
from optimus_gym.game.equipment import is_equipped
from optimus_gym.game.items import items
from optimus_gym.memory.abilities import graph_of

REACHED = "reached"
SEEN_BY_EVENT = {"place": "used", "find": "found"}
"""Verbs whose end nothing but an event of the world tells, and its kind."""


class Hierarchy:
    """Says which sub-goal is carried out, when it ends and what follows.

    Args:
        config: the environment's arguments.
        runtime: its worlds and episodes.
        observe: gives a row's observation, for a controller that wants it.

    Attributes:
        executors: who carries out sub-goals tick by tick; None where the world does so itself.
        graph: what world, protocol and executors can do: nothing else is planned.
    """

    def __init__(self, config: EnvConfig, runtime: Runtime, observe: Observe) -> None:
        self.runtime = runtime
        self.config = config
        self.executors = (
            None if carries_out_subgoals(config.world) else Executors(config, runtime, observe)
        )
        verbs = None if self.executors is None else self.executors.known_verbs
        self.graph = graph_of(config.world, config.protocol, verbs)
        self.agent = load("agent", config.agent)(backbone=config.backbone, memory=self.graph)

    def begin(self, row: int, seed: int) -> None:
        """Make the first plan of an episode that the runtime has begun."""
        if self.executors is not None:
            self.executors.reset(row, seed)
        episode = self.runtime.episode(row)
        if episode.over:
            return
        episode.plan = self.agent.planner.plan(episode.goal, self.runtime.world.view(row))
        if not episode.plan.subgoals:
            self._fail_plan(episode, "; ".join(episode.plan.problems) or "the plan is empty")

    def pursue(self, row: int, subgoal: SubGoal | None = None) -> None:
        """Begin the plan's next sub-goal, or `subgoal` instead of it."""
        episode = self.runtime.episode(row)
        planned = subgoal is None
        chosen = episode.remaining[0] if subgoal is None else subgoal
        episode.pursuit = Pursuit(chosen, planned, _held(episode, chosen))
        episode.pursued = str(chosen)
        episode.outcome, episode.failure = "", None
        if self.executors is not None:
            self.executors.begin(row, chosen)

    def carry_out(self, row: int) -> None:
        """Let the world carry out the row's sub-goal as a whole; its last tick has the reward."""
        episode = self.runtime.episode(row)
        pursuit = episode.pursuit
        assert pursuit is not None, "a sub-goal is being carried out"
        before = episode.ticks
        failure = self.runtime.carry_out(row, pursuit.subgoal, self.config.subgoal_ticks)
        pursuit.ticks = episode.ticks - before
        episode.tick_rewards += [0.0] * (pursuit.ticks - 1)
        self._conclude(row, failure)

    def advance(
        self,
        rows: Sequence[int],
        actions: NDArray[np.int32],
        failures: Sequence[Failure | None],
    ) -> None:
        """Tick `rows`, credit their sub-goals' progress and end those that are over."""
        live = [k for k, failure in enumerate(failures) if failure is None]
        for k, failure in enumerate(failures):
            if failure is not None:
                self._failed(rows[k], failure)
        if not live:
            return
        chosen = [rows[k] for k in live]
        self.runtime.tick(np.array(chosen, np.int64), actions[live])
        for row in chosen:
            pursuit = self.runtime.episode(row).pursuit
            assert pursuit is not None, "a sub-goal is being carried out"
            pursuit.ticks += 1
            self._conclude(row, None)

    def _conclude(self, row: int, failure: Failure | None) -> None:
        """Credit what the latest ticks brought, and end the sub-goal if it is over."""
        episode = self.runtime.episode(row)
        pursuit = episode.pursuit
        assert pursuit is not None, "a sub-goal is being carried out"
        reached = self._reached(row, episode, pursuit)
        episode.tick_rewards.append(subgoal_progress(pursuit, reached))
        if reached >= 1:
            self._succeeded(row)
        elif episode.over:
            episode.pursuit, episode.outcome = None, episode.status
        elif any(event.kind == "died" for event in self.runtime.world.events(row)):
            self._failed(row, Failure("died"))
        elif failure is not None:
            self._failed(row, failure)
        elif pursuit.ticks >= self.config.subgoal_ticks:
            self._failed(row, Failure("timeout", pursuit.subgoal.item, pursuit.subgoal.count))

    def _reached(self, row: int, episode: Episode, pursuit: Pursuit) -> float:
        """Return the share of the sub-goal that is reached, 0 to 1."""
        subgoal = pursuit.subgoal
        if subgoal.verb == "equip":
            worn = self.runtime.world.equipment(row).tolist()
            return float(any(is_equipped(name, worn) for name in subgoal.kinds))
        if subgoal.verb in SEEN_BY_EVENT:
            pursuit.seen |= any(
                event.kind == SEEN_BY_EVENT[subgoal.verb] and event.subject in subgoal.kinds
                for event in self.runtime.world.events(row)
            )
            return float(pursuit.seen)
        gained = _held(episode, subgoal) - pursuit.held
        return min(max(gained / subgoal.count, 0.0), 1.0)

    def _succeeded(self, row: int) -> None:
        episode = self.runtime.episode(row)
        pursuit = episode.pursuit
        assert pursuit is not None, "a sub-goal is being carried out"
        episode.pursuit, episode.outcome = None, REACHED
        if episode.over:
            return
        if not pursuit.planned:
            self._plan_anew(row, episode)
            return
        episode.position += 1
        if not episode.remaining:
            self._replan(row, pursuit.subgoal, Failure("missing_item", episode.goal.item, 1))

    def _failed(self, row: int, failure: Failure) -> None:
        episode = self.runtime.episode(row)
        pursuit = episode.pursuit
        assert pursuit is not None, "a sub-goal is being carried out"
        episode.pursuit, episode.outcome, episode.failure = None, str(failure), failure
        if not pursuit.planned:
            self._plan_anew(row, episode)
            return
        self._replan(row, pursuit.subgoal, failure)

    def _plan_anew(self, row: int, episode: Episode) -> None:
        """Plan after a chosen skill; choosing is no failure and is not counted."""
        episode.plan = self.agent.planner.plan(episode.goal, self.runtime.world.view(row))
        episode.position = 0

    def _replan(self, row: int, failed: SubGoal, why: Failure) -> None:
        episode = self.runtime.episode(row)
        if episode.replans >= self.config.max_replans:
            self._fail_plan(episode, str(why))
            return
        episode.replans += 1
        view = self.runtime.world.view(row)
        episode.plan = self.agent.planner.replan(episode.goal, view, failed, why)
        episode.position = 0
        if not episode.plan.subgoals:
            self._fail_plan(episode, str(why))

    @staticmethod
    def _fail_plan(episode: Episode, why: str) -> None:
        episode.outcome = why
        if not episode.over:
            episode.status = "replans_spent"


def _held(episode: Episode, subgoal: SubGoal) -> int:
    table = items()
    return sum(int(episode.counts[table[name].id]) for name in subgoal.kinds if name in table)
