"""Chance of a random declaration in MP5's context tasks: python -m benchmarks.context_chance FOLDER ...

A folder has the rows of an evaluation whose agent leaves the word to the world, such as

    optimus-gym evaluate --suite mp5-context-16 --protocol mp5-paper --agent none --controller random \
        --set subgoal_ticks=12000 --episodes 20 --seed 96000 --out FOLDER

which resumes if it is interrupted. Each of its successes tells the first look (every `LOOK_PERIOD` ticks)
whose view had all that the task asks for. A declarer that knows nothing says "found" at each look with a
probability p. By both failures of MP5's section 4.1 it succeeds only if its first declaration meets the
first such look, number k: with the probability p (1 - p)^(k - 1). The table has this chance for p = 1
(declare at the first look), for the best p of each level (chosen on the same episodes, which favours it), and
the share of the episodes in which the walk came upon such a view at all.
"""

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import numpy as np

from optimus_gym.core.witness import LOOK_PERIOD
from optimus_gym.run.results.results_folder import read_results
from optimus_gym.run.results.row import EpisodeRow

PROBABILITIES: Final = (1.0, *(1 / n for n in range(2, 1201)))
"""The probabilities that the best one is chosen from: one declaration in n looks, up to a whole budget."""


def chance(rows: Sequence[EpisodeRow], probability: float) -> float:
    """Return the share of episodes (0 to 1) in which a random declarer is expected to succeed."""
    looks = [row.ticks // LOOK_PERIOD for row in rows if row.success]
    return sum(probability * (1 - probability) ** (look - 1) for look in looks) / len(rows)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", nargs="+", type=Path)
    rows = [row for name in parser.parse_args().folders for row in read_results(name).rows]
    print("| level | episodes | declare at the first look | best p | chance with it | view met |")
    print("| --- | --- | --- | --- | --- | --- |")
    for group in (*dict.fromkeys(row.group for row in rows), "all"):
        some = [row for row in rows if group in (row.group, "all")]
        found = [chance(some, one) for one in PROBABILITIES]
        best = int(np.argmax(found))
        met = sum(row.success for row in some) / len(some)
        cells = f"{found[0]:.1%} | 1 in {best + 1} | {found[best]:.1%} | {met:.1%}"
        print(f"| {group} | {len(some)} | {cells} |")


if __name__ == "__main__":
    main()
