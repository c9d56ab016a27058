"""The rules' verdict on a sub-goal from the words of two screens, without any case or learned number."""

import re
from collections import Counter
from collections.abc import Mapping
from typing import Any, Final

from optimus_gym.backbones.parse.deeds import subgoals_of
from optimus_gym.backbones.parse.step_objects import worded
from optimus_gym.backbones.verdict import predicament_in
from optimus_gym.core.types import RECOVER, SubGoal

LATE_SECONDS: Final = 300
"""Seconds after which a sub-goal that brought nothing counts as stuck: our choice."""
PLAIN_PREDICAMENTS: Final = ("in_water", "hurt", "hungry", "danger")
"""Predicaments that the words of two screens show."""
_STACK: Final = re.compile(r"(\d+) (\w+)")


def plain_verdict(facts: Mapping[str, Any]) -> str:
    """Return the rules' answer to a request for a verdict, in the requested lines.

    The sub-goal is done if the hotbar gained the wanted pieces since before. The agent needs another plan if
    the screen shows a predicament, or if `LATE_SECONDS` brought no wanted piece. During a recovery, whose
    executor bounds its time, the agent goes on.

    Args:
        facts: `subgoal`, `seconds`, `predicaments`, `before` and `now` (`prompts.lines`).
    """
    before, now = facts.get("before", {}), facts.get("now", {})
    named = facts.get("predicaments", ())
    wanted = _wanted(facts["subgoal"])
    gained = 0 if wanted is None else _pieces(now, wanted) - _pieces(before, wanted)
    trouble = predicament_in({"before": before, "now": now, "cases": (), "predicaments": named})
    if wanted is not None and gained >= wanted.count:
        said = ["Situation: done"]
    elif wanted is not None and wanted.verb == RECOVER:
        said = ["Situation: continue"]
    elif trouble in PLAIN_PREDICAMENTS and trouble in named:
        said = ["Situation: replan", f"Predicament: {trouble}"]
    elif facts.get("seconds", 0) >= LATE_SECONDS and gained <= 0 and "stuck" in named:
        said = ["Situation: replan", "Predicament: stuck"]
    else:
        said = ["Situation: continue"]
    return "\n".join([f"Environment: {now.get('environment', 'unknown')}", *said])


def _wanted(text: str) -> SubGoal | None:
    """Return the sub-goal that a text means, or None."""
    found = subgoals_of(worded("step 1", text)).subgoals
    return found[0] if found else None


def _pieces(screen: Mapping[str, str], wanted: SubGoal) -> int:
    """Return how many pieces of a sub-goal's items the words for a screen list in the hotbar."""
    pieces: Counter[str] = Counter()
    for count, name in _STACK.findall(screen.get("hotbar", "")):
        pieces[name] += int(count)
    return sum(pieces[name] for name in wanted.kinds)
