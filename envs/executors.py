"""Who carries out a sub-goal tick by tick: the controller, or the helper for the verbs it leaves."""

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
from optimus_gym.envs.runtime import Runtime

Observe = Callable[[int], Mapping[str, NDArray[Any]]]


class Executors:
    """Controller and helper of an environment's rows.

    Attributes:
        verbs: of the sub-goals that are the controller's; the helper has the rest.
    """

    def __init__(self, config: EnvConfig, runtime: Runtime, observe: Observe) -> None:
        self.config = config
        self.runtime = runtime
        self.controller = _controller(config)
        self.helper: Controller = load("helper", "functional")()
        self.verbs = self.controller.verbs
        self._observe = observe
        self._attached = False

    @property
    def known_verbs(self) -> frozenset[str]:
        """The verbs of the sub-goals that somebody here can carry out."""
        return frozenset((*self.verbs, *self.helper.verbs))

    def reset(self, row: int, seed: int) -> None:
        """Begin an episode of `row`; what was known of the former one is forgotten."""
        if not self._attached:
            self._attach()
        self.controller.reset(row, seed)
        self.helper.reset(row, seed)

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
        return pursuit is not None and pursuit.subgoal.verb in self.verbs

    def begin(self, row: int, subgoal: SubGoal) -> None:
        """Turn the one who carries out the row's sub-goal to it."""
        if not self._lacks_skill(subgoal):
            (self.controller if self.controls(row) else self.helper).begin(row, subgoal)

    def act(self, rows: Sequence[int]) -> tuple[NDArray[np.int32], list[Failure | None]]:
        """Ask controller and helper, each once, for the next actions of `rows`."""
        actions = np.tile(no_action(), (len(rows), 1))
        failures = [self._lacks_skill(self._subgoal(row)) for row in rows]
        able = [k for k, failure in enumerate(failures) if failure is None]
        for executor, controls in ((self.controller, True), (self.helper, False)):
            places = [k for k in able if self.controls(rows[k]) == controls]
            if not places:
                continue
            chosen = [rows[k] for k in places]
            sees = getattr(executor, "observes", True)
            seen = [self._observe(row) if sees else {} for row in chosen]
            made, why = executor.act(chosen, seen)
            for k, action, failure in zip(places, made, why, strict=True):
                actions[k], failures[k] = action, failure
        return actions, failures

    def _subgoal(self, row: int) -> SubGoal:
        pursuit = self.runtime.episode(row).pursuit
        assert pursuit is not None, "a sub-goal is being carried out"
        return pursuit.subgoal

    def _lacks_skill(self, subgoal: SubGoal) -> Failure | None:
        """Return the failure of a sub-goal that nobody here can carry out, or None."""
        if subgoal.verb in self.known_verbs:
            return None
        return Failure(
            "no_skill", subgoal.item, subgoal.count, f"nobody here knows how to {subgoal.verb}"
        )


def _controller(config: EnvConfig) -> Controller:
    """Make the controller; one that was given as an object is copied, so that nobody shares it."""
    wanted = config.controller
    controller: Controller = (
        load("controller", wanted)() if isinstance(wanted, str) else deepcopy(wanted)
    )
    return controller
