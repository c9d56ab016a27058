"""Let three controllers carry out the same plans: a script that reads the world, a network, and chance.

Run it with `python examples/pixel_beside_oracle.py`. The default controller `oracle` is privileged: it reads
the world itself, and so its figures show only that a task can be done. `pixel` is not privileged: a small
network that sees pictures, hand and vitals. `random` is the floor.
"""

from pathlib import Path

from optimus_gym.run.evaluate import Evaluation, evaluate
from optimus_gym.run.results.figures import figures

PICTURES = {"resolution": (64, 64), "view_distance": 32}  # as in the training of `pixel`


def main(folder=Path("runs"), episodes=5):
    successes = {}
    for name in ("oracle", "pixel", "random"):
        evaluation = Evaluation(
            tasks=("Wood",),
            controller=name,
            settings=PICTURES,
            seed=10_000,  # validation seeds; leave it out for final figures on the test seeds
            episodes=episodes,
        )
        rows = list(evaluate(evaluation, folder / name, rows=episodes))
        word = "privileged" if rows[0].privileged else "not privileged"
        found = figures(name, rows)
        low, high = found.interval
        print(f"{name}, {word}: {found.successes} of {len(rows)} ({low:.0%} to {high:.0%})")
        successes[name] = found.successes
    return successes


if __name__ == "__main__":
    main()
