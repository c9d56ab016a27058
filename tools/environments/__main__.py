"""Fit how `mini` chooses the environment in a frame to some episodes, and measure the choice on others.

    python -m tools.environments [--fitted 60] [--measured 20] [--write]

With --write the command fits scale and biases of the aligner `mini` to episodes on training seeds and writes
them to `optimus_gym/vision/data/environments.json`. Every second one of these episodes begins in a biome that
is drawn from all. The command prints how often the agent names the true environment on validation seeds.
"""

import argparse
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from optimus_gym.terminal.bars import bars
from optimus_gym.vision.environments import ENVIRONMENTS, PERHAPS, UNDER_WATER, prompts
from optimus_gym.vision.mini_aligner import MiniAligner
from tools.environments.playing import Look, looks

FITTED: Final = 436_000
MEASURED: Final = 66_000
"""First training seed and first validation seed; each lies in a part of its range that nothing else uses."""
CARE: Final = 0.003
"""Weight of the penalty on the squared biases, relative to the mean log-likelihood; our choice."""
TARGET: Final = Path(__file__).parents[2] / "optimus_gym/vision/data/environments.json"


def main() -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--fitted", type=int, default=60)
    parser.add_argument("--measured", type=int, default=20)
    parser.add_argument("--write", action="store_true")
    parsed = parser.parse_args()
    if parsed.write:
        aligner = MiniAligner()
        made = {aligner.name: fitted(aligner, played(FITTED, parsed.fitted, 2))}
        TARGET.write_text(json.dumps(made, indent=1) + "\n", "utf-8")
    for title, first, drawn in (("as the seed says", MEASURED, 0), ("any", MEASURED + 500, 1)):
        print(f"begun in biomes: {title}")
        print(report(played(first, parsed.measured, drawn)))


def played(first: int, count: int, drawn: int) -> list[Look]:
    """Return the looks of some episodes; every `drawn`-th episode begins in a random biome (0: none)."""
    found: list[Look] = []
    with bars("h") as progress:
        bar = progress.add_task("looks", total=count)
        for seed in range(first, first + count):
            found += looks(seed, drawn > 0 and seed % drawn == 0)
            progress.advance(bar)
    return found


def fitted(aligner: MiniAligner, seen: Sequence[Look]) -> dict[str, Any]:
    """Return the scale and the biases with the highest likelihood of the true environments."""
    seen = [look for look in seen if not look.dives]
    fits = np.stack([look.vector for look in seen]) @ aligner.texts(prompts()).T
    truth = np.stack([look.truth for look in seen])
    water = ENVIRONMENTS.index(UNDER_WATER)
    fits[:, water] = -1e3

    def loss(given: NDArray[np.float64]) -> float:
        logits = np.exp(given[0]) * fits + given[1:]
        logits -= logits.max(axis=1, keepdims=True)
        odds = np.exp(logits)
        right = (odds * truth).sum(axis=1) / odds.sum(axis=1)
        return float(-np.log(right + 1e-12).mean() + CARE * (given[1:] ** 2).sum())

    start = np.concatenate([[2.5], np.zeros(len(ENVIRONMENTS))])
    found = minimize(loss, start, method="L-BFGS-B").x
    biases = {name: round(float(one), 3) for name, one in zip(ENVIRONMENTS, found[1:], strict=True)}
    return {"scale": round(float(np.exp(found[0])), 3), "biases": biases}


def report(seen: Sequence[Look]) -> str:
    """Return in words how often the agent named the true environment."""
    certain = [look for look in seen if not look.word.startswith(PERHAPS)]
    lines = []
    for name, some in (("all looks", seen), ("certain words", certain)):
        true = [look.truth[ENVIRONMENTS.index(look.word.removeprefix(PERHAPS))] for look in some]
        feet = [look.word.removeprefix(PERHAPS) == look.biome for look in some]
        lines.append(
            f"  {name}: {len(some)}, true {np.mean(true):.1%}, the biome at the feet {np.mean(feet):.1%}"
        )
    return "\n".join(lines)


if __name__ == "__main__":
    main()
