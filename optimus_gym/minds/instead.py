"""Substitutes for a plan that a backbone failed to give: giving up, the goal alone, or the rules' plan."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final, Literal

from optimus_gym.backbones.bare import bare_steps
from optimus_gym.backbones.parse.plans import parse_plan
from optimus_gym.backbones.rules import RulesBackbone, answer_to
from optimus_gym.core.checks import check_name
from optimus_gym.core.interfaces import Backbone
from optimus_gym.core.situation import Situation
from optimus_gym.core.types import SubGoal
from optimus_gym.knowledge.knowledge_graph import KnowledgeGraph
from optimus_gym.minds.completion import complete
from optimus_gym.minds.dialogue import Question
from optimus_gym.minds.planning import Plan
from optimus_gym.prompts.lines import facts_in

Instead = Literal["give_up", "goal", "rules"]
INSTEAD: Final = ("give_up", "goal", "rules")


def check_instead(value: object, backbone: Backbone | None = None) -> Instead:
    """Return a checked value of the option `on_no_plan`; for None, return the backbone's default.

    The default is "goal" for the backbone `rules`, and "give_up" for every other backbone.

    Raises:
        UnknownName: the value is not in `INSTEAD`.
    """
    if value is None:
        return "goal" if backbone is not None and backbone.name == RulesBackbone.name else "give_up"
    chosen: Instead = check_name("on_no_plan", value, INSTEAD)  # type: ignore[assignment]
    return chosen


def with_instead(plan: Plan, question: Question, instead: Instead) -> Plan:
    """Return a plan, or its substitute if the plan is empty; the substitute's problems say who made it."""
    if plan.subgoals or instead == "give_up":
        return plan
    if instead == "rules":
        text = answer_to(question.request.text)
        read = parse_plan(text, question.situation.stations).subgoals
    else:
        facts = facts_in(question.request.text)
        assert facts is not None, "the request is ours"
        read = tuple(
            one for step in bare_steps(facts) for one in parse_plan(f"1. {step['task']}").subgoals
        )
    subgoals = complete(read, question.graph, question.needed, question.situation.goal)
    told = "the rules took over" if instead == "rules" else "the bare goal is pursued"
    return replace(
        plan,
        subgoals=subgoals,
        problems=(*plan.problems, told),
        planned_by=instead if subgoals else "",
    )


def goal_as_plan(situation: Situation, graph: KnowledgeGraph, in_words: bool = False) -> Plan:
    """Return a plan with one sub-goal: the goal, less the pieces held.

    Args:
        situation: the row's situation, with the goal.
        graph: names the goal's tool and station; the plan does not get the ingredients.
        in_words: whether the sub-goal's prompt is the task's text (Optimus-1, Table 2, the first row).
    """
    goal = situation.goal
    held = sum(situation.inventory.get(name, 0) for name in goal.kinds)
    left = replace(goal, count=max(goal.count - held, 1))
    subgoals: Sequence[SubGoal] = complete((left,), graph, None, goal)
    if in_words:
        subgoals = [replace(one, text=situation.instruction) for one in subgoals]
    return Plan(tuple(subgoals), left.text or str(left))
