"""The rules as MP5's parser: a task as sub-objectives, each with material, tool, platform and tips.

The rules chain the ways of the request from the goal to the held items. After a failure they repeat the
sub-objectives that are left, preceded by those that get what the patroller's feedback says is lacking.
"""

import json
from collections.abc import Mapping
from typing import Any

from optimus_gym.backbones.call_plans import steps_for
from optimus_gym.backbones.chaining import ChainStep, Known
from optimus_gym.prompts.words import in_words


def plan_in_objectives(facts: Mapping[str, Any]) -> str:
    """Return sub-objectives as a JSON list, from the facts of a request (`prompts.lines`)."""
    known = Known(facts)
    return json.dumps([_entry(step, known) for step in steps_for(facts)])


def _entry(step: ChainStep, known: Known) -> dict[str, Any]:
    way = known.way(step.item)
    return {
        "task": f"{step.verb} {in_words(step.item)}",
        "quantity": step.count,
        "material": dict(step.uses) | dict.fromkeys(step.holds, 1),
        "tool": step.tool,
        "platform": step.station,
        "tips": way.note if way is not None and way.verb == step.verb else "",
    }
