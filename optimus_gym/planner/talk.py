"""A row's talk with the backbone: asked, answered, corrected, until its plan is sound."""

from dataclasses import dataclass, field, replace

from optimus_gym.backbones.parse import parse
from optimus_gym.core.requests import Request
from optimus_gym.core.situation import Situation
from optimus_gym.core.types import Plan
from optimus_gym.knowledge.knowledge_graph import KnowledgeGraph
from optimus_gym.knowledge.requirements import Requirements
from optimus_gym.planner.check import fault_of
from optimus_gym.planner.completion import complete
from optimus_gym.prompts.template import render
from optimus_gym.worlds.symbolic.rules import Rules


@dataclass(slots=True)
class Talk:
    """One row's question and what has come of it.

    Attributes:
        situation: the row's.
        needed: what the knowledge graph says is needed.
        question: the first request.
        request: what to ask next.
        plan: the latest answer; what all answers got wrong stands in its problems.
        closed: whether there is nothing more to ask.
        answers: how many different ones there were.
    """

    situation: Situation
    needed: Requirements | None
    question: Request
    request: Request = field(init=False)
    plan: Plan = field(default_factory=lambda: Plan(()))
    closed: bool = False
    answers: int = 0

    def __post_init__(self) -> None:
        self.request = self.question

    def hear(self, text: str, graph: KnowledgeGraph, rules: Rules) -> None:
        """Take in an answer: it closes the talk if it is sound, or the same as the one before."""
        if self.answers and text == self.plan.text:
            self.closed = True
            return
        self.answers += 1
        read, unread = parse(text)
        subgoals = complete(read, graph, self.needed, self.situation.goal)
        fault = fault_of(subgoals, self.situation, rules)
        faults = [*unread, *([fault] if fault is not None else [])]
        problems = (f"answer {self.answers}: {found}" for found in faults)
        self.plan = Plan(subgoals, text, (*self.plan.problems, *problems))
        self.closed = not faults
        if faults:
            asked = render(
                "correct", request=self.question.text, answer=text, problems="\n".join(faults)
            )
            self.request = replace(self.question, text=asked)
