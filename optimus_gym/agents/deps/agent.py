"""The agent DEPS on one page (Wang et al. 2023): describe, explain, plan and select."""

from collections.abc import Sequence
from typing import Any, Final

from optimus_gym.agents.deps.describing import (
    DEPS_PROMPTS,
    Descriptor,
    Explainer,
    ToldFacts,
    past_plan,
)
from optimus_gym.agents.deps.selecting import HorizonSelector
from optimus_gym.core.checks import check_flag
from optimus_gym.core.deliberation import Decision
from optimus_gym.core.interfaces import AgentSetting
from optimus_gym.core.parts import part_of
from optimus_gym.core.requests import Request
from optimus_gym.core.situation import Situation
from optimus_gym.minds.forgetful import Forgetful
from optimus_gym.minds.late_eyes import eyes_for
from optimus_gym.minds.mind import Mind
from optimus_gym.minds.plain_planner import request_for
from optimus_gym.minds.planning import Ask
from optimus_gym.minds.self_check import judging_by

MOST_ROUNDS: Final = 12
"""Maximum number of rounds of description, explanation and a new plan (DEPS's public code)."""


class Deps(Forgetful):
    """DEPS: plans, describes and explains each failure to its planner, and selects the nearest sub-goal.

    `Attaching` begins and ends the episodes: a failed sub-goal sets its row's mind back, and a mind that was
    set back asks for a new plan.

    Args:
        max_replans: maximum number of rounds of a new plan.
        recipes: whether requests list the ways to get items that lead to the goal (`minds.cookbook`).
        describes: whether requests hold the description: things held and in reach, and reached steps.
        explains: whether the backbone explains a failure before it plans again.
        horizon: whether the selector counts the expected ticks of a sub-goal.
        proximity: whether the selector counts the way to the place of a sub-goal. Without `horizon` and
            `proximity` the sub-goals keep the plan's order.
        aligner: recognises the biome on the screen if the protocol hides it; made on first use.

    Raises:
        BadValue: an option has a wrong type or value.
        UnknownName: no aligner has the given name.
    """

    name = "deps"

    def __init__(
        self,
        max_replans: int = MOST_ROUNDS,
        recipes: bool = True,
        describes: bool = True,
        explains: bool = True,
        horizon: bool = True,
        proximity: bool = True,
        aligner: Any = "mini",
    ) -> None:
        super().__init__(max_replans, recipes)
        self.describes = check_flag("describes", describes)
        self.explains = check_flag("explains", explains)
        self.horizon = check_flag("horizon", horizon)
        self.proximity = check_flag("proximity", proximity)
        self.aligner = part_of("aligner", aligner) or aligner

    def _make_parts(self, setting: AgentSetting) -> None:
        graph = self.planner.graph
        self.descriptor = Descriptor(self.describes)
        self.explainer = Explainer(setting.backbone, self.planner, self.explains)
        eyes = eyes_for(setting, self.aligner)
        self.selector = HorizonSelector(
            graph, judging_by(graph), eyes, self.horizon, self.proximity
        )

    def decide(self, situations: Sequence[Situation]) -> list[Decision]:
        """Return each row's next sub-goal; the rows that need a plan ask the backbone together."""
        lost = [situation for situation in situations if self.minds[situation.row].wants_answer()]
        minds = [self.minds[situation.row] for situation in lost]
        asks = [mind.question(situation) for mind, situation in zip(minds, lost, strict=True)]
        told = self.descriptor.describe(asks, minds)
        why = self.explainer.explain(asks, minds, told)
        requests = [self._request(*one) for one in zip(asks, minds, told, why, strict=True)]
        for mind, plan in zip(minds, self.planner.plan(asks, requests), strict=True):
            mind.follow(plan)

        going = [self.minds[situation.row] for situation in situations]
        self.selector.select(going, situations)
        return [mind.next_subgoal() for mind in going]

    def _request(self, ask: Ask, mind: Mind, told: ToldFacts, why: ToldFacts) -> Request:
        """Return the request for a first plan, or for a new plan with the last plan and its explanation."""
        kind = "plan" if ask.setback is None else "replan"
        past = {} if ask.setback is None else {"past_plan": past_plan(mind)}
        facts = {"answer": "calls", **self.planner.facts(ask), **past, **told, **why}
        return request_for(kind, DEPS_PROMPTS, f"deps_{kind}", facts, ask.situation)
