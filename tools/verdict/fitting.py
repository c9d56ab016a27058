"""Fits the vote of the rules' verdict to noted moments."""

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

from optimus_gym.backbones.signs import SCREEN_SIGNS, SIGNS, SITUATIONS, signs_of
from optimus_gym.backbones.verdict import Vote, decided
from optimus_gym.core.files import write_whole

TARGET: Final = Path(__file__).resolve().parents[2] / "optimus_gym/backbones/data/verdict.json"
PENALTIES: Final = (0.01, 0.1, 1.0, 10.0)
"""Inverse strengths of the penalty on weights that are tried."""
FOLDS: Final = 5
FALSE_ALARMS: Final = 0.02
"""Part of the moments to go on at that may be given up: our choice."""


@dataclass(frozen=True, slots=True)
class Moments:
    """Moments of many episodes.

    Attributes:
        signs: float64[n, len(SIGNS)].
        labels: int64[n], indices in `SITUATIONS`.
        episodes: int64[n], the seed of each one's episode.
        whys: how each one's sub-goal ended.
    """

    signs: NDArray[np.float64]
    labels: NDArray[np.int64]
    episodes: NDArray[np.int64]
    whys: tuple[str, ...]


def read_moments(files: Sequence[Path], arm: str) -> Moments:
    """Return the moments of some files as an arm of the comparison was told of them."""
    signs, labels, episodes, whys = [], [], [], []
    for file in files:
        told = json.loads(file.read_text("utf-8"))
        for note in told["notes"]:
            signs.append(signs_of(note["facts"][arm]))
            labels.append(SITUATIONS.index(note["label"]))
            episodes.append(told["seed"])
            whys.append(note["why"])
    return Moments(np.array(signs), np.array(labels), np.array(episodes), tuple(whys))


def fitted(moments: Moments, uses: Sequence[str] = SIGNS) -> tuple[Vote, float]:
    """Return the vote that fits best, each situation weighing alike, and its macro-F1 over folds.

    Folds are of whole episodes. The strength of the penalty is that of the best macro-F1; "replan" is said
    from the least likelihood on at which at most `FALSE_ALARMS` of the moments to go on at are given up.

    Args:
        moments: to fit to.
        uses: signs that may have weights other than 0.
    """
    columns = [SIGNS.index(name) for name in uses]
    odds = {strength: _tried(moments, columns, strength) for strength in PENALTIES}
    sure = {strength: _sure(moments.labels, odds[strength]) for strength in PENALTIES}
    scores = {
        strength: _score(moments.labels, odds[strength], sure[strength]) for strength in PENALTIES
    }
    best = max(PENALTIES, key=lambda strength: scores[strength])
    model = _model(best).fit(moments.signs[:, columns], moments.labels)
    weights = np.zeros((len(SITUATIONS), len(SIGNS)))
    weights[:, columns] = model.coef_
    return Vote(weights, sure[best]), scores[best]


def _model(strength: float) -> Any:
    return LogisticRegression(
        C=strength, class_weight="balanced", max_iter=5_000, fit_intercept=False
    )


def _tried(moments: Moments, columns: Sequence[int], strength: float) -> NDArray[np.float64]:
    """Return how likely each situation is (float64[n, 3]) by votes that did not see the moment's fold."""
    odds = np.zeros((len(moments.labels), len(SITUATIONS)))
    for train, test in GroupKFold(FOLDS).split(moments.signs, groups=moments.episodes):
        model = _model(strength).fit(moments.signs[train][:, columns], moments.labels[train])
        odds[test] = model.predict_proba(moments.signs[test][:, columns])
    return odds


def _sure(labels: NDArray[np.int64], odds: NDArray[np.float64]) -> float:
    """Return from which likelihood on "replan" is said."""
    goes_on = np.sort(odds[labels == SITUATIONS.index("continue"), SITUATIONS.index("replan")])
    return round(float(goes_on[int((1 - FALSE_ALARMS) * len(goes_on))]), 3)


def _score(labels: NDArray[np.int64], odds: NDArray[np.float64], sure: float) -> float:
    said = [decided(row, sure) for row in odds]
    return float(f1_score(labels, said, average="macro"))


def write_weights(notes: Path) -> None:
    """Fit the vote with cases and without, and write its weights."""
    files = sorted(notes.glob("*.json"))
    table: dict[str, Any] = {
        "source": f"python -m tools.verdict: {len(files)} episodes of training seeds"
    }
    for name, arm, uses in (
        ("with_cases", "both", SIGNS),
        ("without_cases", "none", SCREEN_SIGNS),
    ):
        moments = read_moments(files, arm)
        vote, score = fitted(moments, uses)
        print(
            f"{name}: {len(moments.labels)} moments, macro-F1 over folds {score:.3f}, {vote.sure}"
        )
        rows = [
            {sign: round(float(value), 4) for sign, value in zip(SIGNS, row, strict=True)}
            for row in vote.weights
        ]
        table[name] = {"sure": vote.sure, "weights": rows}
    write_whole(TARGET, (json.dumps(table, indent=1) + "\n").encode())
