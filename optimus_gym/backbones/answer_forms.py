"""The rules' answers by the form that a request asks for: the fact `answer` of a request."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Final

from optimus_gym.backbones.call_plans import plan_in_calls
from optimus_gym.backbones.explaining import explanation_for
from optimus_gym.backbones.next_actions import action_at_once, action_with_thought
from optimus_gym.backbones.objective_answers import plan_in_objectives
from optimus_gym.backbones.patrol_answers import (
    all_questions,
    match_of,
    next_question,
    verdict_after,
    verdict_before,
)
from optimus_gym.backbones.plain_verdicts import plain_verdict
from optimus_gym.backbones.program_plans import plan_as_calls, plan_as_program
from optimus_gym.backbones.step_plans import plan_in_steps
from optimus_gym.backbones.workflow_plans import plan_in_workflow

FORM_ANSWERS: Final[Mapping[str, tuple[str, Callable[[Mapping[str, Any]], str]]]] = (
    MappingProxyType(
        {
            "calls": ("goal", plan_in_calls),
            "explanation": ("failed_step", explanation_for),
            "steps": ("goal", plan_in_steps),
            "action": ("goal", action_at_once),
            "thought, action": ("goal", action_with_thought),
            "program": ("goal", plan_as_program),
            "program without conditions": ("goal", plan_as_calls),
            "verdict": ("subgoal", plain_verdict),
            "objectives": ("goal", plan_in_objectives),
            "workflow": ("goal", plan_in_workflow),
            "check before": ("act", verdict_before),
            "check after": ("act", verdict_after),
            "next question": ("act", next_question),
            "all questions": ("act", all_questions),
            "match": ("act", match_of),
        }
    )
)
"""By form, the fact without which no answer is possible, and the function that writes the answer."""


def answer_in_form(facts: Mapping[str, Any]) -> str | None:
    """Return the rules' answer to a request that names a form of the answer; None for any other request.

    Args:
        facts: the facts of a request (`prompts.lines`).
    """
    needs, write = FORM_ANSWERS.get(facts.get("answer", ""), ("", None))
    return None if write is None or needs not in facts else write(facts)
