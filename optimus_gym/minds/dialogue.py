"""A row's dialogue with the backbone: question, answer, corrections, until an answer can be used."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from optimus_gym.backbones.parse.deeds import Found
from optimus_gym.backbones.parse.plans import parse_plan
from optimus_gym.core.deliberation import PlannedBy
from optimus_gym.core.interfaces import Backbone
from optimus_gym.core.requests import Reply, Request
from optimus_gym.core.situation import Situation
from optimus_gym.knowledge.knowledge_graph import KnowledgeGraph
from optimus_gym.knowledge.requirements import Requirements
from optimus_gym.minds.completion import complete
from optimus_gym.minds.facts import MIND_PROMPTS
from optimus_gym.minds.planning import Plan, Setback
from optimus_gym.minds.self_check import Fault, Judging, faults_of
from optimus_gym.prompts.template import render

CORRECTIONS: Final = 2
"""Maximum number of corrections of a plan: our choice."""
_LEFT_OUT: Final = "the checks below skip the steps that could not be read"
_CUT: Final = (
    "expected a whole answer, got an answer cut off at its token limit; think less and "
    "answer shorter"
)


@dataclass(frozen=True, slots=True)
class Question:
    """A row's request for a plan, and the means to read the backbone's answers.

    Attributes:
        situation: the row's situation.
        request: the first request to the backbone.
        graph: the knowledge graph, which fills in kinds, tools, stations and places of sub-goals.
        needed: requirements of the goal by the graph; None if the graph shows no way to the goal.
        judging: the rules that check plans; None: plans are not checked.
        problems: faults in the reading of the screen, in words.
        read: reads an answer, given the stations in reach.
        page: the shared prompt that asks for a correction, which names the form of the answer.
        acts: whether a search ("find") is an act of its own, and not another word for mining.
    """

    situation: Situation
    request: Request
    graph: KnowledgeGraph
    needed: Requirements | None = None
    judging: Judging | None = None
    problems: tuple[str, ...] = ()
    read: Callable[[str, Collection[str]], Found] = parse_plan
    page: str = "correct"
    acts: bool = False


def plans_for(backbone: Backbone, questions: Sequence[Question]) -> list[Plan]:
    """Return the backbone's plan for each question; the plan is empty if no answer holds a plan.

    One call asks the backbone all questions that have no usable answer yet. The backbone may correct its
    answer twice. A plan that is faulty after the last correction is cut before its first faulty step.
    """
    talks = [Dialogue(question) for question in questions]
    for _ in range(1 + CORRECTIONS):
        still = [talk for talk in talks if not talk.is_over]
        if not still:
            break
        replies = backbone.complete([talk.request for talk in still])
        for talk, reply in zip(still, replies, strict=True):
            talk.hear(reply)
    return [talk.plan for talk in talks]


@dataclass(slots=True)
class Dialogue:
    """One row's question for a plan, and the backbone's answers so far.

    Attributes:
        question: the row's question.
        request: the next request to the backbone.
        is_over: whether the dialogue has ended.
        text: the latest answer.
        answers: the number of different answers.
        corrections: the number of requests that corrected an answer.
        problems: faults of all answers, in words.
        best: from the latest answer whose first sub-goal has no fault: the sub-goals before the first fault,
            and this fault.
    """

    question: Question
    request: Request = field(init=False)
    is_over: bool = False
    text: str = ""
    answers: int = 0
    corrections: int = 0
    problems: list[str] = field(default_factory=list)
    best: Plan = field(default_factory=lambda: Plan(()))

    def __post_init__(self) -> None:
        self.request = self.question.request

    @property
    def plan(self) -> Plan:
        """Return the plan that the dialogue has led to."""
        by: PlannedBy = "backbone" if self.best.subgoals else ""
        return replace(
            self.best,
            text=self.best.text or self.text,
            problems=(*self.problems, *self.question.problems),
            planned_by=by,
            corrections=self.corrections,
        )

    def hear(self, reply: Reply) -> None:
        """Read an answer; the dialogue ends if the answer is sound, missing, or the same as the last answer.

        The dialogue does not repeat a request that got no answer, because the backbone has repeated it
        already.
        """
        self.corrections = self.answers
        if self.answers and reply.text == self.text:
            self.is_over = True
            return
        self.answers += 1
        self.text = reply.text
        if reply.faults and not reply.text:
            self.is_over = True
            self._note([f"no answer: {fault}" for fault in reply.faults])
            return
        faults = [_CUT] if reply.cut else self._read(reply.text)
        self._note(faults)
        self.is_over = not faults
        if faults:
            self.request = replace(self.question.request, text=self._correction(faults))

    def _note(self, faults: Sequence[str]) -> None:
        self.problems += [f"answer {self.answers}: {fault}" for fault in faults]

    def _correction(self, faults: Sequence[str]) -> str:
        return render(
            MIND_PROMPTS,
            self.question.page,
            {
                "request": self.question.request.text,
                "answer": self.text,
                "problems": "\n".join(faults),
            },
        )

    def _read(self, text: str) -> list[str]:
        """Store the part of a text's plan before the first fault, and return all faults of the text."""
        asked = self.question
        read, unread, steps = asked.read(text, asked.situation.stations)
        goal = asked.situation.goal
        subgoals = complete(read, asked.graph, asked.needed, goal, asked.acts)
        wrong = list(unread)
        faults: list[Fault] = []
        if asked.judging is not None and (subgoals or not unread):
            faults, missed = faults_of(subgoals, asked.situation, asked.judging, steps)
            told = [*map(str, faults), *([missed] if missed is not None else [])]
            wrong += [_LEFT_OUT] if unread and told else []
            wrong += told
        sound, stops = subgoals, None
        if faults:
            sound = subgoals[: faults[0].place]
            stops = Setback(faults[0].subgoal, faults[0].lacks[0])
        if sound:
            self.best = Plan(sound, text, stops=stops)
        return wrong
