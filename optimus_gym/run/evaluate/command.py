"""The command `optimus-gym evaluate`: play tasks of a suite and store their rows in a folder."""

import argparse
import time
from contextlib import closing
from pathlib import Path
from typing import Any, Final

from rich.console import Console

from optimus_gym.core.checks import check_file
from optimus_gym.core.errors import BadValue, shown
from optimus_gym.core.plain import read_json
from optimus_gym.game.tasks import OWN_SUITE, SUITE, SUITES, own_tasks
from optimus_gym.run.evaluate.evaluation import TEST_SEEDS, Evaluation
from optimus_gym.run.evaluate.pictures import EVERY, FILMED, Pictures
from optimus_gym.run.evaluate.running import AGAIN, evaluate
from optimus_gym.run.results.replies import check_used, replies_in
from optimus_gym.run.results.row import CRASHED, IMPOSSIBLE, OVERTIME, EpisodeRow
from optimus_gym.run.results.table import group_table, print_whole
from optimus_gym.run.settings import add_setting_arguments, asked, listed
from optimus_gym.seeds import SEEDS_A_TASK
from optimus_gym.terminal.bars import bars
from optimus_gym.terminal.printing import words

ROWS: Final = 8
"""Default number of episodes that a process plays at once."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    _add_task_arguments(parser)
    add_setting_arguments(parser)
    parser.add_argument(
        "--episodes", type=int, default=SEEDS_A_TASK, metavar="N", help="of each task (default 30)"
    )
    parser.add_argument(
        "--seeds",
        default=TEST_SEEDS,
        metavar="test|FIRST",
        help="each task's test seeds (default), or the first of consecutive ones to tune by",
    )
    parser.add_argument("--workers", type=int, default=1, metavar="N", help="processes (default 1)")
    parser.add_argument(
        "--rows",
        type=int,
        default=ROWS,
        metavar="N",
        help=f"episodes that each plays at once (default {ROWS})",
    )
    _add_picture_arguments(parser)
    parser.add_argument(
        "--episode-limit",
        type=float,
        metavar="SECONDS",
        help="an episode that takes longer by itself is 'crashed (time)', neither success nor failure",
    )
    parser.add_argument(
        "--again",
        choices=tuple(AGAIN),
        help="play again the folder's episodes that crashed, also by time",
    )
    parser.add_argument(
        "--out", type=Path, required=True, metavar="DIR", help="where rows are kept; goes on there"
    )


def _add_picture_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments for pictures and films."""
    parser.add_argument(
        "--frames",
        action=argparse.BooleanOptionalAction,
        default=True,
        help="keep a small frame of the end of each sub-goal (default)",
    )
    parser.add_argument(
        "--videos",
        default="none",
        metavar="WHICH",
        help=f"episodes to film: {', '.join(FILMED)}, or TASK:EPISODE,... (default none)",
    )
    parser.add_argument(
        "--every",
        type=int,
        default=EVERY,
        metavar="N",
        help=f"ticks a frame of a video (default {EVERY})",
    )
    parser.add_argument(
        "--true-light",
        action="store_true",
        help="leave dark frames in videos as the player sees them",
    )


def _add_task_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments that choose tasks."""
    parser.add_argument("--suite", metavar="NAME", help=f"{', '.join(SUITES)} (default {SUITE})")
    parser.add_argument(
        "--tasks-file",
        metavar="FILE.json",
        help="tasks of your own instead of a suite's (docs/own_tasks.md)",
    )
    parser.add_argument(
        "--tasks", default="", metavar="ID,...", help="only these of the suite or file"
    )


def evaluation_of(parsed: argparse.Namespace) -> Evaluation:
    """Return the evaluation that the arguments describe.

    Raises:
        BadValue, UnknownName: an argument cannot be used.
    """
    wanted = asked(parsed)
    own = None if parsed.tasks_file is None else own_table(parsed.tasks_file)
    if own is not None and parsed.suite is not None:
        raise BadValue(f"--tasks-file: expected no --suite, got --suite {shown(parsed.suite)}")
    return Evaluation(
        suite=parsed.suite or (SUITE if own is None else OWN_SUITE),
        own_tasks=own,
        tasks=listed(parsed.tasks),
        settings=wanted.settings,
        begin=wanted.begin,
        episodes=parsed.episodes,
        seeds=int(parsed.seeds) if parsed.seeds.isdecimal() else parsed.seeds,
        **wanted.given,
    )


def own_table(file: str) -> dict[str, Any]:
    """Return the table of a file with the user's tasks (`optimus_gym.game.tasks.own_tasks`).

    Raises:
        BadValue, UnknownName: the file does not exist or holds no such table.
        OSError: the file cannot be read.
    """
    path = check_file("--tasks-file", file)
    table = read_json(path.read_bytes(), file)
    own_tasks(table, file)
    checked: dict[str, Any] = table
    return checked


def run(parsed: argparse.Namespace) -> int:
    """Play the episodes with a progress bar, print a table by group, and return 0.

    Raises:
        BadValue, UnknownName: an argument cannot be used, or the folder holds something else.
        NoReplyUsed: the agents asked a model and could use no reply of it in any episode.
        OSError: the folder cannot be written.
    """
    evaluation = evaluation_of(parsed)
    begun = time.perf_counter()
    rows = _played(evaluation, parsed)
    print_whole(group_table(rows, evaluation.begin))
    seconds = time.perf_counter() - begun
    told = f"{len(rows):,} episodes in '{parsed.out}', this run {seconds:,.0f} s"
    Console().print(words(told), soft_wrap=True)
    check_used(replies_in(rows))
    return 0


def _played(evaluation: Evaluation, parsed: argparse.Namespace) -> list[EpisodeRow]:
    rows: list[EpisodeRow] = []
    pictures = Pictures(parsed.frames, parsed.videos, parsed.every, parsed.true_light)
    progress = bars("h")
    bar = progress.add_task("episodes", total=len(evaluation.jobs))
    source = evaluate(
        evaluation,
        parsed.out,
        workers=parsed.workers,
        rows=parsed.rows,
        pictures=pictures,
        episode_limit=parsed.episode_limit,
        again=parsed.again,
        tell_kept=lambda kept: progress.update(bar, kept=kept),
    )
    told: set[str] = set()
    with closing(source), progress:
        for row in source:
            rows.append(row)
            counted = sum(one.is_counted for one in rows)
            share = sum(one.success for one in rows) / max(1, counted)
            progress.update(bar, description=f"success {share:.1%}", advance=1)
            if row.status == OVERTIME:
                _tell(progress.console, f"{row.task} {row.seed} {row.status}: {row.reason}")
            if row.status == CRASHED:
                last = next(reversed(row.reason.strip().splitlines()), "")
                _tell(progress.console, f"{row.task} {row.seed} crashed: {last}")
            if row.status == IMPOSSIBLE and row.task not in told:
                told.add(row.task)
                _tell(progress.console, f"not played, counts as not reached: {row.reason}")
    places = {(job.task, job.episode): place for place, job in enumerate(evaluation.jobs)}
    return sorted(rows, key=lambda row: places[row.key])


def _tell(console: Console, line: str) -> None:
    console.print(words(line), soft_wrap=True)
