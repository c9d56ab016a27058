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
from optimus_gym.core.files import write_whole

TARGET: Final = Path(__file__).resolve().parents[2] / "optimus_gym/backbones/data/verdict.json"
PENALTIES: Final = (0.01, 0.1, 1.0, 10.0)
"""Inverse strengths of the penalty on weights that are tried."""
FOLDS: Final = 5


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


def fitted(moments: Moments, uses: Sequence[str] = SIGNS) -> tuple[NDArray[np.float64], float]:
    """Return the weights (float64[3, len(SIGNS)]) that fit best, each situation weighing alike, and their F1.

    The strength of the penalty is that of the best macro-F1 over folds of whole episodes.

    Args:
        moments: to fit to.
        uses: signs that may have weights other than 0.
    """
    columns = [SIGNS.index(name) for name in uses]
    scores = {strength: _tried(moments, columns, strength) for strength in PENALTIES}
    best = max(PENALTIES, key=lambda strength: scores[strength])
    model = _model(best).fit(moments.signs[:, columns], moments.labels)
    weights = np.zeros((len(SITUATIONS), len(SIGNS)))
    weights[:, columns] = model.coef_
    return weights, scores[best]


def _model(strength: float) -> Any:
    return LogisticRegression(
        C=strength, class_weight="balanced", max_iter=5_000, fit_intercept=False
    )


def _tried(moments: Moments, columns: Sequence[int], strength: float) -> float:
    said = np.zeros_like(moments.labels)
    for train, test in GroupKFold(FOLDS).split(moments.signs, groups=moments.episodes):
        model = _model(strength).fit(moments.signs[train][:, columns], moments.labels[train])
        said[test] = model.predict(moments.signs[test][:, columns])
    return float(f1_score(moments.labels, said, average="macro"))


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
        weights, score = fitted(moments, uses)
        print(f"{name}: {len(moments.labels)} moments, macro-F1 over folds {score:.3f}")
        table[name] = [
            {sign: round(float(value), 4) for sign, value in zip(SIGNS, row, strict=True)}
            for row in weights
        ]
    write_whole(TARGET, (json.dumps(table, indent=1) + "\n").encode())
