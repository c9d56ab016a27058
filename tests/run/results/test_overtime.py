"""Episodes over their time limit are left out of all shares, and the table names them."""

import gzip
import math
from dataclasses import replace
from io import StringIO

import pytest
from rich.console import Console

from optimus_gym.core.errors import BadValue
from optimus_gym.run.report.curves import milestone_curves, success_curves
from optimus_gym.run.report.failures import failings
from optimus_gym.run.results import row_files
from optimus_gym.run.results.figures import by_group, figures, overall
from optimus_gym.run.results.paired import pairs_of
from optimus_gym.run.results.results_folder import read_results
from optimus_gym.run.results.row import MOST_REASON, OVERTIME, row_of, shortened
from optimus_gym.run.results.table import group_table
from tests.run.report.folders import a_folder
from tools.mutating.evaluations import a_row

LATE = replace(a_row("wood", 3, False), status=OVERTIME, reason="it took more than 9 s by itself")
ROWS = [a_row("wood", 0, True), a_row("wood", 1, False), a_row("wood", 2, True), LATE]


def shown(rows):
    console = Console(file=StringIO(), width=300)
    console.print(group_table(rows, {}))
    return console.file.getvalue()


def test_a_share_does_not_count_overtime_episodes():
    one = figures("wood", ROWS)
    assert (one.episodes, one.successes, one.overtime) == (3, 2, 1)
    assert one.rate == 2 / 3
    assert one.interval == figures("wood", ROWS[:3]).interval
    told = shown(ROWS)
    assert "66.7%" in told
    assert "crashed (time) 1" in told


def test_overtime_episodes_alone_have_no_share():
    one = figures("wood", [LATE])
    assert math.isnan(one.rate)
    assert one.interval == (0.0, 1.0)
    assert "nan" not in shown([LATE])
    groups = [
        a_row(name, k, True) for name in ("iron", "gold", "diamond", "redstone") for k in (0, 1)
    ]
    armor = replace(LATE, group="armor")
    assert overall([*groups, armor]) is None
    assert overall([*groups, armor, a_row("armor", 1, True)]).rate == 1
    assert len(by_group([*groups, armor])) == 5


def test_curves_differences_and_failures_leave_out_overtime_episodes():
    assert success_curves(ROWS)[0].shares.tolist() == success_curves(ROWS[:3])[0].shares.tolist()
    assert success_curves([LATE]) == ()
    assert len(milestone_curves(ROWS)["wood"]) == len(milestone_curves(ROWS[:3])["wood"])
    assert sum(one.count for one in failings(ROWS)) == 1
    whole = [replace(row, status="success", success=True) for row in ROWS]
    assert len(pairs_of(ROWS, whole)) == len(pairs_of(whole, ROWS)) == 3


def test_an_overtime_row_survives_writing_and_reading():
    assert row_of(LATE.to_line(), "a line") == LATE


def test_a_compressed_file_that_would_fill_the_memory_is_refused(tmp_path, monkeypatch):
    folder = a_folder(tmp_path / "out", ROWS)
    line = ROWS[0].to_line().encode()
    (folder / "rows.jsonl").unlink()
    monkeypatch.setattr(row_files, "_MOST_BYTES", 10**6)
    (folder / "rows.jsonl.gz").write_bytes(gzip.compress(line + b" " * 10**8 + b"\n"))
    assert (folder / "rows.jsonl.gz").stat().st_size < 10**6
    with pytest.raises(
        BadValue, match=r"rows\.jsonl\.gz.*expected at most 1,000,000 bytes, unpacked"
    ):
        read_results(folder)
    (folder / "rows.jsonl.gz").write_bytes(gzip.compress(line))
    assert read_results(folder).rows == (ROWS[0],)


def test_a_long_reason_keeps_its_beginning_and_end():
    text = "begin" + "x" * 10**6 + "end"
    cut = shortened(text)
    assert len(cut) == MOST_REASON
    assert cut.startswith("begin")
    assert cut.endswith("end")
    assert "980,008 characters are left out" in cut
