"""Inner Monologue (Huang et al. 2022): the planner hears whether each action succeeded, and sees the scene.

JARVIS-1 and DEPS compare it as planning with feedback and without reasoning. The feedback comes from the
executors and from the game, as the papers' success detectors and scene descriptors; questions to people are
left out.
"""

from collections.abc import Sequence
from typing import Any

from optimus_gym.agents.zero_shot import ONE_FILE_PROMPTS
from optimus_gym.backbones.plan_forms import ACT_KIND
from optimus_gym.core.checks import check_flag
from optimus_gym.core.requests import Request
from optimus_gym.minds.facts import situation_facts
from optimus_gym.minds.mind import MAX_REPLANS
from optimus_gym.minds.plain_planner import request_for
from optimus_gym.minds.planning import Ask
from optimus_gym.minds.step_by_step import StepByStep, Turn


class InnerMonologue(StepByStep):
    """Asks for the next action, with feedback on all actions so far.

    Args:
        max_replans: maximum number of failed actions of an episode after which the agent still acts.
        recipes: whether requests list the ways to get items that lead to the goal (`minds.cookbook`).
        success: whether requests tell of each action whether it succeeded.
        scene: whether requests describe the scene: what the agent has, in hand and in reach.

    Raises:
        BadValue: an option has a wrong type or value.
    """

    name = "inner-monologue"

    def __init__(
        self,
        max_replans: int = MAX_REPLANS,
        recipes: bool = True,
        success: bool = True,
        scene: bool = True,
    ) -> None:
        super().__init__(max_replans, recipes)
        self.success = check_flag("success", success)
        self.scene = check_flag("scene", scene)

    def _request(self, ask: Ask, turns: Sequence[Turn]) -> Request:
        """Return the request for the next action, with the feedback on all turns so far."""
        facts: dict[str, Any] = {"answer": "action", **self.planner.facts(ask)}
        facts["turns"] = [
            row for number, turn in enumerate(turns, start=1) for row in self._told(number, turn)
        ]
        if self.scene:
            now = situation_facts(ask.situation)
            facts |= {name: now[name] for name in ("inventory", "equipped", "stations")}
        return request_for(ACT_KIND, ONE_FILE_PROMPTS, "inner_monologue", facts, ask.situation)

    def _told(self, number: int, turn: Turn) -> list[tuple[int, str, str]]:
        """Return a turn as rows of the fact `turns`: action, and whether the action succeeded."""
        told = [(number, "action", turn.action)]
        if self.success:
            told.append((number, "success", "yes" if turn.succeeded else "no"))
        return told
