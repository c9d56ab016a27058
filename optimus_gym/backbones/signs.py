"""Signs: the numbers that the rules compute from a request for a reflection, to judge a sub-goal."""

import math
import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from optimus_gym.backbones.parse.deeds import subgoals_of
from optimus_gym.backbones.parse.step_objects import worded
from optimus_gym.core.types import SubGoal

SIGN_SITUATIONS: Final = ("done", "continue", "replan")
SIGN_VERBS: Final = ("mine", "craft", "smelt", "equip", "place", "recover")
"""Verbs of sub-goals that each have their own sign: 1 if the sub-goal has the verb, else 0."""
SIGN_PLACES: Final = ("under_water", "cave", "night")
"""Surroundings of the player that each have a number in `SIGNS`: 1 if the screen shows them, else 0."""
SCREEN_SIGNS: Final = (
    "one", "got", "all_got", "health", "hurt", "food", "air",
    *SIGN_PLACES, "moved_place", "minutes", "log_seconds", "late", "overdue", "unpaced", "rising", "came",
    "changed", "alike", "still", "fed", "moved", "moved_middle", "frozen", "log_frozen",
    *SIGN_VERBS, *(f"{verb}_minutes" for verb in ("mine", "smelt")),
)  # fmt: skip
"""Numbers ("signs") computed from a sub-goal's screens and times, in this order:

- a constant; the share of the wanted pieces that came to the hotbar, and whether all of them came
- health, lost health, food and air as shares
- whether the player is under water, in a cave or in the night, and whether the biome, cave, water or night on
  the screen has changed since the sub-goal began
- minutes since the sub-goal began, and the logarithm of the seconds; how late the sub-goal is (logarithm of
  the ratio to its usual time), whether its time is more than twice the usual time, and whether the usual time
  is unknown
- whether wanted pieces, or any pieces, came since the last reflection
- change of the picture since the sub-goal began; minus the decimal logarithm of its change since the last
  reflection (`_digits`), and whether the picture is unchanged since the last reflection
- whether a player that smelts has put pieces into an oven
- for a sub-goal "mine": minus the decimal logarithm of the change within a second (`_digits`), for the whole
  picture and for its middle; whether the picture has stood still for some seconds, and the logarithm of these
  seconds
- the sub-goal's verb; for the verbs "mine" and "smelt" the minutes since the sub-goal began once more
"""
CASE_SIGNS: Final = (
    *(f"{name}_best" for name in SIGN_SITUATIONS),
    *(f"{name}_share" for name in SIGN_SITUATIONS),
    "cases",
)
"""Numbers ("signs") computed from similar cases (remembered reflections with the right verdict): for each
verdict the best similarity minus the mean over all cases; the share of each verdict among all cases, weighted
by similarity; whether there are any cases."""
SIGNS: Final = (*SCREEN_SIGNS, *CASE_SIGNS)
SHARPNESS: Final = 30.0
"""Factor k in a case's weight, exp(k * similarity): our choice, high because similarities of like screens
differ little."""
LEAST_CHANGE: Final = 0.0005
"""Change, as a share, below which a picture counts as unchanged: our choice; clouds alone change it more."""
IDLE_SECONDS: Final = 6
"""Minimum number of seconds without any change of the picture after which a player is idle: our choice."""
OVERDUE: Final = 2.0
"""Ratio of a sub-goal's duration to its usual duration, above which the sub-goal is overdue: our choice."""
_STACK: Final = re.compile(r"(\d+) (\w+)(?: in hand)?")
_SHARE: Final = re.compile(r"(\d+) of (\d+)")
_NUMBER: Final = re.compile(r"-?\d+(?:\.\d+)?")


def signs_of(facts: Mapping[str, Any]) -> NDArray[np.float64]:
    """Return the signs (float64[len(SIGNS)]) for the facts of a reflection (`prompts.lines`)."""
    told = {**_screen_signs(facts), **_case_signs(facts["cases"])}
    return np.array([told.get(name, 0.0) for name in SIGNS])


def is_idle(signs: NDArray[np.float64]) -> bool:
    """Return whether the signs show a player that should mine but whose picture and hotbar stand still."""
    told = dict(zip(SIGNS, signs.tolist(), strict=True))
    return bool(told["mine"] and (told["frozen"] or (told["still"] and not told["came"])))


