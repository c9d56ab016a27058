"""The base of the control and the sub-goal view, which run an agent, executors and the loop."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final, Self, cast

from optimus_gym.core.interfaces import (
    Agent,
    AgentSetting,
    Backbone,
    CallerObservations,
    Controller,
    ControllerSetting,
)
from optimus_gym.core.overlay import Overlay
from optimus_gym.core.parts import Part, claim
from optimus_gym.core.world_powers import OverlayWorld, PredicamentWorld
from optimus_gym.envs.asking import MeteredBackbone, memory_lost
from optimus_gym.envs.executors import Executors
from optimus_gym.envs.infos import (
    Columns,
    course_numbers,
    course_words,
    joined_columns,
    memory_columns,
)
from optimus_gym.envs.loop import EndWatcher, Loop
from optimus_gym.envs.powers import check_part, check_watch
from optimus_gym.envs.rewards.paying import PLANNED_REWARD
from optimus_gym.envs.spaces import control_space
from optimus_gym.envs.view import View
from optimus_gym.knowledge.graph_folder import read_knowledge
from optimus_gym.knowledge.knowledge_graph import full_graph

ONE_SUBGOAL: Final = "one-subgoal"
"""The agent of environments whose whole task is one sub-goal (the argument `subgoal`)."""


class PlannedView(View):
    """A view that runs an agent and executors inside the environment.

    Attributes:
        agent: the agent.
        executors: the executors of sub-goals; None if the world carries out sub-goals by itself.
        loop: runs the episodes of the rows.
    """

    has_agent = True

    def _assemble(self) -> None:
        self.executors = self._make_executors()
        super()._assemble()
        self.agent: Agent = (
            self._made("agent")
            if self.config.subgoal is None
            else Part("agent", ONE_SUBGOAL).build()
        )
        check_part(self.config, "agent", self.agent, self.runtime.can)
        if self.executors is not None:
            self._attach(self.executors)
        if getattr(self.agent, "privileged", False):
            self.privileged = (*self.privileged, type(self.agent).__name__)
        self.agent.attach(self._agent_setting())
        check_watch(self.config, self.agent, self.executors is not None)
        self.loop = Loop(
            self.config,
            self.runtime,
            self.courses,
            self.ledger,
            self._payer(PLANNED_REWARD),
            self.agent,
            self.executors,
            self.observer.glances,
        )

    def _make_executors(self) -> Executors | None:
        """Make the executors; the caller of `env.step` takes the verbs that the helper lacks."""
        return Executors(self.config, self.runtime.can, None)

    def _actors(self) -> tuple[frozenset[str] | None, str]:
        if self.executors is None:
            return None, "the world"
        controller = self.executors.controller
        who = (
            "the policy"
            if controller is None
            else f"controller {self.config.name_of('controller')!r}"
        )
        return self.executors.verbs, f"{who} and the helper"

    def _made(self, kind: str) -> Any:
        """Return the part `kind` (such as "agent"): built from a specification, or the object that was given.

        Raises:
            BadValue: another environment uses the object.
        """
        part = self.config.parts[kind]
        if part is not None:
            return part.build()
        given = getattr(self.config, kind)
        claim(kind, given, self)
        return given

    def _attach(self, executors: Executors) -> None:
        helpers = ControllerSetting(
            rows=self.runtime.count,
            observation_space=self.observation_space,
            action_space=control_space(),
            vocabulary=self.vocabulary.names,
            resolution=self.config.resolution,
            view_distance=self.config.view_distance,
            pov=self.config.pov,
            device=self.config.device,
            world=self._world,
        )
        controller: Controller | None = executors.controller
        if controller is not None and controller.privileged:
            self.privileged = (type(controller).__name__,)
        setting = helpers if self.privileged else replace(helpers, world=None)
        executors.attach(self.config, setting, helpers, self.observer.look)

    def _world(self) -> Any:
        return self.runtime.world

    def _agent_setting(self) -> AgentSetting:
        folder = self.config.folder
        backbone: Backbone = self._made("backbone")
        check_part(self.config, "backbone", backbone, self.runtime.can)
        return AgentSetting(
            rows=self.runtime.count,
            backbone=MeteredBackbone(
                backbone, self.courses, lambda row: self.runtime.episode(row).ticks
            ),
            abilities=self.abilities,
            knowledge=full_graph() if folder is None else read_knowledge(folder),
            memory=folder,
            learn=self.config.learn,
            learn_into=self.config.apart,
            pictures="pictures" in self.runtime.can,
            overlay=self._overlay if "overlay" in self.runtime.can else None,
            predicaments=self._predicaments if self._tells_agent() else None,
            observing=CallerObservations(
                self.observer.space,
                self.config.resolution,
                self.config.view_distance,
                self.config.pov,
                self.observer.look,
            ),
        )

    def _tells_agent(self) -> bool:
        """Return whether the agent may ask the world for predicaments, the troubles of a player."""
        return "predicaments" in self.runtime.can and getattr(self.agent, "privileged", False)

    def _predicaments(self, row: int) -> frozenset[str]:
        return cast(PredicamentWorld, self.runtime.world).predicaments(row)

    def _overlay(self) -> Overlay:
        return cast(OverlayWorld, self.runtime.world).overlay()

    def watch_ends(self, callback: EndWatcher) -> None:
        """Call `callback(outcome)` whenever a sub-goal has ended, before the world's next tick."""
        self.loop.end_watchers.append(callback)

    def reopened(self) -> Self:
        """Return a new open view of this configuration, with the callbacks of `watch` and `watch_ends`."""
        view = super().reopened()
        view.loop.end_watchers = self.loop.end_watchers
        return view

    def close(self) -> None:
        """Give the agent the records of the episodes that are cut off, and release all resources."""
        self.loop.close()
        super().close()

    def begin(
        self, rows: Sequence[int], seeds: Sequence[int], options: Mapping[str, Any] | None
    ) -> None:
        """Begin episodes and let the agent decide on their first sub-goals, in one call."""
        self.loop.begin(rows, seeds, options or {})

    def infos(self, rows: Sequence[int]) -> Columns:
        """Return the infos of `rows` with plan, sub-goal, outcome and the step's SMDP quantities."""
        rewards = [self.ledger.rewards(row) for row in rows]
        courses = [self.courses[row] for row in rows]
        told = joined_columns(
            super().infos(rows), course_numbers(courses, rewards, self.config.discount)
        )
        told = joined_columns(
            told, memory_columns(memory_lost(self.agent), len(rows), self.tells_all)
        )
        if self.tells_all:
            told = joined_columns(told, course_words(self.runtime, self.courses, rewards, rows))
        return told
