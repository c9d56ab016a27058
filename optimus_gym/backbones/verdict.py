"""The rules' verdict on a sub-goal: a calibrated classifier of the screens and of similar past cases.

The classifier ("vote") is a multinomial logistic regression on numbers from the request (`backbones.signs`).
The regression's weights (`data/verdict.json`) come from `python -m tools.verdict`, which documents the fit.
"""

import json
import math
import re
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from optimus_gym.backbones.signs import SIGN_SITUATIONS, SIGNS, is_idle, signs_of
from optimus_gym.core.predicaments import A_BLOW, LITTLE_FOOD, LOW_HEALTH
from optimus_gym.core.types import RECOVER


class Vote(NamedTuple):
    """The parameters of the linear classifier with which the rules judge a running sub-goal.

    Attributes:
        weights: weight of each sign for each of `SIGN_SITUATIONS` (float64[3, len(SIGNS)]).
        sure: least probability at which the answer is "replan", high because a suspicion does not suffice.
        idle: least probability at which the answer is "replan" if the player is idle (`signs.is_idle`).
    """

    weights: NDArray[np.float64]
    sure: float
    idle: float

    def least(self, signs: NDArray[np.float64]) -> float:
        """Return the least probability at which the answer is "replan", given signs (float64[len(SIGNS)])."""
        return self.idle if is_idle(signs) else self.sure


@cache
def votes() -> Mapping[str, Vote]:
    """Return the parameters of two classifiers, by the names "with_cases" and "without_cases".

    Cases are past reflections that a request lists.
    """
    text = files("optimus_gym.backbones.data").joinpath("verdict.json").read_text("utf-8")
    told = json.loads(text)
    return {
        name: Vote(
            np.array([[row[sign] for sign in SIGNS] for row in told[name]["weights"]]),
            told[name]["sure"],
            told[name]["idle"],
        )
        for name in ("with_cases", "without_cases")
    }


def likely(facts: Mapping[str, Any]) -> NDArray[np.float64]:
    """Return the probability of each of `SIGN_SITUATIONS` (float64[3]), given the facts of a reflection."""
    logits = _vote(facts).weights @ signs_of(facts)
    odds = np.exp(logits - logits.max())
    made: NDArray[np.float64] = odds / odds.sum()
    return made


def _vote(facts: Mapping[str, Any]) -> Vote:
    return votes()["with_cases" if facts["cases"] else "without_cases"]


def decided(odds: NDArray[np.float64], sure: float) -> int:
    """Return the answer's index: "replan" if its probability reaches `sure`, else "done" or "continue".

    >>> decided(np.array([0.1, 0.3, 0.6]), 0.8), decided(np.array([0.1, 0.05, 0.85]), 0.8)
    (1, 2)
    """
    return 2 if odds[2] >= sure else int(odds[:2].argmax())


def verdict_on(facts: Mapping[str, Any]) -> str:
    """Return the answer to a request for a reflection, in the requested lines.

    The rules never answer "replan" during a recovery, whose executor bounds its time. The rules never answer
    "replan" if the request lacks the screen before the sub-goal, which is not read for "craft", "equip" and
    "place".
    """
    sure = math.inf
    if facts["before"] and not _recovers(facts):
        sure = _vote(facts).least(signs_of(facts))
    situation = SIGN_SITUATIONS[decided(likely(facts), sure)]
    lines = [
        f"Environment: {facts['now'].get('environment', 'unknown')}",
        f"Situation: {situation}",
    ]
    if situation == "replan":
        lines.append(f"Predicament: {predicament_in(facts)}")
    return "\n".join(lines)


def _recovers(facts: Mapping[str, Any]) -> bool:
    return bool(facts["subgoal"].startswith(f"{RECOVER} "))


def predicament_in(facts: Mapping[str, Any]) -> str:
    """Return the most pressing predicament on the screen, else the predicament of the most similar case."""
    now = facts["now"]
    if now.get("environment") == "under_water" or _count(now, "air") < 10:
        return "in_water"
    if (health := _count(now, "health")) <= LOW_HEALTH:
        return "hurt"
    if _count(now, "food") <= LITTLE_FOOD:
        return "hungry"
    if "health" in facts["before"] and _count(facts["before"], "health") - health >= A_BLOW:
        return "danger"
    if now.get("environment") == "cave" and facts["before"].get("environment") != "cave":
        return "drop_down"
    if now.get("environment") == "night":
        return "night"
    told = [case["predicament"] for case in facts["cases"] if case["situation"] == "replan"]
    return next((name for name in told if name in facts["predicaments"]), "stuck")


def _count(screen: Mapping[str, str], name: str) -> int:
    found = re.match(r"\d+", screen.get(name, ""))
    return int(found[0]) if found else 20