def _screen_signs(facts: Mapping[str, Any]) -> dict[str, float]:
    before, now = facts["before"], facts["now"]
    health, minutes = _share(now, "health"), facts["seconds"] / 60
    subgoals = subgoals_of(worded("1", facts["subgoal"])).subgoals
    subgoal = subgoals[0] if subgoals else None
    got = _got(subgoal, before, now)
    signs = {
        "one": 1.0,
        "got": got,
        "all_got": float(got >= 1),
        "health": health,
        "hurt": max(_share(before, "health") - health, 0.0) if before else 0.0,
        "food": _share(now, "food"),
        "air": _share(now, "air"),
        "moved_place": float(bool(before) and before.get("environment") != now.get("environment")),
        "minutes": min(minutes, 5.0),
        "log_seconds": math.log1p(facts["seconds"]),
        "changed": _change(facts["changed_before"], 0.0),
        "alike": _digits(_change(facts["changed_last"], 1.0)),
        "still": float(_change(facts["changed_last"], 1.0) < LEAST_CHANGE),
        "rising": float(subgoal is not None and any(k in facts["came"] for k in subgoal.kinds)),
        "came": float(bool(facts["came"])),
        "fed": float(subgoal is not None and subgoal.verb == "smelt" and bool(facts["used"])),
        **_pace(facts),
    }
    signs |= {place: float(now.get("environment") == place) for place in SIGN_PLACES}
    if subgoal is not None:
        signs[subgoal.verb] = 1.0
        signs[f"{subgoal.verb}_minutes"] = min(minutes, 5.0)
        if subgoal.verb == "mine":
            signs |= _second(facts["changed_second"], facts["still"])
    return signs


def _got(subgoal: SubGoal | None, before: Mapping[str, str], now: Mapping[str, str]) -> float:
    """Return the share of a sub-goal's pieces that have come to the hotbar, 0 to 1."""
    if subgoal is None or not before:
        return 0.0
    if subgoal.verb == "equip":
        return float(any(f" {kind} in hand" in now.get("hotbar", "") for kind in subgoal.kinds))
    had, has = (stacks_in(screen.get("hotbar", "")) for screen in (before, now))
    more = sum(has.get(kind, 0) - had.get(kind, 0) for kind in subgoal.kinds)
    more = -more if subgoal.verb == "place" else more
    return min(max(more / subgoal.count, 0.0), 1.0)


def stacks_in(hotbar: str) -> dict[str, int]:
    """Return how many pieces of each item the words for a hotbar list.

    >>> stacks_in("3 oak_log, 1 stick in hand, 2 oak_log")
    {'oak_log': 5, 'stick': 1}
    """
    held: dict[str, int] = {}
    for count, name in _STACK.findall(hotbar):
        held[name] = held.get(name, 0) + int(count)
    return held


def _share(screen: Mapping[str, str], name: str) -> float:
    found = _SHARE.search(screen.get(name, ""))
    return int(found[1]) / max(int(found[2]), 1) if found else 1.0


def _pace(facts: Mapping[str, Any]) -> dict[str, float]:
    """Return the signs of how late a sub-goal is."""
    usual = _number(facts["usual"], 0.0)
    if usual <= 0:
        return {"unpaced": 1.0}
    ratio = max(facts["seconds"], 1) / usual
    return {"late": min(max(math.log(ratio), -3.0), 3.0), "overdue": float(ratio > OVERDUE)}


def _second(text: str, still: int) -> dict[str, float]:
    """Return the signs of the change within a second (`text`) and of the seconds without change (`still`)."""
    whole, _, middle = text.partition(", of its middle ")
    return {
        "moved": _digits(_change(whole, 1.0)),
        "moved_middle": _digits(_change(middle, 1.0)),
        "frozen": float(still >= IDLE_SECONDS),
        "log_frozen": math.log1p(still),
    }


def _digits(change: float) -> float:
    """Return minus the decimal logarithm of a change (a share of 1), from 0 (all changed) to 5."""
    return -math.log10(min(max(change, 1e-5), 1.0))


def _change(text: str, missing: float) -> float:
    """Return a change as a share, from a text in percent."""
    return _number(text.removesuffix(" %"), 100.0 * missing) / 100.0


def _number(text: str, missing: float) -> float:
    found = _NUMBER.fullmatch(text)
    return float(found[0]) if found else missing


def _case_signs(cases: Sequence[Mapping[str, str]]) -> dict[str, float]:
    if not cases:
        return {}
    likeness = 1.0 - np.array([_number(case["differs"], 100.0) for case in cases]) / 100.0
    weights = np.exp(SHARPNESS * (likeness - likeness.max()))
    weights /= weights.sum()
    signs = {"cases": 1.0}
    for name in SIGN_SITUATIONS:
        mine = np.array([case["situation"] == name for case in cases])
        if mine.any():
            signs[f"{name}_best"] = float(likeness[mine].max() - likeness.mean())
        signs[f"{name}_share"] = float(weights[mine].sum())
    return signs
