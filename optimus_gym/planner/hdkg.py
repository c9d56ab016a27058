"""The knowledge-guided planner (Optimus-1, section 2.2): sub-graph and situation in, checked plan out."""

from collections.abc import Sequence

from optimus_gym.core.protocols import Backbone
from optimus_gym.core.requests import Request
from optimus_gym.core.situation import Situation
from optimus_gym.core.types import FUNCTIONAL_VERBS, VERBS, Plan, SubGoal
from optimus_gym.knowledge.knowledge_graph import KnowledgeGraph
from optimus_gym.knowledge.pockets import TooMuch
from optimus_gym.knowledge.policy import Unobtainable
from optimus_gym.knowledge.requirements import Requirements
from optimus_gym.planner.ask import Ask, Setback
from optimus_gym.planner.check import rules_for
from optimus_gym.planner.facts import facts_of, failure_facts, lines_of
from optimus_gym.planner.talk import Talk
from optimus_gym.planner.unplanned import NoPlanner
from optimus_gym.prompts.template import render

CORRECTIONS = 2
"""How often a backbone is told what is wrong with its plan before the plan is used as it is."""

PATIENCE = 2.0
"""Times as long as trying again that another way may take: our choice."""
NOT_HELD = ("equip", "place", "find")
"""Verbs of goals that holding the item does not reach."""
ALWAYS = ("mine", "craft", "smelt", "equip", "place")
"""Verbs that every world has."""


class HdkgPlanner:
    """Plans over the knowledge graph; it keeps no episode in mind and serves any number of rows.

    Args:
        backbone: writes the plans.
        graph: what is known.
        sees: whether the requests carry the situation's picture.
        ventures: whether a goal to which no way is known is handed out as it is, since what is known may
            not be all; else the plan is empty.
    """

    def __init__(
        self,
        backbone: Backbone,
        graph: KnowledgeGraph,
        *,
        sees: bool = False,
        ventures: bool = False,
    ) -> None:
        self.backbone = backbone
        self.graph = graph
        self.sees = sees
        self.ventures = ventures

    def plan(self, asks: Sequence[Ask]) -> list[Plan]:
        """Return the sub-goals that lead from what is held to each row's goal.

        All open questions of a round go to the backbone at once. What it gets wrong stands in the
        plan's `problems`; a goal that cannot be reached gives an empty plan and says why, one that
        is reached already an empty plan without a word. What was not found is got another way if
        there is one that takes at most `PATIENCE` times as long as looking for it again.
        """
        known = {*ALWAYS, *(source.verb for source in self.graph.sources)}
        begun = [self._begin(ask, known) for ask in asks]
        talks = [talk for talk in begun if isinstance(talk, Talk)]
        rules = rules_for(self.graph)
        for _ in range(1 + CORRECTIONS):
            still = [talk for talk in talks if not talk.closed]
            if not still:
                break
            replies = self.backbone.complete([talk.request for talk in still])
            for talk, reply in zip(still, replies, strict=True):
                talk.hear(reply.text, self.graph, rules)
        return [talk.plan if isinstance(talk, Talk) else talk for talk in begun]

    def _begin(self, ask: Ask, known: set[str]) -> Talk | Plan:
        """Return what to ask the backbone, or the plan where there is nothing to ask."""
        situation, setback = ask.situation, ask.setback
        goal = situation.goal
        try:
            needed = self._needed(situation, _hopeless(setback))
        except TooMuch as error:
            return Plan((), "", (str(error),))
        except Unobtainable as error:
            unplanned = NoPlanner(self.graph).plan([ask])[0].subgoals if self.ventures else ()
            return Plan(unplanned, "", (str(error),))
        if needed is None and goal.verb not in NOT_HELD:
            return Plan(())
        facts = facts_of(situation, needed, _verbs(known, goal))
        failure = {} if setback is None else failure_facts(setback)
        kind = "plan" if setback is None else "replan"
        text = render(kind, **lines_of(facts), **failure)
        seen = situation.picture if self.sees else None
        images = () if seen is None else (seen.look(),)
        request = Request(kind, text, images, {**facts, **failure}, situation.row)
        return Talk(situation, needed, request)

    def _needed(self, situation: Situation, avoid: tuple[str, ...]) -> Requirements | None:
        """Return what the graph says is needed, for the goal's cheapest kind; None if nothing is.

        Gathering `avoid` is left out if that is no long way round.
        """
        goal = situation.goal
        held = sum(situation.inventory.get(name, 0) for name in goal.kinds)
        if goal.verb == "find" or held >= goal.count:
            return None
        found: list[Requirements] = []
        failed: Unobtainable | TooMuch | None = None
        for kind in goal.kinds:
            left, inventory = _left(situation, kind)
            try:
                found.append(
                    self.graph.requirements(kind, left, inventory, stations=situation.stations)
                )
            except (Unobtainable, TooMuch) as error:
                failed = failed or error
        if not found:
            assert failed is not None, "a goal has at least one kind"
            raise failed
        best = min(found, key=lambda needed: needed.ticks)
        return self._another_way(situation, avoid, best) if avoid else best

    def _another_way(
        self, situation: Situation, avoid: tuple[str, ...], again: Requirements
    ) -> Requirements:
        """Return what is needed without gathering `avoid`, if that is no long way round."""
        best = again
        for kind in situation.goal.kinds:
            most = best.ticks if best is not again else PATIENCE * again.ticks
            left, inventory = _left(situation, kind)
            other = self.graph.detour(
                kind, left, inventory, stations=situation.stations, avoid=avoid, most=most
            )
            best = other or best
        return best


def _verbs(known: set[str], goal: SubGoal) -> tuple[str, ...]:
    """Return the verbs that a plan may use."""
    return tuple(verb for verb in VERBS if verb in known or verb == goal.verb)


def _hopeless(setback: Setback | None) -> tuple[str, ...]:
    """Return the items that are not to be looked for again."""
    if setback is None or setback.failed.verb in FUNCTIONAL_VERBS:
        return ()
    hopeless = setback.why.reason in ("not_found", "stuck", "timeout")
    return setback.failed.kinds if hopeless else ()


def _left(situation: Situation, kind: str) -> tuple[int, dict[str, int]]:
    """Return how many of a kind must be held for the goal, and what may be used up for it.

    Pieces of the goal's other kinds count for the goal and stay.
    """
    goal = situation.goal
    others = set(goal.kinds) - {kind}
    held = sum(situation.inventory.get(name, 0) for name in others)
    return goal.count - held, {n: c for n, c in situation.inventory.items() if n not in others}
