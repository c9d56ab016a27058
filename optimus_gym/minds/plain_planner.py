"""Asks a backbone for plans without a knowledge graph's requirements, without a memory, without a check."""

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, Final

from optimus_gym.backbones.parse.deeds import Found
from optimus_gym.backbones.parse.plans import parse_plan
from optimus_gym.core.arrays import Pixels
from optimus_gym.core.interfaces import AgentSetting
from optimus_gym.core.requests import Request
from optimus_gym.core.situation import Situation
from optimus_gym.knowledge.knowledge_graph import full_graph
from optimus_gym.minds.cookbook import Cookbook
from optimus_gym.minds.dialogue import Question, plans_for
from optimus_gym.minds.facts import able_verbs, plan_verbs, situation_facts
from optimus_gym.minds.open_needs import is_reached, needed_for
from optimus_gym.minds.planning import Ask, Plan
from optimus_gym.prompts.lines import told_facts
from optimus_gym.prompts.template import render

CORRECTION_PAGE: Final = "correct_lines"
"""The shared prompt that asks for a correction of an answer that is not JSON."""
Reader = Callable[[str, Collection[str]], Found]


class PlainPlanner:
    """Plans of many rows by the backbone's word alone.

    Args:
        setting: the environment's backbone, abilities and knowledge.
        recipes: whether requests list the ways to get items that lead to the goal.

    Attributes:
        graph: the ways that the environment allows; the graph completes sub-goals and lists ways.
    """

    def __init__(self, setting: AgentSetting, recipes: bool) -> None:
        self.graph = setting.abilities.of(setting.knowledge)
        self._backbone = setting.backbone
        self._verbs = able_verbs(setting.abilities.graph)
        self._is_whole = setting.knowledge is full_graph()
        self._recipes = recipes
        self._cookbook = Cookbook(self.graph)

    def facts(self, ask: Ask) -> dict[str, Any]:
        """Return the facts of every request about a row's goal: goal, verbs and ways."""
        goal = ask.situation.goal
        return {
            "goal": situation_facts(ask.situation)["goal"],
            "verbs": plan_verbs(goal, self._verbs),
            **self.ways(ask),
        }

    def ways(self, ask: Ask) -> dict[str, Any]:
        """Return the fact `ways`, and the fact `fuel` if a way smelts; without recipes, no fact."""
        if not self._recipes:
            return {}
        ways = self._cookbook.ways(ask.situation.goal, ask.situation.inventory)
        fuel = self._cookbook.fuel(ways)
        return {"ways": ways, "fuel": fuel} if fuel else {"ways": ways}

    def plan(
        self,
        asks: Sequence[Ask],
        requests: Sequence[Request],
        read: Reader = parse_plan,
    ) -> list[Plan]:
        """Return each row's plan, which the backbone writes in answer to the row's request.

        An impossible goal gives an empty plan with the reason in `problems`, without a question. A goal that
        is reached already gives an empty plan without problems.

        Args:
            asks: the rows' questions.
            requests: the rows' requests.
            read: reads an answer.
        """
        known = [self._known(ask) for ask in asks]
        questions = [
            Question(ask.situation, request, self.graph, read=read, page=CORRECTION_PAGE)
            for ask, request, plan in zip(asks, requests, known, strict=True)
            if plan is None
        ]
        made = iter(plans_for(self._backbone, questions))
        return [next(made) if plan is None else plan for plan in known]

    def _known(self, ask: Ask) -> Plan | None:
        """Return an empty plan if a row's goal is reached or impossible, else None."""
        if is_reached(ask.situation):
            return Plan(())
        needed = needed_for(Ask(ask.situation), self.graph)
        if needed.too_much or (needed.unknown and self._is_whole):
            return Plan((), "", (needed.too_much or needed.unknown,))
        return None


def request_for(
    kind: str,
    prompts: str,
    page: str,
    facts: Mapping[str, Any],
    situation: Situation,
    images: tuple[Pixels, ...] = (),
) -> Request:
    """Return a row's request.

    Args:
        kind: the kind of request.
        prompts: the package that holds the prompt.
        page: the prompt's name; the prompt has one place, `facts`.
        facts: the facts that the request tells, in their order in the text.
        situation: the row's situation.
        images: the request's pictures.
    """
    text = render(prompts, page, {"facts": told_facts(facts)})
    return Request(kind, text, images, situation.row, situation.seed, situation.tick)
