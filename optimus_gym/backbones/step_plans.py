"""The rules' plans as JSON steps from the known ways in a request, with equipping and placing spelled out."""

import json
from collections.abc import Mapping
from typing import Any

from optimus_gym.backbones.bare import plan_step
from optimus_gym.backbones.call_plans import call_of, goal_steps
from optimus_gym.backbones.chaining import Known
from optimus_gym.backbones.parse.plans import parse_plan
from optimus_gym.core.types import SubGoal
from optimus_gym.prompts.words import word_for


def plan_in_steps(facts: Mapping[str, Any]) -> str:
    """Return the rules' plan in this package's JSON form, from the facts of a request (`prompts.lines`)."""
    steps = [plan_step(*worded_step(subgoal)) for subgoal in spelled_out(facts)]
    return json.dumps({f"step {n}": step for n, step in enumerate(steps, start=1)})


def spelled_out(facts: Mapping[str, Any]) -> tuple[SubGoal, ...]:
    """Return the chain to the goal as sub-goals, which equip each tool and place each station before use."""
    calls = map(call_of, goal_steps(facts, Known(facts)))
    return parse_plan("\n".join(calls), facts.get("stations", ())).subgoals


def worded_step(subgoal: SubGoal) -> tuple[str, str, int]:
    """Return verb, word for the item, and count of a sub-goal."""
    return subgoal.verb, word_for(subgoal.item, subgoal.kinds), subgoal.count
