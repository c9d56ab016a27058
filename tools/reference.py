"""Play the reference evaluations of `docs/results/reference.json`: `python -m tools.reference [NAME ...]`.

Each evaluation is stored in a folder of its name in `docs/results/`, with compressed rows. `optimus-gym
report` and `compare` read these folders; `python -m tools.tables` updates the tables of README and docs.
"""

import argparse
import gzip
import json
import shutil
import tempfile
from contextlib import closing
from pathlib import Path
from typing import Any

from optimus_gym.game.tasks import headline_tasks
from optimus_gym.run.evaluate import Evaluation, Pictures, evaluate
from optimus_gym.run.results.results_folder import IDENTITY
from optimus_gym.run.results.row_files import ROWS_FILE, RUNS
from optimus_gym.terminal.bars import bars

HOME = Path(__file__).resolve().parents[1] / "docs" / "results"
HEADLINES = "headlines"


def asked() -> dict[str, Evaluation]:
    """Return the reference evaluations by name."""
    table = json.loads((HOME / "reference.json").read_text())
    return {name: evaluation_of(told) for name, told in table.items()}


def evaluation_of(told: dict[str, Any]) -> Evaluation:
    """Return an entry's evaluation; its tasks "headlines" are Optimus-1's seven headline tasks."""
    if told.get("tasks") == HEADLINES:
        told = {**told, "tasks": tuple(task.id for task in headline_tasks())}
    return Evaluation(**told)


def play(name: str, evaluation: Evaluation, workers: int, work: Path) -> None:
    """Play an evaluation and store its rows."""
    folder = work / name
    unseen = Pictures(frames=False)
    progress = bars("h")
    bar = progress.add_task(name, total=len(evaluation.jobs))
    rows = evaluate(
        evaluation,
        folder,
        workers=workers,
        rows=8,
        pictures=unseen,
        tell_kept=lambda kept: progress.update(bar, kept=kept),
    )
    with closing(rows), progress:
        for _ in rows:
            progress.update(bar, advance=1)
    target = HOME / name
    target.mkdir(exist_ok=True)
    for kept in (IDENTITY, RUNS):
        shutil.copy(folder / kept, target / kept)
    packed = gzip.compress((folder / ROWS_FILE).read_bytes(), 9, mtime=0)
    (target / f"{ROWS_FILE}.gz").write_bytes(packed)


def main() -> None:
    """Play the named evaluations, or all."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", choices=[*asked(), []], metavar="NAME")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--work", type=Path, help="folder from which an interrupted run resumes")
    parsed = parser.parse_args()
    wanted = {name: asked()[name] for name in parsed.names or asked()}
    with tempfile.TemporaryDirectory() as temporary:
        for name, evaluation in wanted.items():
            play(name, evaluation, parsed.workers, parsed.work or Path(temporary))


if __name__ == "__main__":
    main()
