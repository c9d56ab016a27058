"""The command `optimus-gym compare`: compare evaluations with a first evaluation, episode by episode."""

import argparse
from collections.abc import Iterator
from typing import Final

from rich.console import Console
from rich.table import Table

from optimus_gym.core.errors import BadValue
from optimus_gym.run.results.paired import (
    Difference,
    Pair,
    difference,
    group_differences,
    overall_difference,
    pairs_of,
    task_differences,
)
from optimus_gym.run.results.rank_correlation import FEWEST_RANKED, order_of_tasks
from optimus_gym.run.results.replies import replies_in
from optimus_gym.run.results.results_folder import Results, differences, read_results
from optimus_gym.run.results.table import print_whole, title_of
from optimus_gym.terminal.printing import add_row, words

EXAMPLES: Final = (
    "optimus-gym compare results/oracle results/random",
    "optimus-gym compare results/oracle results/random results/steve-1 --by-task",
)
_HEAD = ("episodes", "first", "second", "difference", "95 % interval", "", "ticks", "95 % interval")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument(
        "first",
        metavar="DIR",
        help="folder of `evaluate`; each further folder is compared with this one",
    )
    parser.add_argument(
        "others",
        nargs="+",
        metavar="DIR",
        help="folder of `evaluate` to compare with the first folder",
    )
    parser.add_argument(
        "--by-task", action="store_true", help="also print a line for each task (default: off)"
    )


def run(parsed: argparse.Namespace) -> int:
    """Print how the results in each further folder differ from those in the first folder, and return 0.

    Raises:
        BadValue: a folder cannot be read, or shares no episode with the first folder.
    """
    first = read_results(parsed.first)
    console = Console()
    for other in map(read_results, parsed.others):
        pairs = pairs_of(first.rows, other.rows)
        if not pairs:
            raise BadValue(
                f"compare: expected episodes of the same tasks and seeds, got none in "
                f"'{first.path}' and '{other.path}'"
            )
        for line in _told(first, other, pairs):
            console.print(words(line), soft_wrap=True)
        print_whole(_comparison_table(pairs, parsed.by_task))
        for line in _order_lines(pairs):
            console.print(words(line), soft_wrap=True)
    return 0


def _told(first: Results, other: Results, pairs: list[Pair]) -> Iterator[str]:
    """Yield lines that name two evaluations and the differences in their configuration, code and versions."""
    yield f"first: '{first.path}', {title_of(first.rows)}"
    yield f"second: '{other.path}', {title_of(other.rows)}; ticks where both succeeded"
    for which, folder in (("first", first), ("second", other)):
        told = replies_in(folder.rows).told
        if told:
            yield f"  {which}: {told}"
    left = len(first.rows) + len(other.rows) - 2 * len(pairs)
    if left:
        yield f"left out: {left:,} episodes that only one evaluation has or that took too long"
    for line in differences("", first.identity, other.identity, ("first", "second")):
        yield f"  {line}"


def _comparison_table(pairs: list[Pair], tasks: bool = False) -> Table:
    """Return a table with lines for groups, "overall" and "all pairs"; `tasks` adds a line for each task.

    The line "overall" is the mean over a whole suite's groups; the line "all pairs" weighs every pair of
    episodes equally.
    """
    made = Table(box=None, header_style="bold")
    made.add_column("")
    for name in _HEAD:
        made.add_column(name, justify="right")
    together = overall_difference(pairs)
    groups = group_differences(pairs)
    lines = [*groups, *([together] if together else [])]
    if len(groups) > 1:
        lines.append(difference("all pairs", pairs))
    for one in (*(task_differences(pairs) if tasks else ()), *lines):
        add_row(made, *_cells(one))
    return made


def _order_lines(pairs: list[Pair]) -> Iterator[str]:
    """Yield lines that say how well the evaluations agree on the order of their tasks."""
    if len({first.task for first, _ in pairs}) < FEWEST_RANKED:
        return
    for name, found in order_of_tasks(pairs):
        if found is None:
            yield f"order of the tasks by {name}: no correlation, too few tasks or all are equal"
        else:
            yield (
                f"order of the tasks by {name} ({found.tasks} tasks): Spearman {found.spearman:+.2f} "
                f"(p {found.spearman_p:.3f}), Kendall {found.kendall:+.2f} (p {found.kendall_p:.3f})"
            )


def _cells(one: Difference) -> Iterator[str]:
    low, high = one.interval
    yield one.name
    yield f"{one.episodes:,}"
    yield f"{one.rates[0]:.1%}"
    yield f"{one.rates[1]:.1%}"
    yield f"{one.rate:+.1%}"
    yield f"{low:+.1%} to {high:+.1%}"
    yield "*" if one.is_sure else ""
    yield "-" if one.ticks is None else f"{one.ticks:+,.0f}"
    ends = one.ticks_interval
    yield "-" if ends is None else f"{ends[0]:+,.0f} to {ends[1]:+,.0f}"
