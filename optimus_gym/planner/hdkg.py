"""The knowledge-guided planner (Optimus-1, section 2.2): sub-graph and situation in, checked plan out."""

from collections.abc import Mapping, Sequence
from typing import Any

from optimus_gym.backbones.rules import RulesBackbone
from optimus_gym.core.protocols import Backbone
from optimus_gym.core.requests import Request
from optimus_gym.core.situation import Situation
from optimus_gym.core.types import FUNCTIONAL_VERBS, RECOVER, VERBS, Plan, SubGoal
from optimus_gym.knowledge.knowledge_graph import KnowledgeGraph
from optimus_gym.knowledge.pockets import TooMuch
from optimus_gym.knowledge.policy import Unobtainable
from optimus_gym.knowledge.requirements import Requirements
from optimus_gym.planner.ask import Ask, Setback
from optimus_gym.planner.check import rules_for
from optimus_gym.planner.experience import Experiences
from optimus_gym.planner.facts import failure_facts, situation_facts, step_facts
from optimus_gym.planner.sight import Eyes
from optimus_gym.planner.talk import Talk
from optimus_gym.planner.unplanned import NoPlanner
from optimus_gym.prompts.lines import lines_of
from optimus_gym.prompts.template import render

CORRECTIONS = 2
"""How often a backbone is told what is wrong with its plan before the rules make it."""

PATIENCE = 2.0
"""Times as long as trying again that another way may take: our choice."""
Rows = tuple[dict[str, Any], ...]
NOT_HELD = ("equip", "place", "find")
"""Verbs of goals that holding the item does not reach."""
ALWAYS = ("mine", "craft", "smelt", "equip", "place")
"""Verbs that every world has."""


class HdkgPlanner:
    """Plans over the knowledge graph; it keeps no episode in mind and serves any number of rows.

    Args:
        backbone: writes the plans.
        graph: what is known.
        eyes: read the screen.
        experiences: find what came of like tasks; None: nothing is remembered.
        knows: whether the backbone is told what the graph says is needed; if not, nothing is tried by it.
        checks: whether a plan is tried on the inventory before it is used.
        sees: whether the requests carry the situation's picture.
        recovers: whether a plan may ask to recover from a predicament.
        ventures: whether a goal to which no way is known is handed out as it is, since what is known may
            not be all; else the plan is empty.
    """

    def __init__(
        self,
        backbone: Backbone,
        graph: KnowledgeGraph,
        eyes: Eyes | None = None,
        experiences: Experiences | None = None,
        *,
        knows: bool = True,
        checks: bool = True,
        sees: bool = False,
        recovers: bool = False,
        ventures: bool = False,
    ) -> None:
        self.backbone = backbone
        self.graph = graph
        self.eyes = Eyes() if eyes is None else eyes
        self.experiences = experiences
        self.knows = knows
        self.checks = checks
        self.sees = sees
        self.recovers = recovers
        self.ventures = ventures

    def plan(self, asks: Sequence[Ask]) -> list[Plan]:
        """Return the sub-goals that lead from what is held to each row's goal.

        All open questions of a round go to the backbone at once. What it gets wrong it is told, at most
        twice; then the rules make the plan. All that was wrong stands in the plan's `problems`. A goal
        that cannot be reached gives an empty plan and says why, one that is reached already an empty plan
        without a word. What was not found is got another way if there is one that takes at most
        `PATIENCE` times as long as looking for it again.
        """
        begun = [self._begin(ask) for ask in asks]
        talks = self._talks(
            [
                (ask, found)
                for ask, found in zip(asks, begun, strict=True)
                if not isinstance(found, Plan)
            ]
        )
        rules = rules_for(self.graph) if self.checks and self.knows else None
        for _ in range(1 + CORRECTIONS):
            still = [talk for talk in talks if not talk.closed]
            if not still:
                break
            replies = self.backbone.complete([talk.request for talk in still])
            for talk, reply in zip(still, replies, strict=True):
                talk.hear(reply, self.graph, rules)
        for talk in talks:
            if not talk.sound and self.backbone.name != RulesBackbone.name:
                talk.take_over(self.graph, rules)
        told = iter(talks)
        return [found if isinstance(found, Plan) else next(told).plan for found in begun]

    def _begin(self, ask: Ask) -> Plan | Requirements | None:
        """Return what a row's goal takes, None where nobody knows, or the plan where nothing is to ask."""
        situation, goal = ask.situation, ask.situation.goal
        held = sum(situation.inventory.get(name, 0) for name in goal.kinds)
        if held >= goal.count and goal.verb not in NOT_HELD:
            return Plan(())
        if not self.knows:
            return None
        try:
            return self._needed(situation, _hopeless(ask.setback))
        except TooMuch as error:
            return Plan((), "", (str(error),))
        except Unobtainable as error:
            unplanned = NoPlanner(self.graph).plan([ask])[0].subgoals if self.ventures else ()
            return Plan(unplanned, "", (str(error),))

    def _talks(self, open_asks: Sequence[tuple[Ask, Requirements | None]]) -> list[Talk]:
        """Return the talks about plans that the backbone is to make; all rows look at once."""
        if not open_asks:
            return []
        situations = [ask.situation for ask, _ in open_asks]
        sights = self.eyes.see(situations)
        known = {*ALWAYS, *(source.verb for source in self.graph.sources)}
        if self.recovers:
            known.add(RECOVER)
        remembered: Sequence[Rows] = [()] * len(situations)
        if self.experiences is not None:
            remembered = self.experiences.of(situations)
        talks = []
        for (ask, needed), sight, rows in zip(open_asks, sights, remembered, strict=True):
            facts = situation_facts(ask.situation, _verbs(known, ask.situation.goal))
            facts |= {**sight.words, "experiences": rows}
            if self.knows:
                facts["steps"] = step_facts(needed)
            question = self._question(ask, facts)
            talks.append(Talk(ask.situation, needed, question, Plan((), "", sight.problems)))
        return talks

    def _question(self, ask: Ask, facts: Mapping[str, Any]) -> Request:
        """Return the request for a plan by what is known."""
        kind, situation = "plan", ask.situation
        if ask.setback is not None:
            kind, facts = "replan", {**facts, **failure_facts(ask.setback)}
        kind += "" if self.knows else "_unaided"
        seen = situation.picture if self.sees else None
        images = () if seen is None else (seen.look(),)
        text = render(kind, lines_of(facts))
        return Request(kind, text, images, facts, situation.row, situation.seed, situation.tick)

    def _needed(self, situation: Situation, avoid: tuple[str, ...]) -> Requirements | None:
        """Return what the graph says is needed, for the goal's cheapest kind; None if nothing is.

        Gathering `avoid` is left out if that is no long way round.
        """
        goal = situation.goal
        held = sum(situation.inventory.get(name, 0) for name in goal.kinds)
        if goal.verb == "find" or held >= goal.count:
            return None  # an item that is held is worn or placed; nothing has to be got for it
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
