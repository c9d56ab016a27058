"""MP5's planner: the actions of a sub-objective, in awareness of the situation (MP5, section 3.3)."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from optimus_gym.agents.mp5.campaign import Campaign
from optimus_gym.agents.mp5.performer_memory import PerformerMemory
from optimus_gym.agents.mp5.questions import planner_question
from optimus_gym.backbones.parse.deeds import Found
from optimus_gym.backbones.parse.plans import parse_plan
from optimus_gym.core.interfaces import Backbone
from optimus_gym.core.situation import Situation
from optimus_gym.core.types import ACT_VERBS, VERBS
from optimus_gym.knowledge.knowledge_graph import KnowledgeGraph
from optimus_gym.minds.dialogue import Question, plans_for
from optimus_gym.minds.facts import step_row
from optimus_gym.minds.instead import Instead, with_instead
from optimus_gym.prompts.words import word_for

PERFORMED: Final = (*ACT_VERBS, "find")
"""Verbs of actions that get no item, which the executors of an environment may lack."""


class ActionPlanner:
    """Asks the backbone for the actions of many rows' sub-objectives.

    Args:
        backbone: writes the workflows.
        graph: completes actions.
        memory: remembered action sequences.
        verbs: verbs of actions that the executors carry out.
        instead: substitute if no answer of the backbone can be used.
    """

    def __init__(
        self,
        backbone: Backbone,
        graph: KnowledgeGraph,
        memory: PerformerMemory,
        verbs: set[str],
        instead: Instead,
    ) -> None:
        self._backbone = backbone
        self._graph = graph
        self._memory = memory
        self._verbs = verbs
        self._instead = instead

    def plan(
        self,
        situations: Sequence[Situation],
        campaigns: Sequence[Campaign],
        seen: Sequence[Mapping[str, str] | None],
    ) -> None:
        """Give each row the actions of its present sub-objective.

        Args:
            situations: the rows' situations.
            campaigns: the rows' campaigns.
            seen: what the percipient has answered, by aspect; None if the planner gets no answers.
        """
        rows = list(zip(situations, campaigns, seen, strict=True))
        questions = [self._question(*one) for one in rows]
        plans = plans_for(self._backbone, questions)
        for (here, campaign, _), question, plan in zip(rows, questions, plans, strict=True):
            campaign.follow_actions(with_instead(plan, question, self._instead), here)

    def _question(
        self, here: Situation, campaign: Campaign, seen: Mapping[str, str] | None
    ) -> Question:
        wanted = campaign.objective.subgoal
        verb, word, _ = step_row(wanted)
        able = (one for one in VERBS if one in self._verbs or one == verb)
        told: dict[str, Any] = {"verbs": tuple(able)}
        if wanted.verb == "find":
            told["task"] = " ".join(here.instruction.split())
        way = campaign.way()
        if way is not None:
            told["ways"] = (way,)
        if seen is not None:
            told["screen"] = seen
        references = self._memory.like(
            f"{verb} {wanted.count} {word_for(wanted.item, wanted.kinds)}"
        )
        if references:
            told["references"] = references
        if campaign.feedback is not None:
            told["failed_step"] = step_row(campaign.feedback.failed)
            told["explanation"] = campaign.feedback.words
        request = planner_question(here, (verb, word, campaign.left), told)
        return Question(here, request, self._graph, read=_acts, acts=True)


def _acts(text: str, near: Any) -> Found:
    return parse_plan(text, near, acts=True)
