"""MP5's parser: a task as sub-objectives, with entries of the knowledge memory (MP5, section 3.1)."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from optimus_gym.agents.mp5.campaign import Campaign
from optimus_gym.agents.mp5.knowledge_memory import KnowledgeMemory
from optimus_gym.agents.mp5.questions import parser_question
from optimus_gym.backbones.parse.objectives import Objective, found_objectives, objectives_in
from optimus_gym.core.interfaces import Backbone
from optimus_gym.core.situation import Situation
from optimus_gym.knowledge.knowledge_graph import KnowledgeGraph
from optimus_gym.minds.cookbook import Cookbook
from optimus_gym.minds.dialogue import Question, plans_for
from optimus_gym.minds.facts import plan_verbs, step_row
from optimus_gym.minds.instead import Instead, with_instead
from optimus_gym.minds.open_needs import is_reached
from optimus_gym.minds.planning import Plan


class TaskParser:
    """Asks the backbone for the sub-objectives of many rows' tasks.

    Args:
        backbone: writes the sub-objectives.
        graph: completes sub-goals.
        knowledge: the knowledge memory; None: requests hold no knowledge.
        verbs: verbs that sub-objectives may have.
        instead: substitute if no answer of the backbone can be used.
        parses: whether the backbone is asked; if not, the goal is the only sub-objective.
    """

    def __init__(
        self,
        backbone: Backbone,
        graph: KnowledgeGraph,
        knowledge: KnowledgeMemory | None,
        verbs: set[str],
        instead: Instead,
        parses: bool,
    ) -> None:
        self._backbone = backbone
        self._graph = graph
        self._knowledge = knowledge
        self._verbs = verbs
        self._instead = instead
        self._parses = parses

    def parse(self, situations: Sequence[Situation], campaigns: Sequence[Campaign]) -> None:
        """Give each row sub-objectives of its task; after a setback, those that are left and new ones.

        A reached goal gives none.
        """
        asked = list(zip(situations, campaigns, strict=True))
        for here, campaign in asked:
            if is_reached(here):
                campaign.follow_objectives(Plan(()), ())
        asked = [(here, campaign) for here, campaign in asked if not campaign.reason]
        if not self._parses:
            for _, campaign in asked:
                campaign.follow_objectives(Plan(()), (Objective(campaign.goal),))
            return
        questions = [self._question(*one) for one in asked]
        plans = plans_for(self._backbone, questions)
        for (_, campaign), question, plan in zip(asked, questions, plans, strict=True):
            made = with_instead(plan, question, self._instead)
            campaign.follow_objectives(made, _objectives(made))

    def _question(self, here: Situation, campaign: Campaign) -> Question:
        told: dict[str, Any] = {"verbs": plan_verbs(campaign.goal, self._verbs)}
        if self._knowledge is not None:
            told["ways"] = self._knowledge.about(campaign.goal)
            fuel = Cookbook.fuel(told["ways"])
            told |= {"fuel": fuel} if fuel else {}
        feedback = campaign.feedback
        if feedback is not None:
            rest = [one.subgoal for one in campaign.objectives[campaign.place :]]
            rest[:1] = [replace(one, count=campaign.left) for one in rest[:1]]
            told["past_plan"] = [step_row(one) for one in rest]
            told["explanation"] = feedback.words
        request = parser_question(here, told)
        return Question(here, request, self._graph, read=found_objectives)


def _objectives(plan: Plan) -> tuple[Objective, ...]:
    """Return a plan's sub-goals as sub-objectives, with what the backbone's text says of each."""
    read, _ = objectives_in(plan.text) if plan.planned_by == "backbone" else ((), ())
    if len(read) != len(plan.subgoals):
        return tuple(Objective(subgoal) for subgoal in plan.subgoals)
    return tuple(
        replace(one, subgoal=subgoal) for one, subgoal in zip(read, plan.subgoals, strict=True)
    )
