"""The command `optimus-gym evaluate`: play tasks and store a row of results for each episode."""

import argparse
import os
import time
from contextlib import closing
from pathlib import Path
from typing import Any, Final

from rich.console import Console

from optimus_gym.core.checks import check_file
from optimus_gym.core.errors import BadValue, shown
from optimus_gym.core.plain import read_json
from optimus_gym.game.tasks import OWN_SUITE, SUITE, own_tasks
from optimus_gym.run.evaluate.distributing import AGAIN, evaluate
from optimus_gym.run.evaluate.evaluation import TEST_SEEDS, Evaluation
from optimus_gym.run.evaluate.key_frames import FILMED, Pictures
from optimus_gym.run.evaluate.process_pool import ProcessPool
from optimus_gym.run.evaluate.ray_pool import RayPool
from optimus_gym.run.evaluate.worker_pool import WorkerPool
from optimus_gym.run.options import add_seed_option, add_setting_options, add_video_options
from optimus_gym.run.results.first_possessions import told_possessions
from optimus_gym.run.results.replies import check_used, replies_in
from optimus_gym.run.results.row import CRASHED, IMPOSSIBLE, OVERTIME, EpisodeRow
from optimus_gym.run.results.shards import Shard, shard_of
from optimus_gym.run.results.table import group_table, print_whole
from optimus_gym.run.settings import asked
from optimus_gym.seeds import SEEDS_A_TASK
from optimus_gym.terminal.bars import bars
from optimus_gym.terminal.parser import listed, number, whole
from optimus_gym.terminal.printing import words

EXAMPLES: Final = (
    "optimus-gym evaluate --tasks Wood,Stone --episodes 10 --workers 2 --out results/oracle",
    "optimus-gym evaluate --tasks Wood --controller random --seed 10000 --out results/random",
    "optimus-gym evaluate --suite deps-50 --protocol optimus-1-paper --videos failed --out deps",
    "optimus-gym evaluate --tasks Wood --controller steve-1:FOLDER --resolution 640x360 \\\n"
    "    --rows 16 --set controller.guidance=4 --out results/steve-1",
    "optimus-gym evaluate --tasks Wood --crafting gui --seed 10000 --out results/by_mouse",
)
_ROWS: Final = 8
"""Default number of episodes that a process plays at once."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument(
        "--out",
        type=Path,
        required=True,
        metavar="DIR",
        help="folder for the results; the same command resumes an unfinished evaluation (required)",
    )
    _add_task_arguments(parser)
    add_running_arguments(parser)
    add_picture_arguments(parser)
    add_setting_options(parser)


def _add_task_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments that choose tasks and episodes."""
    parser.add_argument(
        "--suite", metavar="NAME", help=f"suite to play; `list` shows all (default: {SUITE})"
    )
    parser.add_argument(
        "--tasks-file",
        metavar="FILE.json",
        help="your own tasks instead of a suite's, see docs/own_tasks.md (default: no file)",
    )
    parser.add_argument(
        "--tasks",
        type=listed,
        default=(),
        metavar="NAME,...",
        help="play only these tasks of the suite or file (default: all)",
    )
    add_episode_arguments(parser)


def add_episode_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments that choose each task's episodes."""
    parser.add_argument(
        "--episodes",
        type=whole,
        default=SEEDS_A_TASK,
        metavar="N",
        help=f"episodes of each task (default: {SEEDS_A_TASK})",
    )
    add_seed_option(parser, None, "each task's own test seeds, for final figures")


def add_running_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments that decide how the episodes are played, and which are played again."""
    parser.add_argument(
        "--workers", type=whole, default=1, metavar="N", help="processes that play (default: 1)"
    )
    parser.add_argument(
        "--rows",
        type=whole,
        default=_ROWS,
        metavar="N",
        help=f"episodes that each process plays at once (default: {_ROWS})",
    )
    add_ray_options(parser)
    _add_shard_options(parser)
    parser.add_argument(
        "--episode-limit",
        type=number,
        metavar="SECONDS",
        help="maximum wall seconds of an episode played alone; a longer episode is 'crashed (time)', neither "
        "success nor failure (default: no limit)",
    )
    parser.add_argument(
        "--again",
        choices=tuple(AGAIN),
        help="replay the folder's crashed episodes, 'crashed (time)' included (default: replay none)",
    )


def add_ray_options(parser: argparse.ArgumentParser) -> None:
    """Add the arguments that let the nodes of a Ray cluster play."""
    parser.add_argument(
        "--ray",
        metavar="ADDRESS",
        help="play on a Ray cluster that runs: its address, or auto (default: on this machine)",
    )
    parser.add_argument(
        "--ray-gpus",
        type=number,
        default=0.0,
        metavar="N",
        help="number of GPUs, or a part of one, that Ray reserves for each worker (default: 0.0)",
    )


def pool_of(parsed: argparse.Namespace) -> WorkerPool:
    """Return the workers that `add_ray_options` asks for.

    Raises:
        MissingExtra: Ray is asked for and not installed.
        BadValue: no cluster answers, a node of it cannot play, or GPUs are asked for without a cluster.
    """
    if parsed.ray is None:
        if parsed.ray_gpus:
            raise BadValue(f"ray_gpus: expected --ray with it, got {parsed.ray_gpus:g} alone")
        return ProcessPool()
    return RayPool(parsed.ray, parsed.ray_gpus)


def _add_shard_options(parser: argparse.ArgumentParser) -> None:
    """Add the arguments that choose a part of the episodes, for several machines."""
    parser.add_argument(
        "--shard",
        metavar="K/N",
        help="play the K-th of N parts into a folder of its own below --out (default: SLURM's array, or all)",
    )
    parser.add_argument(
        "--shards",
        type=whole,
        metavar="N",
        help="play one of N parts, the one that Kubernetes' indexed job names (default: all)",
    )


def add_picture_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments for pictures and videos."""
    parser.add_argument(
        "--frames",
        action=argparse.BooleanOptionalAction,
        default=True,
        help="store a small picture of each sub-goal's end (default: on)",
    )
    parser.add_argument(
        "--videos",
        default="none",
        metavar="WHICH",
        help=f"episodes to film: {', '.join(FILMED)}, or TASK:EPISODE,... (default: none)",
    )
    add_video_options(parser)


