"""The command line `optimus-gym` and its commands."""

import argparse
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from types import MappingProxyType
from typing import Final

from optimus_gym import __version__
from optimus_gym.run import (
    bench,
    check,
    compare,
    compiled,
    listing,
    plan,
    play,
    serving,
    serving_tools,
    transcript,
)
from optimus_gym.run.evaluate import command as evaluate
from optimus_gym.run.learn import command as learn
from optimus_gym.run.memory import command as memory
from optimus_gym.run.record import command as record
from optimus_gym.run.report import command as report
from optimus_gym.run.tables import command as tables
from optimus_gym.terminal.parser import Parser
from optimus_gym.terminal.running import carry_out
from optimus_gym.terminal.watchdog import start_guard

_EXAMPLES: Final = (
    "optimus-gym run Diamond --video diamond.mp4",
    "optimus-gym evaluate --tasks Wood,Stone --episodes 10 --out results",
    "optimus-gym report results",
)
"""Example command lines in the help of `optimus-gym` itself."""


@dataclass(frozen=True, slots=True)
class Command:
    """A command of the command line.

    Attributes:
        help: the command's purpose, one line.
        add_arguments: adds the command's arguments to its parser.
        run: runs the command and returns the exit status.
        examples: whole command lines for the command's help.
    """

    help: str
    add_arguments: Callable[[argparse.ArgumentParser], None]
    run: Callable[[argparse.Namespace], int]
    examples: tuple[str, ...]


def entry() -> int:
    """Run the command line with a guard that kills a hanging process, and return the exit status.

    A part named "module:Class" may be in the current folder. The current folder comes last on Python's path,
    so that the folder's files replace no installed module.
    """
    start_guard()
    with suppress(OSError):  # the current folder may have been deleted
        sys.path.append(os.getcwd())
    return main()


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return the exit status.

    0: success; for `run`, the task was reached. 1: `run` did not reach the task. 2: bad input. 3: the agent
    asked a model and could use no reply of the model. 74: the system could not read or write a file.
    128 plus a signal's number: a signal ended the command (130: Ctrl-C).
    """
    return carry_out("optimus-gym", partial(_run, arguments))


def _run(arguments: Sequence[str] | None) -> int:
    parsed = make_parser().parse_args(arguments)
    status: int = parsed.command(parsed)
    return status


def make_parser() -> Parser:
    """Return the parser of the whole command line."""
    parser = Parser(
        prog="optimus-gym",
        description="Long-horizon Minecraft tasks: play, evaluate, compare and record agents.",
        examples=_EXAMPLES,
    )
    parser.add_argument("--version", action="version", version=__version__)
    chosen = parser.add_subparsers(required=True, metavar="COMMAND")
    for name, command in COMMANDS.items():
        one = chosen.add_parser(
            name,
            help=command.help,
            description=f"{command.help[0].upper()}{command.help[1:]}.",
            examples=command.examples,
        )
        one.set_defaults(command=command.run)
        command.add_arguments(one)
    return parser


def _add_nothing(_: argparse.ArgumentParser) -> None:
    """Add no arguments."""


COMMANDS: Final[Mapping[str, Command]] = MappingProxyType(
    {
        "list": Command(
            "list tasks, parts, protocols and suites",
            listing.add_arguments,
            listing.run,
            listing.EXAMPLES,
        ),
        "run": Command(
            "play one episode and print its course", play.add_arguments, play.run, play.EXAMPLES
        ),
        "plan": Command("plan how to get an item", plan.add_arguments, plan.run, plan.EXAMPLES),
        "evaluate": Command(
            "play tasks many times and store the results in a folder",
            evaluate.add_arguments,
            evaluate.run,
            evaluate.EXAMPLES,
        ),
        "learn": Command(
            "let agents explore and be taught, which fills a memory, and evaluate it each epoch",
            learn.add_arguments,
            learn.run,
            learn.EXAMPLES,
        ),
        "table": Command(
            "repeat a table of a paper that compares agents",
            tables.add_table_arguments,
            tables.run_table,
            tables.TABLE_EXAMPLES,
        ),
        "ablate": Command(
            "repeat an ablation of a paper",
            tables.add_ablate_arguments,
            tables.run_ablate,
            tables.ABLATE_EXAMPLES,
        ),
        "check": Command(
            "check a part of your own by the rules of its kind",
            check.add_arguments,
            check.check,
            check.EXAMPLES,
        ),
        "compare": Command(
            "compare evaluations with a first one",
            compare.add_arguments,
            compare.run,
            compare.EXAMPLES,
        ),
        "report": Command(
            "write a page, plots and tables of evaluations",
            report.add_arguments,
            report.run,
            report.EXAMPLES,
        ),
        "record": Command(
            "play episodes into a Minari dataset",
            record.add_arguments,
            record.run,
            record.EXAMPLES,
        ),
        "memory": Command(
            "show and maintain the content of a memory folder",
            memory.add_arguments,
            memory.run,
            memory.EXAMPLES,
        ),
        "transcript": Command(
            "print a backbone's recorded requests and replies",
            transcript.add_arguments,
            transcript.run,
            transcript.EXAMPLES,
        ),
        "serve": Command(
            "let the clients of MineRL and MineStudio play in embedded worlds",
            serving.add_serve_arguments,
            serving.serve,
            serving.SERVE_EXAMPLES,
        ),
        "serve-tools": Command(
            "offer a task as named tools to language models, by MCP or OpenEnv",
            serving_tools.add_tools_arguments,
            serving_tools.serve_tools,
            serving_tools.TOOLS_EXAMPLES,
        ),
        "shims": Command(
            "write stand-ins for java and xvfb-run that run an embedded world",
            serving.add_shims_arguments,
            serving.shims,
            serving.SHIMS_EXAMPLES,
        ),
        "bench": Command(
            "measure steps a second and the time of a reset",
            bench.add_arguments,
            bench.run,
            bench.EXAMPLES,
        ),
        "warmup": Command(
            "compile all code that an environment may need",
            _add_nothing,
            compiled.warm_up,
            compiled.WARMUP_EXAMPLES,
        ),
        "cache": Command(
            "print where machine code is stored and how large it is",
            compiled.add_cache_arguments,
            compiled.cache,
            compiled.CACHE_EXAMPLES,
        ),
    }
)
"""The commands by name, in the order of the help."""


if __name__ == "__main__":
    sys.exit(entry())
