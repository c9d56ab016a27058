"""ReAct (Yao et al. 2022), as JARVIS-1's Table 1 compares it: thought, action, observation, and so on."""

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


class React(StepByStep):
    """Asks for a thought and an action, carries out the action, and tells what it observes.

    Args:
        max_replans: maximum number of failed actions of an episode after which the agent still acts.
        recipes: whether requests list the ways to get items that lead to the goal (`minds.cookbook`).
        reasons: whether each action follows a thought, which later requests repeat; without thoughts the
            agent only acts.
        observes: whether requests tell the result of each action, and what the agent now has.

    Raises:
        BadValue: an option has a wrong type or value.
    """

    name = "react"

    def __init__(
        self,
        max_replans: int = MAX_REPLANS,
        recipes: bool = True,
        reasons: bool = True,
        observes: bool = True,
    ) -> None:
        super().__init__(max_replans, recipes)
        self.reasons = check_flag("reasons", reasons)
        self.observes = check_flag("observes", observes)

    def _request(self, ask: Ask, turns: Sequence[Turn]) -> Request:
        """Return the request for the next thought and action, with all turns so far."""
        form = "thought, action" if self.reasons else "action"
        facts: dict[str, Any] = {"answer": form, **self.planner.facts(ask)}
        facts["turns"] = [
            row for number, turn in enumerate(turns, start=1) for row in self._told(number, turn)
        ]
        if self.observes:
            now = situation_facts(ask.situation)
            facts |= {name: now[name] for name in ("inventory", "equipped", "stations")}
        page = "react" if self.reasons else "react_without_thought"
        return request_for(ACT_KIND, ONE_FILE_PROMPTS, page, facts, ask.situation)

    def _told(self, number: int, turn: Turn) -> list[tuple[int, str, str]]:
        """Return a turn as rows of the fact `turns`: thought, action, observation."""
        told = [(number, "action", turn.action)]
        if self.reasons and turn.thought:
            told.insert(0, (number, "thought", turn.thought))
        if self.observes:
            told.append((number, "observation", turn.result))
        return told