def evaluation_of(parsed: argparse.Namespace) -> Evaluation:
    """Return the evaluation that the arguments describe.

    Raises:
        BadValue, UnknownName: an argument cannot be used.
    """
    wanted = asked(parsed)
    own = None if parsed.tasks_file is None else own_table(parsed.tasks_file)
    if own is not None and parsed.suite is not None:
        raise BadValue(
            f"tasks_file: expected --tasks-file without --suite, got --suite {shown(parsed.suite)}"
        )
    return Evaluation(
        suite=parsed.suite or (SUITE if own is None else OWN_SUITE),
        own_tasks=own,
        tasks=parsed.tasks,
        settings=wanted.settings,
        start=wanted.start,
        episodes=parsed.episodes,
        seed=TEST_SEEDS if parsed.seed is None else parsed.seed,
        **wanted.given,
    )


def own_table(file: str) -> dict[str, Any]:
    """Return the content of a JSON file with the user's own tasks (`optimus_gym.game.tasks.own_tasks`).

    Raises:
        BadValue, UnknownName: the file does not exist, is no JSON, or holds no valid tasks.
        OSError: the file cannot be read.
    """
    path = check_file("tasks_file", file)
    table = read_json(path.read_bytes(), file)
    own_tasks(table, file)
    checked: dict[str, Any] = table
    return checked


def run(parsed: argparse.Namespace) -> int:
    """Play the episodes with a progress bar, print a table of results by group, and return 0.

    Raises:
        BadValue, UnknownName: an argument cannot be used, or the folder holds another evaluation or files
            that no evaluation wrote.
        NoReplyUsed: the agents asked a model and could use no reply of the model in any episode.
        OSError: the folder cannot be written.
    """
    evaluation = evaluation_of(parsed)
    shard = shard_of(parsed.shard, parsed.shards, os.environ)
    begun = time.perf_counter()
    with closing(pool_of(parsed)) as pool:
        rows = played_with_bar(evaluation, parsed, parsed.out, shard, pool)
    if not rows:
        Console().print(words(f"{shard} has no episodes"), soft_wrap=True)
        return 0
    print_whole(group_table(rows, evaluation.start))
    for line in told_possessions(rows):
        Console().print(words(line), soft_wrap=True)
    seconds = time.perf_counter() - begun
    part = f" of {shard}" if shard else ""
    told = f"{len(rows):,} episodes{part} in '{parsed.out}', this run {seconds:,.0f} s"
    Console().print(words(told), soft_wrap=True)
    check_used(replies_in(rows))
    return 0


def played_with_bar(
    evaluation: Evaluation,
    parsed: argparse.Namespace,
    out: Path,
    shard: Shard | None,
    pool: WorkerPool,
    title: str = "success",
) -> list[EpisodeRow]:
    """Play an evaluation with a progress bar; return its rows, or a shard's, in the order of its episodes.

    Args:
        evaluation: the configuration.
        parsed: the values of `add_running_arguments` and `add_picture_arguments`.
        out: the folder of the results.
        shard: the part to play; None: all.
        pool: the workers.
        title: the bar's words before the success rate.

    Raises:
        BadValue: an argument cannot be used, or the folder holds another evaluation.
        OSError: the folder cannot be written.
    """
    rows: list[EpisodeRow] = []
    pictures = Pictures(parsed.frames, parsed.videos, parsed.every, parsed.true_light)
    progress = bars("h")
    asked = evaluation.jobs if shard is None else shard.of(evaluation.jobs)
    bar = progress.add_task("episodes", total=len(asked))
    source = evaluate(
        evaluation,
        out,
        workers=parsed.workers,
        rows=parsed.rows,
        pictures=pictures,
        episode_limit=parsed.episode_limit,
        again=parsed.again,
        shard=shard,
        tell_kept=lambda kept: progress.update(bar, kept=kept),
        pool=pool,
    )
    told: set[str] = set()
    with closing(source), progress:
        if shard is not None:
            _tell(progress.console, f"{shard}: {len(asked):,} of {len(evaluation.jobs):,} episodes")
        for row in source:
            rows.append(row)
            counted = sum(one.is_counted for one in rows)
            share = sum(one.success for one in rows) / max(1, counted)
            progress.update(bar, description=f"{title} {share:.1%}", advance=1)
            if row.status == OVERTIME:
                _tell(progress.console, f"{row.task} {row.seed} {row.status}: {row.reason}")
            if row.status == CRASHED:
                last = next(reversed(row.reason.strip().splitlines()), "")
                _tell(progress.console, f"{row.task} {row.seed} crashed: {last}")
            if row.status == IMPOSSIBLE and row.task not in told:
                told.add(row.task)
                _tell(progress.console, f"not played, counts as a failure: {row.reason}")
    places = {(job.task, job.episode): place for place, job in enumerate(evaluation.jobs)}
    return sorted(rows, key=lambda row: places[row.key])


def _tell(console: Console, line: str) -> None:
    console.print(words(line), soft_wrap=True)
