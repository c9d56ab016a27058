"""MP5's forms of plans, for errors in a backbone's answers: sub-objectives, and workflows of actions.

The steps are those of `plan_forms`: `task` in words, `goal` ([item, count]) and `aid` (tool or station).
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any, Final

from optimus_gym.backbones.plan_forms import PlanForm, SpoilableStep
from optimus_gym.core.checks import is_whole
from optimus_gym.core.errors import BadValue
from optimus_gym.core.plain import read_json
from optimus_gym.core.scaling import MOST_HELD
from optimus_gym.game.sources import STATIONS
from optimus_gym.prompts.words import in_words

_ENTRY: Final = frozenset({"task", "quantity", "material", "tool", "platform", "tips"})
_LEVEL: Final = "y_level"


def entries_of(text: str) -> list[SpoilableStep] | None:
    """Return the steps of a list of sub-objectives in the rules' form; None for any other text."""
    found = _json(text)
    if not isinstance(found, list) or not found or not all(map(_is_entry, found)):
        return None
    steps = []
    for entry in found:
        verb, item = entry["task"].split(" ", 1)
        item = item.replace(" ", "_")
        aid = entry["platform"] or entry["tool"]
        task = f"{verb} {entry['quantity']} {in_words(item)}"
        steps.append({"task": task, "goal": [item, entry["quantity"]], "aid": aid, "entry": entry})
    return steps


def told_entries(steps: Sequence[SpoilableStep], text: str) -> str:
    """Return a list of sub-objectives with other steps."""
    made = []
    for step in steps:
        (item, count), aid = step["goal"], step["aid"]
        aids = {
            "tool": None if aid in STATIONS else aid,
            "platform": aid if aid in STATIONS else None,
        }
        task = f"{step['task'].split()[0]} {in_words(item)}"
        made.append({**step["entry"], "task": task, "quantity": count, **aids})
    return json.dumps(made)


def workflow_actions(text: str) -> list[SpoilableStep] | None:
    """Return the steps of a workflow in the rules' form; None for any other text."""
    found = _json(text)
    groups = found.get("workflow") if isinstance(found, dict) else None
    if not isinstance(groups, list) or not groups:
        return None
    actions = [action for group in groups for action in _actions(group)]
    steps = [_step(action) for action in actions]
    return [step for step in steps if step is not None] if None not in steps else None


def told_workflow(steps: Sequence[SpoilableStep], text: str) -> str:
    """Return a workflow with other actions."""
    groups = [{"times": 1, "actions": [_action(step)]} for step in steps]
    return json.dumps({"workflow": groups})


def _json(text: str) -> Any:
    try:
        return read_json(text, "reply")
    except BadValue:
        return None


def _is_entry(entry: object) -> bool:
    if not isinstance(entry, dict) or entry.keys() != _ENTRY:
        return False
    worded = isinstance(entry["task"], str) and len(entry["task"].split(" ", 1)) == 2
    return worded and is_whole(entry["quantity"]) and bool(1 <= entry["quantity"] <= MOST_HELD)


def _actions(group: object) -> list[Any]:
    actions = group.get("actions") if isinstance(group, dict) else None
    return actions if isinstance(actions, list) else [None]


def _step(action: Any) -> SpoilableStep | None:
    if not isinstance(action, dict) or not isinstance(args := action.get("args"), dict):
        return None
    name, thing = action.get("name"), args.get("obj", {_LEVEL: args.get(_LEVEL)})
    item, count = (thing, 1) if isinstance(thing, str) else next(iter(dict(thing).items()), ("", 0))
    if not isinstance(name, str) or not is_whole(count) or not 1 <= count <= MOST_HELD:
        return None
    number = "" if isinstance(thing, str) else f"{count} "
    aid = args.get("platform") or args.get("tool")
    task = f"{name} {number}{in_words(item)}"
    return {"task": task, "goal": [item, count], "aid": aid, "action": action}


def _action(step: SpoilableStep) -> Mapping[str, Any]:
    (item, count), args = step["goal"], dict(step["action"]["args"])
    for key in ("platform", "tool"):
        if args.get(key) is not None:
            args[key] = step["aid"]
    if _LEVEL in args:
        args[_LEVEL] = count
    else:
        args["obj"] = item if isinstance(args["obj"], str) else {item: count}
    return {**step["action"], "args": args}


MP5_FORMS: Final = (
    PlanForm(entries_of, told_entries),
    PlanForm(workflow_actions, told_workflow),
)
