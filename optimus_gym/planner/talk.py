"""A row's talk with the backbone: asked, answered, corrected, until its plan is sound or the rules'."""

from dataclasses import dataclass, field, replace

from optimus_gym.backbones.parse.plans import parse
from optimus_gym.backbones.rules import RulesBackbone
from optimus_gym.core.requests import Reply, Request
from optimus_gym.core.situation import Situation
from optimus_gym.core.types import Plan
from optimus_gym.knowledge.knowledge_graph import KnowledgeGraph
from optimus_gym.knowledge.requirements import Requirements
from optimus_gym.planner.check import faults_of
from optimus_gym.planner.completion import complete
from optimus_gym.prompts.template import render
from optimus_gym.worlds.symbolic.rules import Rules

_RULES = RulesBackbone()
LEFT_OUT = "what follows takes the steps that could not be read as left out"
CUT = (
    "expected a whole answer, got one cut off at its limit of tokens; think less and answer shorter"
)


@dataclass(slots=True)
class Talk:
    """One row's question and what has come of it.

    Attributes:
        situation: the row's.
        needed: what the knowledge graph says is needed; None where it is not asked.
        question: the first request.
        request: what to ask next.
        plan: the latest answer; what all answers got wrong stands in its problems.
        closed: whether there is nothing more to ask.
        sound: whether the latest answer could be used.
        answers: how many different ones there were.
    """

    situation: Situation
    needed: Requirements | None
    question: Request
    plan: Plan = field(default_factory=lambda: Plan(()))
    request: Request = field(init=False)
    closed: bool = False
    sound: bool = False
    answers: int = 0

    def __post_init__(self) -> None:
        self.request = self.question

    def hear(self, reply: Reply, graph: KnowledgeGraph, rules: Rules | None) -> None:
        """Take in an answer: it closes the talk if it is sound, none, or the same as the one before.

        The backbone itself asks again where a server failed, so that the talk does not.

        Args:
            reply: the answer.
            graph: fills in what sub-goals need.
            rules: by which the plan is tried; None: it is not.
        """
        if self.answers and reply.text == self.plan.text:
            self.closed = True
            return
        self.answers += 1
        unanswered = bool(reply.faults) and not reply.text
        if unanswered or reply.cut:
            plan = Plan((), reply.text)
            faults = [f"no answer: {fault}" for fault in reply.faults] if unanswered else [CUT]
        else:
            plan, faults = self._read(reply.text, graph, rules)
        problems = (f"answer {self.answers}: {found}" for found in faults)
        self.plan = replace(plan, problems=(*self.plan.problems, *problems))
        self.sound = not faults
        self.closed = self.sound or unanswered
        if faults and reply.text:
            values = {
                "request": self.question.text,
                "answer": reply.text,
                "problems": "\n".join(faults),
            }
            self.request = replace(self.question, text=render("correct", values))

    def take_over(self, graph: KnowledgeGraph, rules: Rules | None) -> None:
        """Let the rules answer the first request; their plan is used as it is."""
        (reply,) = _RULES.complete([self.question])
        plan, _ = self._read(reply.text, graph, rules)
        problems = (*self.plan.problems, "the rules took over")
        self.plan = replace(plan, problems=problems, taken_over=True)

    def _read(
        self, text: str, graph: KnowledgeGraph, rules: Rules | None
    ) -> tuple[Plan, list[str]]:
        """Return the plan that a text holds, and what is wrong with it."""
        read, unread, steps = parse(text, self.situation.stations)
        subgoals = complete(read, graph, self.needed, self.situation.goal)
        if rules is None or (unread and not subgoals):
            return Plan(subgoals, text), list(unread)
        faults = faults_of(subgoals, self.situation, rules, steps)
        if unread and faults:
            unread = (*unread, LEFT_OUT)
        return Plan(subgoals, text), [*unread, *faults]
