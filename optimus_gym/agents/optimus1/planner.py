"""The knowledge-guided planner (Optimus-1, section 2.2): sub-graph and situation in, checked plan out."""

from collections.abc import Collection, Sequence

from optimus_gym.agents.optimus1.questions import plan_question
from optimus_gym.core.interfaces import Backbone
from optimus_gym.core.requests import Request
from optimus_gym.knowledge.knowledge_graph import KnowledgeGraph
from optimus_gym.minds.dialogue import Question, plans_for
from optimus_gym.minds.eyes import Seen
from optimus_gym.minds.facts import plan_verbs
from optimus_gym.minds.instead import Instead, goal_as_plan, with_instead
from optimus_gym.minds.open_needs import Needed, is_reached, needed_for
from optimus_gym.minds.planning import Ask, Plan
from optimus_gym.minds.recall import Lessons
from optimus_gym.minds.self_check import judging_by

NOTHING_KNOWN = KnowledgeGraph(())


class KnowingPlanner:
    """Plans over the knowledge graph, for any number of rows, without a memory of episodes.

    Args:
        backbone: writes the plans.
        graph: the known ways to get items.
        verbs: verbs of the sub-goals that the environment's executors can carry out.
        is_whole: whether the graph holds all ways that the environment allows, so that an item without a way
            cannot be had; if False, the request says what the graph does not know, and the backbone plans all
            the same.
        knows: whether requests carry the graph's requirements; if False, the planner ignores the graph.
        checks: whether a plan is simulated from the player's inventory before it is used.
        sees: whether the requests carry the situation's picture.
        instead: substitute for a plan if no answer of the backbone holds a plan.
    """

    def __init__(
        self,
        backbone: Backbone,
        graph: KnowledgeGraph,
        verbs: Collection[str],
        *,
        is_whole: bool = True,
        knows: bool = True,
        checks: bool = True,
        sees: bool = False,
        instead: Instead = "give_up",
    ) -> None:
        self._backbone = backbone
        self._graph = graph if knows else NOTHING_KNOWN
        self._verbs = frozenset(verbs)
        self._is_whole = is_whole
        self._knows = knows
        self._checks = checks and knows
        self._sees = sees
        self._instead = instead

    def plan(
        self, asks: Sequence[Ask], seen: Sequence[Seen], lessons: Sequence[Lessons]
    ) -> list[Plan]:
        """Return for each row the sub-goals that lead from the held items to the goal.

        A plan's `problems` list all faults of the backbone's answers. An impossible goal gives an empty plan
        with the reason in `problems`. A goal that is reached already gives an empty plan without problems.
        """
        needs = [self._needs(ask) for ask in asks]
        judging = judging_by(self._graph, self._is_whole) if self._checks else None
        questions = [
            Question(
                ask.situation,
                self._request(ask, sight, told, needed),
                self._graph,
                needed.steps,
                judging,
                sight.problems,
            )
            for ask, sight, told, needed in zip(asks, seen, lessons, needs, strict=True)
            if isinstance(needed, Needed)
        ]
        answered = zip(plans_for(self._backbone, questions), questions, strict=True)
        made = (with_instead(plan, question, self._instead) for plan, question in answered)
        return [needed if isinstance(needed, Plan) else next(made) for needed in needs]

    def _needs(self, ask: Ask) -> Needed | Plan:
        """Return what a row's goal needs; an empty plan if the goal is reached or impossible."""
        if is_reached(ask.situation):
            return Plan(())
        if not self._knows:
            return Needed()
        needed = needed_for(ask, self._graph)
        if needed.too_much or (needed.unknown and self._is_whole):
            return Plan((), "", (needed.too_much or needed.unknown,))
        return needed

    def _request(self, ask: Ask, seen: Seen, lessons: Lessons, needed: Needed) -> Request:
        verbs = plan_verbs(ask.situation.goal, self._verbs)
        told = needed if self._knows else None
        return plan_question(ask, seen, lessons, told, verbs, self._sees)


class GoalPlanner:
    """No planning: the plan is the goal itself, in the task's words (Optimus-1, Table 2, the first row).

    Args:
        graph: names the tool and the station that the goal needs.
    """

    def __init__(self, graph: KnowledgeGraph) -> None:
        self._graph = graph

    def plan(
        self, asks: Sequence[Ask], seen: Sequence[Seen], lessons: Sequence[Lessons]
    ) -> list[Plan]:
        """Return for each row a plan of one sub-goal: the goal, for the pieces that the player lacks."""
        return [goal_as_plan(ask.situation, self._graph, in_words=True) for ask in asks]
