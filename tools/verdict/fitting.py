"""Fit the vote of the rules' verdict to noted moments."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import f1_score
from sklearn.model_selection import GroupKFold

from optimus_gym.backbones.signs import SCREEN_SIGNS, SIGN_SITUATIONS, SIGNS, is_idle, signs_of
from optimus_gym.backbones.verdict import Vote, decided
from optimus_gym.core.files import write_whole

TARGET: Final = Path(__file__).resolve().parents[2] / "optimus_gym/backbones/data/verdict.json"
PENALTIES: Final = (0.01, 0.1, 1.0, 10.0)
"""Inverse strengths of the penalty on weights from which the fit chooses."""
FOLDS: Final = 5
FALSE_ALARMS = 0.002
"""Largest share of moments labelled "continue" that may get "replan" with moving players: our choice."""
IDLE_ALARMS = 0.02
"""Largest share of moments labelled "continue" that may get "replan" with idle players: our choice. Labels of
idle moments lean to "continue", since an item may still come by itself."""
EVEN: Final = 0.5
GOES_ON: Final = SIGN_SITUATIONS.index("continue")


@dataclass(frozen=True, slots=True)
class Moments:
    """Moments of sub-goals in many episodes, as arrays for the fit.

    Attributes:
        signs: the signs of each moment (float64[n, len(SIGNS)]).
        labels: the right situation of each moment (int64[n], indices in `SIGN_SITUATIONS`).
        episodes: the seed of each moment's episode (int64[n]).
        whys: the end of each moment's sub-goal.
    """

    signs: NDArray[np.float64]
    labels: NDArray[np.int64]
    episodes: NDArray[np.int64]
    whys: tuple[str, ...]


def read_moments(files: Sequence[Path], arm: str) -> Moments:
    """Return the moments in files of notes, with the signs (numbers from the text) of one arm."""
    signs, labels, episodes, whys = [], [], [], []
    for file in files:
        told = json.loads(file.read_text("utf-8"))
        for note in told["notes"]:
            signs.append(signs_of(note["facts"][arm]))
            labels.append(SIGN_SITUATIONS.index(note["label"]))
            episodes.append(told["seed"])
            whys.append(note["why"])
    return Moments(np.array(signs), np.array(labels), np.array(episodes), tuple(whys))


def fitted(moments: Moments, uses: Sequence[str] = SIGNS) -> tuple[Vote, float]:
    """Return the best vote, with equal weight for each situation, and its macro-F1 over folds.

    Folds are of whole episodes. The strength of the penalty is the one with the best macro-F1. The thresholds
    for "replan" are the lowest at which at most `FALSE_ALARMS` (idle: `IDLE_ALARMS`) of the moments labelled
    "continue" get "replan".

    Args:
        moments: the moments to fit.
        uses: signs that may have weights other than 0.
    """
    columns = [SIGNS.index(name) for name in uses]
    tried = {strength: _votes(moments, columns, strength) for strength in PENALTIES}
    best = max(PENALTIES, key=lambda strength: tried[strength][1])
    model = _model(best).fit(moments.signs[:, columns], moments.labels)
    weights = np.zeros((len(SIGN_SITUATIONS), len(SIGNS)))
    weights[:, columns] = model.coef_
    (sure, idle), score = tried[best]
    return Vote(weights, sure, idle), score


def _votes(
    moments: Moments, columns: Sequence[int], strength: float
) -> tuple[tuple[float, float], float]:
    """Return the thresholds for moving and for idle players, and the macro-F1 over folds."""
    odds = _tried(moments, columns, strength)
    idle = np.array([is_idle(signs) for signs in moments.signs])
    many = int((moments.labels == GOES_ON).sum())
    sure = _sure(moments.labels[~idle], odds[~idle], FALSE_ALARMS * many)
    least = _sure(moments.labels[idle], odds[idle], IDLE_ALARMS * many)
    said = [decided(row, least if one else sure) for row, one in zip(odds, idle, strict=True)]
    return (sure, least), float(f1_score(moments.labels, said, average="macro"))


def _model(strength: float) -> Any:
    return LogisticRegression(
        C=strength, class_weight="balanced", max_iter=5_000, fit_intercept=False
    )


def _tried(moments: Moments, columns: Sequence[int], strength: float) -> NDArray[np.float64]:
    """Return each situation's probability (float64[n, 3]) by votes fitted without the moment's fold."""
    odds = np.zeros((len(moments.labels), len(SIGN_SITUATIONS)))
    for train, test in GroupKFold(FOLDS).split(moments.signs, groups=moments.episodes):
        model = _model(strength).fit(moments.signs[train][:, columns], moments.labels[train])
        odds[test] = model.predict_proba(moments.signs[test][:, columns])
    return odds


def _sure(labels: NDArray[np.int64], odds: NDArray[np.float64], allowed: float) -> float:
    """Return the threshold for "replan": a probability of at least `EVEN`.

    Args:
        labels: labels of some moments.
        odds: each situation's probability in these moments.
        allowed: largest number of moments labelled "continue" that may get "replan".
    """
    goes_on = np.sort(odds[labels == GOES_ON, SIGN_SITUATIONS.index("replan")])[::-1]
    least = float(goes_on[int(allowed)]) if len(goes_on) > allowed else 0.0
    return round(max(least, EVEN), 3)


def write_weights(notes: Path) -> None:
    """Fit the votes with and without cases, and write their weights.

    Both votes get the higher of their two thresholds, because a memory of another controller has another
    share of failures.
    """
    files = sorted(notes.glob("*.json"))
    table: dict[str, Any] = {
        "source": f"python -m tools.verdict: {len(files)} episodes of training seeds"
    }
    arms = {"with_cases": ("both", SIGNS), "without_cases": ("none", SCREEN_SIGNS)}
    votes = {}
    for name, (arm, uses) in arms.items():
        moments = read_moments(files, arm)
        votes[name], score = fitted(moments, uses)
        print(f"{name}: {len(moments.labels)} moments, macro-F1 over folds {score:.3f}")
    sure, idle = (max(getattr(v, name) for v in votes.values()) for name in ("sure", "idle"))
    for name, vote in votes.items():
        rows = [
            {sign: round(float(value), 4) for sign, value in zip(SIGNS, row, strict=True)}
            for row in vote.weights
        ]
        table[name] = {"sure": sure, "idle": idle, "weights": rows}
    write_whole(TARGET, (json.dumps(table, indent=1) + "\n").encode())
