"""Evaluate two agents on the same episodes and compare them, with 95 % intervals.

Run it with `python examples/evaluate_and_compare.py`. A tenth of all sub-goals fail at random in this
evaluation. One agent makes a single plan, the other a new plan after each failure. `optimus-gym evaluate` and
`optimus-gym compare runs/once runs/again` do the same on the command line.
"""

from pathlib import Path

from optimus_gym.run.evaluate import Evaluation, evaluate
from optimus_gym.run.results.paired import difference, pairs_of
from optimus_gym.run.results.results_folder import read_results

TASKS = ("Wood", "Stone", "Iron")


def main(folder=Path("runs"), episodes=10):
    results = []
    for name, switches in (("once", {"replanning": False}), ("again", {})):
        evaluation = Evaluation(
            tasks=TASKS,
            agent={"name": "optimus-1", "switches": switches},
            world={"name": "symbolic", "failures": 0.1},
            seed=10_000,  # validation seeds; leave it out for final figures on the test seeds
            episodes=episodes,
        )
        rows = list(evaluate(evaluation, folder / name, rows=8))  # resumes an interrupted run
        print(name, sum(row.success for row in rows), "of", len(rows))
        results.append(read_results(folder / name))
    first, second = results
    found = difference("again - once", pairs_of(first.rows, second.rows))
    low, high = found.interval
    print(f"{found.name}: {found.rate:+.1%} ({low:+.1%} to {high:+.1%}), {found.episodes} episodes")
    return found.rate


if __name__ == "__main__":
    main()
