"""Recoveries that the rules put before a plan if the situation needs it (Optimus-1, section 2.2)."""

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from optimus_gym.core.predicaments import LITTLE_FOOD, LOW_HEALTH
from optimus_gym.core.types import RECOVER

WEAK: Final = 10
"""Highest health in half-hearts at which the agent rests at night: our choice."""
A_NIGHT: Final = 700
"""Fewest seconds left at which waiting pays: a night takes 525 s (Minecraft Wiki, "Daylight cycle")."""
_FULL: Final = 20


def prelude(facts: Mapping[str, Any], rows: Sequence[Mapping[str, Any]]) -> str | None:
    """Return the predicament for a recovery at the plan's beginning, None if there is none.

    A recovery that has no chance now, or has just failed, is not tried again.

    Args:
        facts: the facts of a request for a plan (`prompts.lines`).
        rows: the graph's lines that the plan will follow.
    """
    if RECOVER not in facts["verbs"]:
        return None
    failed, vain = facts.get("failed", ""), facts.get("vain", ())
    asked = (name for name in _asked(facts, rows) if name not in vain)
    return next((name for name in asked if not _is_of(failed, name)), None)


def _is_of(failed: str, name: str) -> bool:
    return failed.startswith(RECOVER) and failed.endswith(f" {name}")


def _asked(facts: Mapping[str, Any], rows: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return the predicaments that the screen shows, the most pressing first."""
    screen = facts["screen"]
    health, food = _halves(screen.get("health", "")), _halves(screen.get("food", ""))
    above = bool(rows) and (rows[0]["item"] == "log" or rows[0]["creature"] is not None)
    where = screen.get("environment", "")
    signs = {
        "in_water": where == "under_water",
        "hurt": health <= LOW_HEALTH,
        "hungry": food <= LITTLE_FOOD,
        "drop_down": where == "cave" and above,
        "night": where == "night" and health <= WEAK and facts["left"] > A_NIGHT,
    }
    return [name for name, shows in signs.items() if shows]


def _halves(words: str) -> int:
    found = re.match(r"\d+", words)
    return int(found[0]) if found else _FULL
