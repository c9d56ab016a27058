"""Measure the rules' verdicts against the ends of sub-goals: what the memory's cases add to the screens.

    python -m benchmarks.reflection --work DIR [--episodes 160]

DIR is the folder of `python -m tools.verdict`: the memory there gives cases, the notes there are training
data. The command notes episodes of an unreliable controller on validation seeds, and draws equally many
moments of the three situations. All arms are fitted in the same way: no cases, cases of successes, of
failures, of both. A rival is another library's logistic regression with default settings on the screens'
signs. The output is macro-F1 with intervals from resampled episodes, differences from the arm without cases,
and confusion matrices. "as played" is the verdict with its cautious threshold for "replan"; "likeliest" takes
the most likely situation.
"""

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import confusion_matrix, f1_score

from optimus_gym.backbones.signs import SCREEN_SIGNS, SIGN_SITUATIONS, SIGNS
from optimus_gym.backbones.verdict import Vote, decided
from optimus_gym.terminal.bars import counted
from tools.verdict.fitting import Moments, fitted, read_moments
from tools.verdict.noting import ARMS
from tools.verdict.play import noted

FIRST: Final = 62_000
"""First validation seed."""
DRAWS: Final = 1_000
Said = NDArray[np.int64]


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--episodes", type=int, default=160)
    parsed = parser.parse_args()
    seeds = range(FIRST, FIRST + parsed.episodes)
    unseen, memory = parsed.work / "unseen", parsed.work / "memory"
    for _ in counted(noted(unseen, memory, seeds), "playing", total=len(seeds)):
        pass
    learned = sorted((parsed.work / "notes").glob("*.json"))
    tried = [unseen / f"{seed}.json" for seed in seeds]
    said: dict[str, Said] = {}
    truth = read_moments(tried, "none")
    chosen = balanced(truth)
    for arm in ARMS:
        vote, _ = fitted(read_moments(learned, arm), SCREEN_SIGNS if arm == "none" else SIGNS)
        moments = read_moments(tried, arm)
        said[f"{arm}, as played"] = spoken(moments, vote)[chosen]
        said[f"{arm}, likeliest"] = spoken(moments, vote._replace(sure=0.0, idle=0.0), True)[chosen]
    said["screens, usual settings"] = rival(read_moments(learned, "none"), truth)[chosen]
    labels, episodes = truth.labels[chosen], truth.episodes[chosen]
    print(f"{len(labels)} moments of {len(set(episodes.tolist()))} episodes, {np.bincount(labels)}")
    report(labels, episodes, said)


def balanced(moments: Moments) -> NDArray[np.int64]:
    """Return the indices of seeded random moments, equally many of each situation."""
    random = np.random.default_rng(0)
    places = [np.flatnonzero(moments.labels == label) for label in range(len(SIGN_SITUATIONS))]
    least = min(len(found) for found in places)
    return np.sort(np.concatenate([random.choice(found, least, replace=False) for found in places]))


def spoken(moments: Moments, vote: Vote, likeliest: bool = False) -> Said:
    """Return the situation that a vote chooses for each moment."""
    logits = moments.signs @ vote.weights.T
    if likeliest:
        return np.asarray(logits.argmax(axis=1), np.int64)
    odds = np.exp(logits - logits.max(axis=1, keepdims=True))
    odds /= odds.sum(axis=1, keepdims=True)
    return np.array(
        [decided(row, vote.least(signs)) for row, signs in zip(odds, moments.signs, strict=True)]
    )


def rival(learned: Moments, tried: Moments) -> Said:
    """Return the situations of scikit-learn's logistic regression on the screens' signs."""
    columns = [SIGNS.index(name) for name in SCREEN_SIGNS]
    model = LogisticRegression(max_iter=5_000).fit(learned.signs[:, columns], learned.labels)
    return np.asarray(model.predict(tried.signs[:, columns]), np.int64)


def report(labels: NDArray[np.int64], episodes: NDArray[np.int64], said: dict[str, Said]) -> None:
    """Print each arm's macro-F1 and its difference from the arm "no cases", with 95 % intervals."""
    for name, one in said.items():
        rule = name.partition(", ")[2]
        base = said.get(f"none, {rule}", said["none, likeliest"])
        low, high = interval(episodes, lambda k, one=one: f1(labels[k], one[k]))  # type: ignore[misc]
        gain = interval(
            episodes,
            lambda k, one=one, base=base: f1(labels[k], one[k]) - f1(labels[k], base[k]),  # type: ignore[misc]
        )
        print(
            f"{name:26} macro-F1 {f1(labels, one):.3f} ({low:.3f} to {high:.3f}), "
            f"beyond no cases {f1(labels, one) - f1(labels, base):+.3f} ({gain[0]:+.3f} to {gain[1]:+.3f})"
        )
        print(confusion_matrix(labels, one, labels=range(len(SIGN_SITUATIONS))))


def f1(labels: NDArray[np.int64], said: Said) -> float:
    """Return the macro-F1 of predicted situations."""
    return float(f1_score(labels, said, average="macro", labels=range(len(SIGN_SITUATIONS))))


def interval(
    episodes: NDArray[np.int64], measure: Callable[[NDArray[np.int64]], float]
) -> tuple[float, float]:
    """Return the 95 % interval of a measure over episodes resampled with replacement."""
    random = np.random.default_rng(1)
    places = {seed: np.flatnonzero(episodes == seed) for seed in sorted(set(episodes.tolist()))}
    seeds = list(places)
    found = [
        measure(
            np.concatenate([places[seeds[k]] for k in random.integers(0, len(seeds), len(seeds))])
        )
        for _ in range(DRAWS)
    ]
    low, high = np.percentile(found, [2.5, 97.5])
    return float(low), float(high)


if __name__ == "__main__":
    main()
