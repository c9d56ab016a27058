"""Requests of MP5's modules to the backbone: parser, planner, patroller, percipient."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from optimus_gym.backbones.sought_things import ASPECTS
from optimus_gym.core.requests import Request, picture_mark
from optimus_gym.core.situation import Situation
from optimus_gym.core.types import SubGoal
from optimus_gym.minds.facts import situation_facts, step_row
from optimus_gym.minds.plain_planner import request_for

MP5_PROMPTS: Final = "optimus_gym.agents.mp5.prompts"
"""The package of MP5's prompts."""
FurtherFacts = Mapping[str, Any]
"""Facts of a request (`prompts.lines`)."""


def parser_question(situation: Situation, told: FurtherFacts) -> Request:
    """Return the parser's request for sub-objectives: goal, held things, and the facts `told`."""
    here = situation_facts(situation)
    facts = {
        "answer": "objectives",
        "goal": here["goal"],
        "inventory": here["inventory"],
        "stations": here["stations"],
        **told,
    }
    return request_for("parse", MP5_PROMPTS, "mp5_parse", facts, situation)


def planner_question(
    situation: Situation, goal: tuple[str, str, int], told: FurtherFacts
) -> Request:
    """Return the planner's request for the actions of a sub-objective.

    Args:
        situation: the row's situation.
        goal: verb, item and count of the sub-objective.
        told: further facts; after a failure also `failed_step` and `explanation`.
    """
    here = situation_facts(situation)
    facts = {
        "answer": "workflow",
        "goal": goal,
        "inventory": here["inventory"],
        "equipped": here["equipped"],
        "stations": here["stations"],
        "height": round(situation.height),
        **told,
    }
    kind = "plan" if "failed_step" not in told else "replan"
    return request_for(kind, MP5_PROMPTS, "mp5_plan", facts, situation)


def check_question(situation: Situation, phase: str, act: SubGoal, told: FurtherFacts) -> Request:
    """Return the patroller's request for a check.

    Args:
        situation: the row's situation.
        phase: "before" or "after".
        act: the action, or the sub-objective whose last action has ended.
        told: further facts: the way before the action; gained pieces and the failure after it.
    """
    facts: dict[str, Any] = {"answer": f"check {phase}", "act": step_row(act)}
    if phase == "before":
        here = situation_facts(situation)
        facts |= {name: here[name] for name in ("inventory", "equipped", "stations")}
    facts |= told
    return request_for("check", MP5_PROMPTS, "mp5_check", facts, situation)


def inquiry_question(
    situation: Situation, form: str, act: tuple[str, str, int], told: FurtherFacts
) -> Request:
    """Return the patroller's request about the picture.

    Args:
        situation: the row's situation.
        form: "next question", "all questions" or "match".
        act: verb, item and count of the action that wants to see its item.
        told: what is known of the picture: `screen` (answers by aspect) or `sees` (a description).
    """
    facts = {
        "answer": form,
        "task": " ".join(situation.instruction.split()),
        "act": act,
        "aspects": ASPECTS,
        **told,
    }
    page = "mp5_match" if form == "match" else "mp5_inquire"
    return request_for("inquire", MP5_PROMPTS, page, facts, situation)


def sight_question(situation: Situation, questions: Sequence[tuple[str, str]]) -> Request:
    """Return the percipient's request to a model that sees: a question about the picture, or all of it.

    Args:
        situation: the row's situation, with a picture.
        questions: (aspect, thing) of each question; empty: the model describes the picture.
    """
    assert situation.picture is not None, "only rows with a picture are asked"
    asked = "; ".join(f"{aspect}: {thing}" for aspect, thing in questions)
    facts = {"question": asked or "describe everything", "pictures": picture_mark(1)}
    page = "mp5_answer" if questions else "mp5_describe"
    images = (situation.picture.look(),)
    return request_for("perceive", MP5_PROMPTS, page, facts, situation, images)
