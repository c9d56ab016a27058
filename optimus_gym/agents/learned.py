"""An agent that learned to choose sub-goals: a policy that stable-baselines3 trained in the sub-goal view."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from optimus_gym.agents.unplanned import Unplanned
from optimus_gym.core.checks import check_name
from optimus_gym.core.deliberation import Decision
from optimus_gym.core.errors import BadValue, shown
from optimus_gym.core.interfaces import AgentSetting, CallerObservations
from optimus_gym.core.situation import Situation
from optimus_gym.minds.mind import MAX_REPEATS, Mind
from optimus_gym.minds.planning import Plan
from optimus_gym.minds.skills import POSSIBLE, feasibility, skill_names, skills, with_possible
from optimus_gym.policies.policy_options import PolicyOptions
from optimus_gym.policies.saved_policy import open_policy
from optimus_gym.policies.sb3_kinds import SUBGOAL_KINDS

MOST_SETBACKS: Final = 200
"""Maximum number of failed sub-goals of an episode: our choice; a policy trains without such a limit."""
OTHER_PLANS: Final = ("subgoal", "subgoal_text")
"""Keys of the observation that show a plan, which this agent has not."""


class LearnedAgent(Unplanned):
    """Chooses each sub-goal by a policy of MaskablePPO, PPO, A2C, DQN or RecurrentPPO.

    Train the policy in the sub-goal view with the agent `none` (docs/train.md). Action 0 is the task's text
    as one sub-goal, as that agent hands it out; action k is skill k. The file may name a smaller set
    (`wrappers.subgoal_set`). Policies of MaskablePPO and DQN choose among the sub-goals that could begin now,
    which any policy may see as the observation's key `possible`. Actions are drawn by the episode's generator
    "sb3 agent". The agent never asks its backbone, and keeps no memory.

    Args:
        source, policy, deterministic, looks_at, stack, normalize, extractor: as in
            `policies.policy_options.PolicyOptions`.
        max_replans: the agent gives up after more failed sub-goals than this.
        max_repeats: the agent gives up if a sub-goal fails more often than this for the same reason.

    Raises:
        BadValue, UnknownName: an option cannot be used.
    """

    name = "sb3"

    def __init__(
        self,
        source: str,
        policy: str | None = None,
        deterministic: bool = True,
        looks_at: Sequence[str] = (),
        stack: int | None = None,
        normalize: str | None = None,
        extractor: str | None = None,
        max_replans: int = MOST_SETBACKS,
        max_repeats: int = MAX_REPEATS,
    ) -> None:
        super().__init__(max_replans, max_repeats)
        self.policy = PolicyOptions(
            source, policy, deterministic, looks_at, stack, normalize, extractor
        )

    def _make_parts(self, setting: AgentSetting) -> None:
        """Read the policy and fit it to the environment.

        Raises:
            BadValue: the file cannot be read, or its observations or actions do not fit the environment.
            UnknownName: the file names a sub-goal that does not exist.
            MissingExtra: stable-baselines3 is not installed.
        """
        super()._make_parts(setting)
        assert setting.observing is not None, "every environment with an agent has observations"
        self._skills = skills()
        self._feasible = feasibility(setting.abilities.graph)
        self._chooser = open_policy(self.policy, SUBGOAL_KINDS, "agent 'sb3'")
        self._numbers = self._choices()
        sizes = self._chooser.saved.sizes
        if sizes not in ((), (len(self._numbers),)):
            raise BadValue(
                f"model: expected a policy of {len(self._numbers)} actions, those of the sub-goal view or of "
                f"the file's set, got {list(sizes)} ({self.policy.source})"
            )
        space = with_possible(setting.observing.observation_space, len(self._numbers))
        self._observing: CallerObservations = replace(setting.observing, observation_space=space)
        self._chooser.fit(self._observing, spaces.Discrete(len(self._numbers)), 1, "cpu")
        planned = [key for key in self._chooser.looks_at if key in OTHER_PLANS]
        if planned:
            raise BadValue(
                f"model: expected a policy that looks at neither of {', '.join(OTHER_PLANS)}, which show "
                f"another agent's plan, got {shown(list(self._chooser.looks_at))} ({self.policy.source})"
            )

    def _choices(self) -> NDArray[np.int64]:
        """Return the sub-goal view's actions among which the policy chooses."""
        names = skill_names()
        told = self._chooser.saved.training.subgoals
        wanted = names if told is None else told
        return np.array([names.index(check_name("sub-goal", name, names)) for name in wanted])

    def begin_episodes(self, situations: Sequence[Situation]) -> None:
        """Begin an episode in each given row."""
        for here in situations:
            self.minds[here.row] = Mind(here.goal, self.patience, stepwise=True)
        rows, seeds = [here.row for here in situations], [here.seed for here in situations]
        self._chooser.begin_episodes(rows, seeds, "sb3 agent")

    def decide(self, situations: Sequence[Situation]) -> list[Decision]:
        """Return each row's decision; the rows whose sub-goal has ended choose together."""
        lost = [here for here in situations if self.minds[here.row].wants_answer()]
        for here, action in zip(lost, self._chosen(lost), strict=True):
            self.minds[here.row].follow(self._plan_of(here, action))
        return [self.minds[here.row].next_subgoal() for here in situations]

    def _chosen(self, lost: Sequence[Situation]) -> list[int]:
        if not lost:
            return []
        rows = [here.row for here in lost]
        masks = np.stack([self._mask(here) for here in lost])
        keys = [key for key in self._chooser.looks_at if key != POSSIBLE]
        seen = {**self._observing.look(rows, keys), POSSIBLE: masks.astype(np.float32)}
        actions: NDArray[np.int64] = self._chooser.choose(rows, seen, masks)
        return [int(self._numbers[action]) for action in actions[:, 0]]

    def _mask(self, here: Situation) -> NDArray[np.bool_]:
        """Return which of the policy's choices could begin now (bool[n])."""
        possible = np.array([True, *self._feasible.mask(here.inventory, here.stations)])
        return possible[self._numbers]

    def _plan_of(self, here: Situation, action: int) -> Plan:
        return self._plan(here) if action == 0 else Plan((self._skills[action - 1],))
