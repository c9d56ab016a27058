"""The knowledge-guided planner (Optimus-1, section 2.2): sub-graph and view in, checked plan out."""

from typing import Any, Literal

from optimus_gym.backbones.parse import parse
from optimus_gym.core.protocols import Backbone
from optimus_gym.core.requests import Reply, Request
from optimus_gym.core.types import VERBS, Failure, Plan, PlannerView, SubGoal
from optimus_gym.memory.knowledge_graph import KnowledgeGraph
from optimus_gym.memory.policy import Unobtainable
from optimus_gym.memory.requirements import Requirements
from optimus_gym.planner.check import fault_of, rules_for
from optimus_gym.planner.completion import complete
from optimus_gym.planner.facts import facts_of, failure_facts, lines_of
from optimus_gym.prompts.template import render

CORRECTIONS = 2
"""How often a backbone is told what is wrong with its plan before the plan is used as it is."""

PATIENCE = 2.0
"""Times as long as trying again that another way may take: our choice."""
NOT_HELD = ("equip", "place", "find")
"""Verbs of goals that holding the item does not reach."""
BY_HAND = ("craft", "smelt", "equip", "place")
"""Verbs whose failure says nothing of where things are."""
ALWAYS = ("mine", "craft", "smelt", "equip", "place")
"""Verbs that every world has."""


class HdkgPlanner:
    """Plans over the knowledge graph; it keeps no episode in mind and serves any number of rows.

    Args:
        backbone: writes the plans.
        graph: what is known.
        sees: whether the requests carry the view's picture.
    """

    def __init__(self, backbone: Backbone, graph: KnowledgeGraph, *, sees: bool = False) -> None:
        self.backbone = backbone
        self.graph = graph
        self.sees = sees
        self._size = 0
        self._known = set(ALWAYS)
        self._rules = rules_for(graph)

    def plan(self, goal: SubGoal, view: PlannerView) -> Plan:
        """Return the sub-goals that lead from what is held to the goal.

        `goal.count` is what must be held in the end. What the backbone gets wrong stands in the
        plan's `problems`; a goal that cannot be reached gives an empty plan and says why, one
        that is reached already an empty plan without a word.
        """
        return self._ask("plan", goal, view, {}, ())

    def replan(self, goal: SubGoal, view: PlannerView, failed: SubGoal, why: Failure) -> Plan:
        """Return the sub-goals that are still needed after `failed` failed.

        What was not found is got another way if there is one that takes at most `PATIENCE` times as
        long as looking for it again.
        """
        hopeless = failed.verb not in BY_HAND and why.reason in ("not_found", "stuck", "timeout")
        avoid = failed.kinds if hopeless else ()
        return self._ask("replan", goal, view, failure_facts(failed, why), avoid)

    def _ask(
        self,
        kind: Literal["plan", "replan"],
        goal: SubGoal,
        view: PlannerView,
        failure: dict[str, Any],
        avoid: tuple[str, ...],
    ) -> Plan:
        self._catch_up()
        try:
            needed = self._needed(goal, view)
            if avoid and needed is not None:
                needed = self._another_way(goal, view, avoid, needed)
        except Unobtainable as error:
            return Plan((), "", (str(error),))
        if needed is None and goal.verb not in NOT_HELD:
            return Plan(())
        facts = {**facts_of(goal, view, needed, self._verbs(goal)), **failure}
        text = render(kind, **lines_of(facts), **failure)
        images = (view.frame(),) if self.sees and view.frame is not None else ()
        problems: list[str] = []
        asked, former = text, None
        for attempt in range(1 + CORRECTIONS):
            reply: Reply = self.backbone.complete(Request(kind, asked, images, facts))
            if reply.text == former:
                break
            former = reply.text
            read, unread = parse(reply.text)
            subgoals = complete(read, self.graph, needed, goal)
            fault = fault_of(subgoals, goal, view, self._rules)
            faults = [*unread, *([fault] if fault is not None else [])]
            problems += [f"answer {attempt + 1}: {found}" for found in faults]
            if not faults:
                break
            asked = render("correct", request=text, answer=reply.text, problems="\n".join(faults))
        return Plan(subgoals, reply.text, tuple(problems))

    def _catch_up(self) -> None:
        """Take in what the graph has learned since the last question; it only ever grows."""
        if len(self.graph.sources) != self._size:
            self._size = len(self.graph.sources)
            self._rules = rules_for(self.graph)
            self._known = {*ALWAYS, *(source.verb for source in self.graph.sources)}

    def _verbs(self, goal: SubGoal) -> tuple[str, ...]:
        """Return the verbs that a plan may use."""
        return tuple(verb for verb in VERBS if verb in self._known or verb == goal.verb)

    def _another_way(
        self, goal: SubGoal, view: PlannerView, avoid: tuple[str, ...], again: Requirements
    ) -> Requirements:
        """Return what is needed without gathering `avoid`, if that is no long way round."""
        best = again
        for kind in goal.kinds:
            most = best.ticks if best is not again else PATIENCE * again.ticks
            left, inventory = _left(goal, kind, view)
            other = self.graph.detour(
                kind, left, inventory, stations=view.stations, avoid=avoid, most=most
            )
            best = other or best
        return best

    def _needed(self, goal: SubGoal, view: PlannerView) -> Requirements | None:
        """Return what the graph says is needed, for the goal's cheapest kind; None if nothing is."""
        held = sum(view.inventory.get(name, 0) for name in goal.kinds)
        if goal.verb == "find" or held >= goal.count:
            return None
        found: list[Requirements] = []
        failed: Unobtainable | None = None
        for kind in goal.kinds:
            left, inventory = _left(goal, kind, view)
            try:
                found.append(self.graph.requirements(kind, left, inventory, stations=view.stations))
            except Unobtainable as error:
                failed = failed or error
        if not found:
            assert failed is not None, "a goal has at least one kind"
            raise failed
        return min(found, key=lambda needed: needed.ticks)


def _left(goal: SubGoal, kind: str, view: PlannerView) -> tuple[int, dict[str, int]]:
    """Return how many of a kind must be held for a goal, and what may be used up for it.

    Pieces of the goal's other kinds count for the goal and stay.
    """
    others = set(goal.kinds) - {kind}
    held = sum(view.inventory.get(name, 0) for name in others)
    return goal.count - held, {n: c for n, c in view.inventory.items() if n not in others}
