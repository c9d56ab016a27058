"""The interactive planner (JARVIS-1, section 3.2): plans in code, self-checked; explanations of failures."""

from collections.abc import Sequence
from typing import Any, Final

from optimus_gym.agents.jarvis1.questions import Background, code_question, explain_question
from optimus_gym.agents.jarvis1.switches import JarvisSwitches
from optimus_gym.core.interfaces import Backbone
from optimus_gym.knowledge.knowledge_graph import KnowledgeGraph
from optimus_gym.minds.cookbook import Cookbook
from optimus_gym.minds.describer import Describer, NoDescriber
from optimus_gym.minds.dialogue import Question, plans_for
from optimus_gym.minds.eyes import Seen
from optimus_gym.minds.facts import in_a_line, plan_verbs
from optimus_gym.minds.instead import Instead, with_instead
from optimus_gym.minds.open_needs import is_reached
from optimus_gym.minds.planning import Ask, Plan
from optimus_gym.minds.self_check import judging_by
from optimus_gym.prompts.code_plans import Call

NOT_CALLED: Final = ("equip", "place", "find", "recover")
"""Verbs that plans in code leave out, since each call names its tool or station; only goals have them."""
LONGEST_EXPLANATION: Final = 600
"""Maximum number of characters of an explanation in a request for a new plan: our choice."""


class CodePlanner:
    """Plans in code for any number of rows.

    Args:
        backbone: writes the plans.
        graph: the game's ways that the environment allows; the self-check simulates plans by them.
        cookbook: the ways in words, for requests.
        describer: says what screens show.
        switches: the active parts.
        instead: substitute for a plan if no answer of the backbone holds a plan.
    """

    def __init__(
        self,
        backbone: Backbone,
        graph: KnowledgeGraph,
        cookbook: Cookbook,
        describer: Describer | NoDescriber,
        switches: JarvisSwitches,
        instead: Instead,
    ) -> None:
        self._backbone = backbone
        self._graph = graph
        self._cookbook = cookbook
        self._describer = describer
        self._switches = switches
        self._instead = instead
        self._verbs = {source.verb for source in graph.sources} - set(NOT_CALLED)

    def plan(
        self,
        asks: Sequence[Ask],
        seen: Sequence[Seen],
        whys: Sequence[str],
        references: Sequence[tuple[dict[str, Any], ...]],
    ) -> list[Plan]:
        """Return for each row the sub-goals that lead from the held items to the goal.

        A plan is simulated step by step from the player's inventory, and the backbone corrects the steps that
        cannot work (self-check). A plan's `problems` list all faults of the backbone's answers. A goal that
        is reached already gives an empty plan without problems.

        Args:
            asks: the rows' questions for a plan.
            seen: the contents of the rows' screens.
            whys: the explanation of each row's setback; "" without one.
            references: remembered plans for each row (`prompts.code_plans`).
        """
        judging = judging_by(self._graph) if self._switches.checks else None
        questions = [
            Question(
                ask.situation,
                code_question(ask, self._background(ask, sight, why, told), self._switches),
                self._graph,
                judging=judging,
                problems=sight.problems,
                page="correct_code",
            )
            for ask, sight, why, told in zip(asks, seen, whys, references, strict=True)
            if not is_reached(ask.situation)
        ]
        answered = zip(plans_for(self._backbone, questions), questions, strict=True)
        made = (with_instead(plan, question, self._instead) for plan, question in answered)
        return [Plan(()) if is_reached(ask.situation) else next(made) for ask in asks]

    def explain(self, asks: Sequence[Ask]) -> list[str]:
        """Return the backbone's explanation of each row's setback, on one line; "" for a row without setback.

        All explanations are asked in one call (self-explain).
        """
        told = [""] * len(asks)
        if not self._switches.explains:
            return told
        failed = [(k, ask, ask.setback) for k, ask in enumerate(asks) if ask.setback is not None]
        if not failed:
            return told
        questions = [
            explain_question(ask.situation, setback, self._ways(ask, "explain"))
            for _, ask, setback in failed
        ]
        replies = self._backbone.complete(questions)
        for (k, _, _), reply in zip(failed, replies, strict=True):
            told[k] = in_a_line(reply.text)[:LONGEST_EXPLANATION]
        return told

    def _ways(self, ask: Ask, kind: str) -> tuple[Call, ...]:
        if not self._switches.tells(kind):
            return ()
        return self._cookbook.ways(ask.situation.goal, ask.situation.inventory)

    def _background(
        self, ask: Ask, seen: Seen, why: str, references: tuple[dict[str, Any], ...]
    ) -> Background:
        ways = self._ways(ask, "plan")
        return Background(
            self._describer.sentences(seen),
            why,
            ways,
            self._cookbook.fuel(ways),
            references,
            plan_verbs(ask.situation.goal, self._verbs),
        )
