"""The command `optimus-gym learn`: agents fill a memory epoch by epoch, and the memory is evaluated."""

import argparse
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Final

from rich.console import Console

from optimus_gym.core.checks import check_path
from optimus_gym.core.intervals import wilson
from optimus_gym.run.evaluate.command import add_ray_options, pool_of
from optimus_gym.run.evaluate.evaluation import Evaluation
from optimus_gym.run.learn.curricula import CURRICULA, FREE_EXPLORATION
from optimus_gym.run.learn.epochs import learned
from optimus_gym.run.learn.learning_setup import Learning, Round
from optimus_gym.run.options import add_seed_option, add_setting_options
from optimus_gym.run.results.growth import Epoch
from optimus_gym.run.results.replies import check_used, replies_in
from optimus_gym.run.results.row import CRASHED
from optimus_gym.run.settings import asked
from optimus_gym.seeds import TRAIN, VALIDATION
from optimus_gym.terminal.bars import bars
from optimus_gym.terminal.parser import listed, whole
from optimus_gym.terminal.printing import words

EXAMPLES: Final = (
    "optimus-gym learn DIR --world symbolic --rows 8 --workers 2",
    "optimus-gym learn DIR --agent jarvis-1 --curriculum self --suite optimus-67 --tasks Stone,Iron",
    "optimus-gym learn DIR --memory OTHER --epochs 1",
)
EVALUATED: Final = "optimus-ablation-18"
"""Suite of the evaluation after each epoch (Optimus-1, section 3.5)."""
_DID: Final = {"explore": "explored", "teach": "was taught", "tasks": "played"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument(
        "folder", type=Path, metavar="DIR", help="new folder, or the folder of a run to go on with"
    )
    parser.add_argument(
        "--curriculum",
        default=FREE_EXPLORATION,
        metavar="WHICH",
        help=f"what agents play: explorations and lessons ({FREE_EXPLORATION}), or tasks of the suite: "
        f"{', '.join(CURRICULA[1:])} (default: {FREE_EXPLORATION})",
    )
    parser.add_argument(
        "--pool",
        type=listed,
        default=(),
        metavar="NAME,...",
        help="tasks of the suite that those curricula choose from (default: all)",
    )
    for name, default, told in (
        ("epochs", 4, "number of epochs"),
        ("explore", Learning.explore, "explorations of an epoch"),
        ("teach", Learning.teach, "lessons of an epoch"),
        ("round", Learning.round, "tasks of a round, in which the memory stays as it is"),
        ("workers", 1, "processes that play"),
        ("rows", 1, "episodes that each process plays at once"),
    ):
        parser.add_argument(
            f"--{name}",
            type=whole,
            default=default,
            metavar="N",
            help=f"{told} (default: {default})",
        )
    add_ray_options(parser)
    add_seed_option(parser, TRAIN.start, f"{TRAIN.start}, the first seed for training")
    _add_evaluation_options(parser)
    add_setting_options(parser)


def _add_evaluation_options(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("evaluation before the first and after each epoch")
    group.add_argument(
        "--suite",
        default=EVALUATED,
        metavar="NAME",
        help=f"suite of the tasks (default: {EVALUATED})",
    )
    group.add_argument(
        "--tasks",
        type=listed,
        default=(),
        metavar="NAME,...",
        help="only these tasks of the suite (default: all)",
    )
    group.add_argument(
        "--episodes",
        type=whole,
        default=3,
        metavar="N",
        help="episodes of each task; 0: no evaluation (default: 3)",
    )
    group.add_argument(
        "--evaluation-seed",
        type=whole,
        default=VALIDATION.start,
        metavar="N",
        help=f"seed of each task's first episode (default: {VALIDATION.start})",
    )


def run(parsed: argparse.Namespace) -> int:
    """Play the epochs with a progress bar, print a line for each round and epoch, and return 0.

    Raises:
        BadValue, UnknownName: an argument cannot be used, or the folder belongs to another configuration.
        BadMemory: the memory is not as the latest round left it.
        NoReplyUsed: agents asked a model and could use no reply of the model in an epoch's evaluation.
        OSError: a folder cannot be written.
    """
    wanted = asked(parsed)
    evaluation = Evaluation(
        suite=parsed.suite,
        tasks=parsed.tasks,
        settings=wanted.settings,
        start=wanted.start,
        episodes=max(parsed.episodes, 1),
        seed=parsed.evaluation_seed,
        **wanted.given,
    )
    learning = Learning(
        evaluation=evaluation,
        curriculum=parsed.curriculum,
        pool=parsed.pool,
        explore=parsed.explore,
        teach=parsed.teach,
        round=parsed.round,
        seed=parsed.seed,
    )
    folder = check_path("folder", parsed.folder)
    total = parsed.epochs * learning.rounds + (parsed.episodes > 0) * (parsed.epochs + 1)
    with closing(pool_of(parsed)) as pool:
        steps = learned(
            learning,
            folder,
            parsed.epochs,
            evaluates=parsed.episodes > 0,
            workers=parsed.workers,
            rows=parsed.rows,
            pool=pool,
        )
        _print(steps, total)
    return 0


def _print(steps: Iterator[Round | Epoch], total: int) -> None:
    """Print a line for each step, above a progress bar."""
    console = Console()
    with bars("min") as display:
        bar = display.add_task("rounds and evaluations", total=total)
        for one in steps:
            told = round_line(one) if isinstance(one, Round) else epoch_line(one)
            console.print(words(told), soft_wrap=True)
            display.update(bar, advance=1)
            if isinstance(one, Epoch):
                check_used(replies_in(one.results.rows))


def round_line(one: Round) -> str:
    """Return a round in words."""
    crashed = [f"{name} crashed" for name in one.crashed]
    faults = f" ({'; '.join((*one.problems, *crashed))})" if one.problems or crashed else ""
    return (
        f"epoch {one.epoch}, round {one.number}: {_DID[one.kind]} {len(one.tasks)}, "
        f"reached {len(one.reached)}; {one.experiences:,} episodes and {one.ways:,} ways remembered{faults}"
    )


def epoch_line(epoch: Epoch) -> str:
    """Return an epoch in words."""
    size = epoch.size
    crashed = sum(row.status == CRASHED for row in epoch.results.rows)
    faults = f"; {crashed} crashed" if crashed else ""
    rows = [row for row in epoch.results.rows if row.is_counted]
    won = sum(row.success for row in rows)
    low, high = wilson(won, len(rows))
    return (
        f"epoch {epoch.number}: {size.experiences:,} episodes and {size.ways:,} ways remembered "
        f"({size.share:.1%} of the ways that there are); {won} of {len(rows)} episodes succeed, "
        f"{won / len(rows):.1%} ({100 * low:.1f} to {100 * high:.1f}){faults}"
    )
