"""Planner, controller and helper over the runtime: plans, begins sub-goals, ends them, replans."""

from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from typing import Any

import numpy as np
from numpy.typing import NDArray

from optimus_gym.core.actions import no_action
from optimus_gym.core.protocols import Controller
from optimus_gym.core.registry import load
from optimus_gym.core.types import Failure, SubGoal
from optimus_gym.envs.config import EnvConfig
from optimus_gym.envs.episode import Episode, Pursuit
from optimus_gym.envs.rewards import subgoal_progress
from optimus_gym.envs.runtime import Runtime
from optimus_gym.game.items import items
from optimus_gym.memory.knowledge_graph import graph_of

Observe = Callable[[int], Mapping[str, NDArray[Any]]]

REACHED = "reached"


class Hierarchy:
    """Turns sub-goals into ticks: who acts, when a sub-goal ends, what follows."""

    def __init__(self, config: EnvConfig, runtime: Runtime, observe: Observe) -> None:
        self.runtime = runtime
        self.config = config
        self.agent = load("agent", config.agent)(
            backbone=config.backbone, memory=graph_of(config.world)
        )
        self.controller = _controller(config)
        self.helper: Controller = load("helper", "functional")()
        self._observe = observe
        self._attached = False

    def begin(self, row: int, seed: int) -> None:
        """Make the first plan of an episode that the runtime has begun."""
        if not self._attached:
            self._attach()
        self.controller.reset(row, seed)
        self.helper.reset(row, seed)
        episode = self.runtime.episode(row)
        if episode.over:
            return
        episode.plan = self.agent.planner.plan(episode.goal, self.runtime.world.view(row))
        if not episode.plan.subgoals:
            self._fail_plan(episode, "; ".join(episode.plan.problems) or "the plan is empty")

    def _attach(self) -> None:
        world = self.runtime.world
        if self.config.world == "voxel":
            from optimus_gym.controllers.warmup import compile_controllers

            compile_controllers()
        self.controller.attach(world)
        self.helper.attach(world)
        self._attached = True

    def controls(self, row: int) -> bool:
        """Tell whether the row's sub-goal is the controller's (else the helper carries it out)."""
        pursuit = self.runtime.episode(row).pursuit
        return pursuit is not None and pursuit.subgoal.verb in self.controller.verbs

    def pursue(self, row: int, subgoal: SubGoal | None = None) -> None:
        """Begin the plan's next sub-goal, or `subgoal` instead of it."""
        episode = self.runtime.episode(row)
        planned = subgoal is None
        chosen = episode.remaining[0] if subgoal is None else subgoal
        episode.pursuit = Pursuit(chosen, planned, _held(episode, chosen))
        episode.pursued = str(chosen)
        episode.outcome = ""
        executor = self.controller if self.controls(row) else self.helper
        executor.begin(row, chosen)

    def act(self, rows: Sequence[int]) -> tuple[NDArray[np.int32], list[Failure | None]]:
        """Ask controller and helper, each once, for the next actions of `rows`."""
        actions = np.empty((len(rows), len(no_action())), np.int32)
        failures: list[Failure | None] = [None] * len(rows)
        for executor, controls in ((self.controller, True), (self.helper, False)):
            places = [k for k, row in enumerate(rows) if self.controls(row) == controls]
            if not places:
                continue
            chosen = [rows[k] for k in places]
            sees = getattr(executor, "observes", True)
            seen = [self._observe(row) if sees else {} for row in chosen]
            made, why = executor.act(chosen, seen)
            for k, action, failure in zip(places, made, why, strict=True):
                actions[k], failures[k] = action, failure
        return actions, failures

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
            self._account(row)

    def _account(self, row: int) -> None:
        episode = self.runtime.episode(row)
        pursuit = episode.pursuit
        assert pursuit is not None, "a sub-goal is being carried out"
        pursuit.ticks += 1
        reached = self._reached(row, episode, pursuit)
        episode.tick_rewards.append(subgoal_progress(pursuit, reached))
        if reached >= 1:
            self._succeeded(row)
        elif episode.over:
            episode.pursuit, episode.outcome = None, episode.status
        elif not self.runtime.world.alive(row):
            self._failed(row, Failure("died"))
        elif pursuit.ticks >= self.config.subgoal_ticks:
            self._failed(row, Failure("timeout", pursuit.subgoal.item, pursuit.subgoal.count))

    def _reached(self, row: int, episode: Episode, pursuit: Pursuit) -> float:
        """Return the share of the sub-goal that is reached, 0 to 1."""
        subgoal = pursuit.subgoal
        if subgoal.verb == "equip":
            kinds = {items()[name].id for name in subgoal.kinds}
            return float(not kinds.isdisjoint(self.runtime.world.equipment(row).tolist()))
        if subgoal.verb == "place":
            pursuit.placed |= any(
                event.kind == "used" and event.subject in subgoal.kinds
                for event in self.runtime.world.events(row)
            )
            return float(pursuit.placed)
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
        episode.pursuit, episode.outcome = None, str(failure)
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
    return sum(int(episode.counts[table[name].id]) for name in subgoal.kinds)


def _controller(config: EnvConfig) -> Controller:
    """Make the controller; one that was given as an object is copied, so that nobody shares it."""
    wanted = config.controller
    controller: Controller = (
        load("controller", wanted)() if isinstance(wanted, str) else deepcopy(wanted)
    )
    return controller
