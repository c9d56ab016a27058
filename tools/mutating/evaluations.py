"""Files with rows of evaluations as a kind: a use reads the rows, counts them and writes a report page."""

import json
import shutil
from collections.abc import Sequence
from io import StringIO
from pathlib import Path

from rich.console import Console

from optimus_gym.run.report.curves import milestone_curves, success_curves
from optimus_gym.run.report.page import page
from optimus_gym.run.report.table_files import as_csv, as_latex
from optimus_gym.run.results.results_folder import IDENTITY, read_results
from optimus_gym.run.results.row import FORMAT, Death, EpisodeRow, Pursued
from optimus_gym.run.results.row_files import ROWS_FILE
from optimus_gym.run.results.table import group_table
from tools.mutating.changes import Draws, change_bytes, change_json


def a_row(group: str, episode: int, success: bool) -> EpisodeRow:
    """Return a row that an evaluation could have written."""
    return EpisodeRow(
        task=f"Task{group}",
        suite="optimus-67",
        group=group,
        episode=episode,
        seed=episode,
        agent="optimus-1",
        backbone="rules",
        controller="random",
        world="voxel",
        protocol="vanilla",
        assists=("night_vision",),
        privileged=False,
        crafting="functional",
        helper="functional",
        thinking="paused",
        budget=3600,
        success=success,
        status="success" if success else "died",
        ticks=400 + episode,
        milestones={"oak_log": 120, "diamond": 300},
        subgoals=(
            Pursued("mine 3 oak_log", "reached", "", "", "", 120, 120),
            Pursued("mine 1 diamond", "failed", "not_found", "diamond_ore", "far", 280, 400),
        ),
        deaths=() if success else (Death("zombie", 400),),
        models=("rules",),
        configuration="c" * 64,
        code="d" * 64,
        versions={"python": "3.11.7"},
    )


class Evaluations:
    """The kind "folders of evaluations"; the changes are those of the file of rows."""

    def samples(self) -> Sequence[bytes]:
        """Return a file with one row, and a file with rows of all groups that "overall" needs."""
        groups = ("wood", "iron", "gold", "diamond", "redstone", "armor")
        many = [a_row(group, k, k != 1) for group in groups for k in range(3)]
        return [
            "".join(row.to_line() for row in rows).encode()
            for rows in ([a_row("wood", 0, True)], many)
        ]

    def change(self, data: bytes, draws: Draws) -> bytes:
        """Return a changed file of rows: changed bytes, or changed values of one row."""
        if draws.random() < 0.5:
            return change_bytes(data, draws)
        lines = data.splitlines(keepends=True)
        place = int(draws.integers(len(lines)))
        lines[place] = change_json(json.loads(lines[place]), draws).replace(b"\n", b" ") + b"\n"
        return b"".join(lines)

    def use(self, path: Path) -> None:
        """Read the rows, count them and show them."""
        folder = path.parent / "evaluation"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        (folder / IDENTITY).write_text(json.dumps({"format": FORMAT}))
        path.rename(folder / ROWS_FILE)
        found = read_results(folder)
        if not found.rows:
            return
        console = Console(file=StringIO(), width=200)
        console.print(group_table(found.rows, found.start))
        assert as_csv([found]).count("\n") > 1, "a table without a line"
        as_latex([found, found])
        success_curves(found.rows)
        milestone_curves(found.rows)
        assert "</html>" in page([found, found], [], folder / "page.html", 1_000_000)
