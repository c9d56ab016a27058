"""The report of a run: a progress bar, a table by area, and the survivors."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from rich.console import Console
from rich.progress import Progress, TaskID
from rich.table import Table
from rich.text import Text

from optimus_gym.terminal.bars import bars
from tools.mutants.results import SURVIVES, Results
from tools.mutants.schemata import Placed, line_number

ENOUGH = 0.9
"""The share of the mutants that must be killed."""


@contextmanager
def bar(console: Console, what: str, total: int) -> Iterator[tuple[Progress, TaskID]]:
    """Show a progress bar."""
    with bars("min", console) as progress:
        yield progress, progress.add_task(what, total=total)


def report(console: Console, root: Path, rows: Sequence[Placed], results: Results) -> bool:
    """Print the results of mutants; return whether enough mutants were killed."""
    table = Table("area", *("mutants", "killed", "share"))
    survivors: list[Placed] = []
    for area in (*dict.fromkeys(row.mutant.area for row in rows), None):
        ours = [row for row in rows if area in (None, row.mutant.area)]
        alive = [row for row in ours if results.tried[row.mutant.id]["outcome"] in SURVIVES]
        killed = len(ours) - len(alive)
        table.add_row(area or "all", str(len(ours)), str(killed), f"{killed / len(ours):.0%}")
        survivors = alive
    console.print(table)
    outcomes = [results.tried[row.mutant.id]["outcome"] for row in rows]
    for outcome in sorted(set(outcomes)):
        console.print(f"{outcome}: {outcomes.count(outcome)}")
    for row in survivors:
        mutant = row.mutant
        line = line_number((root / mutant.file).read_text(encoding="utf-8"), mutant)
        why = (
            "no test reaches it" if results.tried[mutant.id]["outcome"] == SURVIVES[1] else "passed"
        )
        text = (
            f"survives: {mutant.id} ({mutant.file}:{line}, {why}): {mutant.old}  ->  {mutant.new}"
        )
        console.print(Text(text), soft_wrap=True)
    return len(survivors) <= (1 - ENOUGH) * len(rows) + 1e-9
