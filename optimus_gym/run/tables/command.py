"""The commands `optimus-gym table` and `optimus-gym ablate`: repeat a paper's table, arm by arm."""

import argparse
import os
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, Final

from rich.console import Console

from optimus_gym.core.checks import check_name
from optimus_gym.core.errors import BadValue, shown
from optimus_gym.core.plain import read_json
from optimus_gym.run.evaluate.command import (
    add_episode_arguments,
    add_picture_arguments,
    add_running_arguments,
    played_with_bar,
    pool_of,
)
from optimus_gym.run.evaluate.evaluation import TEST_SEEDS, Evaluation
from optimus_gym.run.options import add_setting_options
from optimus_gym.run.results.replies import check_used, replies_in
from optimus_gym.run.results.row import EpisodeRow
from optimus_gym.run.results.shards import shard_of
from optimus_gym.run.results.table import print_whole
from optimus_gym.run.settings import asked
from optimus_gym.run.tables.arm_table import arm_table
from optimus_gym.run.tables.arms import (
    ABLATED,
    Comparison,
    ablation_arms,
    ablations,
    check_backbones,
    has_sizes,
    size_arms,
    table_arms,
    tables,
)
from optimus_gym.terminal.parser import listed
from optimus_gym.terminal.printing import words

TABLE_EXAMPLES: Final = (
    "optimus-gym table 1 --agents deps,jarvis-1,optimus-1 --out table-1",
    "optimus-gym table 16 --world symbolic --episodes 5 --seed 10000 --out table-16",
)
ABLATE_EXAMPLES: Final = (
    "optimus-gym ablate 2 --memory DIR --out table-2",
    "optimus-gym ablate 5a --backbones rules,fallible --memory DIR --out figure-5a",
    "optimus-gym ablate 6 --agent jarvis-1 --memory DIR --out figure-6",
)


def add_table_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `table`."""
    parser.add_argument(
        "number", metavar="NUMBER", help=f"table of Optimus-1: {', '.join(tables())}"
    )
    parser.add_argument(
        "--agents",
        type=several_parts,
        default=(),
        metavar="NAME,...|JSON",
        help="agents to compare, instead of --agent (default: that one)",
    )
    _add_arguments(parser)


def add_ablate_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `ablate`."""
    parser.add_argument(
        "which",
        metavar="WHICH",
        help=f"table or figure of Optimus-1, 6 of JARVIS-1: {', '.join(ablations())}",
    )
    _add_arguments(parser)


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments that both commands have."""
    parser.add_argument(
        "--out",
        type=Path,
        required=True,
        metavar="DIR",
        help="folder with the results of each arm; the same command resumes (required)",
    )
    parser.add_argument(
        "--backbones",
        type=several_parts,
        default=(),
        metavar="NAME,...|JSON",
        help="backbones to compare, instead of --backbone (default: that one)",
    )
    add_episode_arguments(parser)
    add_running_arguments(parser)
    add_picture_arguments(parser)
    add_setting_options(parser)


def run_table(parsed: argparse.Namespace) -> int:
    """Play a table's agents, print the table, and return 0.

    Raises:
        BadValue, UnknownName: an argument cannot be used, or a folder holds another evaluation.
        NoReplyUsed: an agent asked a model and could use no reply of the model in any episode.
        OSError: a folder cannot be written.
    """
    number = check_name("table", parsed.number, tables())
    evaluation = _evaluation(parsed, tables()[number]["suite"])
    agents = _parts("agent", parsed.agents, parsed, evaluation)
    backbones = _parts("backbone", parsed.backbones, parsed, evaluation)
    return _shown(parsed, table_arms(number, evaluation, agents, backbones))


def run_ablate(parsed: argparse.Namespace) -> int:
    """Play an ablation's arms, print the table, and return 0.

    Raises:
        BadValue, UnknownName: an argument cannot be used, or a folder holds another evaluation.
        NoReplyUsed: an arm asked a model and could use no reply of the model in any episode.
        OSError: a folder cannot be written.
    """
    evaluation = _evaluation(parsed, ABLATED)
    backbones = _parts("backbone", parsed.backbones, parsed, evaluation)
    if has_sizes(parsed.which):
        return _shown(parsed, size_arms(parsed.which, evaluation, backbones, parsed.out))
    return _shown(parsed, ablation_arms(parsed.which, evaluation, backbones))


def _evaluation(parsed: argparse.Namespace, suite: str) -> Evaluation:
    wanted = asked(parsed)
    return Evaluation(
        suite=suite,
        settings=wanted.settings,
        start=wanted.start,
        episodes=parsed.episodes,
        seed=TEST_SEEDS if parsed.seed is None else parsed.seed,
        **wanted.given,
    )


def _parts(
    kind: str, several: Sequence[Any], parsed: argparse.Namespace, evaluation: Evaluation
) -> Sequence[Any]:
    """Return the agents or backbones to compare: several, or the evaluation's own.

    Raises:
        BadValue: several are given, and options for the evaluation's own one.
    """
    own = asked(parsed).given.get(kind)
    if several and own is not None:
        raise BadValue(
            f"{kind}s: expected no options of one {kind} among several, got {shown(own)}; a JSON list "
            'such as [{"name": ..., "OPTION": ...}] holds the options of each'
        )
    return several or (getattr(evaluation, kind),)


def several_parts(text: str) -> tuple[Any, ...]:
    """Return names between commas, or the entries of a JSON list of names and mappings.

    Raises:
        argparse.ArgumentTypeError: the text begins as a list, and is no JSON list.

    >>> several_parts("rules,fallible")
    ('rules', 'fallible')
    >>> several_parts('["rules", {"name": "fallible", "scale": 2}]')
    ('rules', {'name': 'fallible', 'scale': 2})
    """
    if not text.lstrip().startswith("["):
        return listed(text)
    try:
        found = read_json(text.encode(), "list")
    except BadValue as error:
        raise argparse.ArgumentTypeError(str(error)) from error
    return tuple(found)


def _shown(parsed: argparse.Namespace, comparison: Comparison) -> int:
    """Play all arms, and print their table."""
    check_backbones(comparison)
    shard = shard_of(parsed.shard, parsed.shards, os.environ)
    played: dict[str, list[EpisodeRow]] = {}
    with closing(pool_of(parsed)) as pool:
        for arm in comparison.arms:
            out = parsed.out / arm.name
            rows = played_with_bar(arm.evaluation, parsed, out, shard, pool, arm.name)
            check_used(replies_in(rows))
            played[arm.name] = rows
    if shard is not None and not any(played.values()):
        Console().print(words(f"{shard} has no episodes"), soft_wrap=True)
        return 0
    print_whole(arm_table(comparison, played, comparison.arms[0].evaluation.start))
    Console().print(words(f"rows of each arm in '{parsed.out}'"), soft_wrap=True)
    return 0
