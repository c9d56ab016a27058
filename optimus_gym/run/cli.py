"""The command line `optimus-gym` and its commands."""

import argparse
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack, suppress
from functools import partial
from pathlib import Path
from typing import Any, Final

import gymnasium as gym
from rich.console import Console

from optimus_gym import __version__
from optimus_gym.core.checks import check_count
from optimus_gym.core.errors import BadValue, shown
from optimus_gym.core.rng import check_seed
from optimus_gym.run.compare import add_arguments as add_compare_arguments
from optimus_gym.run.compare import compare
from optimus_gym.run.episode import Player, Recorder
from optimus_gym.run.evaluate import command as evaluate
from optimus_gym.run.listing import add_arguments as add_list_arguments
from optimus_gym.run.listing import show_list
from optimus_gym.run.memory import command as memory
from optimus_gym.run.panel import WIDTH as PANEL_WIDTH
from optimus_gym.run.plan import add_arguments as add_plan_arguments
from optimus_gym.run.plan import plan
from optimus_gym.run.record import command as record
from optimus_gym.run.report import command as report
from optimus_gym.run.results.replies import check_used
from optimus_gym.run.settings import (
    add_recording_arguments,
    add_setting_arguments,
    asked,
    check_id,
)
from optimus_gym.run.transcript import add_arguments as add_transcript_arguments
from optimus_gym.run.transcript import transcript
from optimus_gym.terminal.printing import words
from optimus_gym.terminal.running import carry_out
from optimus_gym.terminal.stopping import INTERRUPTED
from optimus_gym.terminal.watchdog import start_guard
from optimus_gym.wrappers.exposure import exposure_of
from optimus_gym.wrappers.video import VideoWriter, check_video_path

PICTURE = (640, 360)
"""Width and height of a rendered frame in pixels."""
SUBGOALS: Final = "Optimus-"
"""First part of the ids of the sub-goal view."""
OWN: Final = ("info", "render_mode")
"""Environment arguments that `run` sets itself."""
MOST_DIGITS: Final = 9
"""Most digits of a picture's width or height; larger numbers make no sense."""
AddArguments = Callable[[argparse.ArgumentParser], None]
Command = Callable[[argparse.Namespace], int]
EXIT_REACHED, EXIT_NOT_REACHED = 0, 1


def entry() -> int:
    """Run the command line as its own process, with a guard, and return the exit status.

    A part named "module:Class" may be in the current folder. That folder comes last on Python's path, so
    that its files replace no installed module.
    """
    start_guard()
    with suppress(OSError):  # the folder may be gone
        sys.path.append(os.getcwd())
    return main()


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return the exit status.

    0: success; for `run`, the task was reached. 1: `run` did not reach the task. 2: bad input. 3: the agent
    asked a model and could use no reply of the model. 74: the system could not read or write a file.
    128 plus a signal's number: a signal ended the command (130: Ctrl-C).
    """
    return carry_out("optimus-gym", partial(_command, arguments))


def _command(arguments: Sequence[str] | None) -> int:
    parsed = _parser().parse_args(arguments)
    status: int = parsed.command(parsed)
    return status


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="optimus-gym", description="Long-horizon Minecraft tasks."
    )
    parser.add_argument("--version", action="version", version=__version__)
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    for name, (told, add_arguments, command) in _COMMANDS.items():
        one = commands.add_parser(name, help=told)
        one.set_defaults(command=command)
        add_arguments(one)
    return parser


def _add_run_arguments(run: argparse.ArgumentParser) -> None:
    run.add_argument("id", metavar="ID", help="a sub-goal view such as Optimus-Diamond-v0")
    run.add_argument("--seed", type=int, default=0, help="0 or more (default 0)")
    run.add_argument("--video", type=Path, metavar="FILE.mp4", help="record the episode")
    run.add_argument(
        "--every", type=int, default=4, metavar="N", help="ticks a frame of the video (default 4)"
    )
    run.add_argument(
        "--true-light", action="store_true", help="leave dark frames as the player sees them"
    )
    run.add_argument("--resolution", metavar="WxH", help="of the observation, such as 128x128")
    run.add_argument("--ticks", type=int, metavar="N", help="tick budget instead of the task's")
    add_setting_arguments(run)
    add_recording_arguments(run)


def _add_bench_arguments(bench: argparse.ArgumentParser) -> None:
    bench.add_argument("--rounds", type=int, default=3, help="how often each figure is taken")
    bench.add_argument("--steps", type=int, default=2000, help="steps of each measurement")
    bench.add_argument("--start", action="store_true", help="also time a first and a later start")


def _add_cache_arguments(cache: argparse.ArgumentParser) -> None:
    cache.add_argument("--clear", action="store_true", help="throw it away")


def _add_nothing(_: argparse.ArgumentParser) -> None:
    """Add no arguments."""


def parse_resolution(text: str) -> tuple[int, int]:
    """Return width and height from a text "WxH".

    Raises:
        BadValue: the text is not two whole numbers with an x between them.

    >>> parse_resolution("640x360")
    (640, 360)
    """
    width, _, height = text.partition("x")
    if not all(side.isdecimal() and len(side) <= MOST_DIGITS for side in (width, height)):
        raise BadValue(f"resolution: expected WxH such as 128x128, got {shown(text)}")
    return int(width), int(height)


def _check_id(name: str) -> None:
    if not check_id(name).startswith(SUBGOALS):
        raise BadValue(f"run: expected a sub-goal view such as 'Optimus-Wood-v0', got {name!r}")


def _arguments(parsed: argparse.Namespace) -> dict[str, Any]:
    """Return the arguments of the environment that `run` plays.

    Raises:
        BadValue, UnknownName: an argument cannot be used, or comes twice.
    """
    told = asked(parsed)
    own: dict[str, Any] = {}
    if parsed.ticks is not None:
        own["ticks"] = parsed.ticks
    if parsed.resolution is not None:
        own["resolution"] = parse_resolution(parsed.resolution)
    if told.begin:
        own["start"] = dict(told.begin)
    for name in told.settings:
        if name in OWN:
            raise BadValue(f"set: {name}: run decides it itself")
        if name in own:
            option = "begin" if name == "start" else name
            raise BadValue(f"set: {name}: expected it once, got --{option}, too")
    return {**told.given, **told.settings, **own}


def _run(parsed: argparse.Namespace) -> int:
    _check_id(parsed.id)
    seed = check_seed(parsed.seed)
    every = check_count("every", parsed.every, 1)
    wanted = _arguments(parsed)
    if parsed.video is not None:
        check_video_path(parsed.video)
        wanted["render_mode"] = "rgb_array"
    with ExitStack() as stack:
        env = gym.make(parsed.id, **wanted)
        stack.callback(env.close)
        writer = recorder = None
        if parsed.video is not None:
            width, height = PICTURE
            writer = stack.enter_context(VideoWriter(parsed.video, width + PANEL_WIDTH, height))
            recorder = Recorder(exposure_of(env, parsed.true_light), writer, every)
        result = Player(env, Console(), recorder).play(seed)
    if writer is not None and writer.frames:
        Console().print(words(f"video: {parsed.video}"), soft_wrap=True)
    if result.status == "interrupted":
        return INTERRUPTED
    check_used(result.replies)
    return EXIT_REACHED if result.success else EXIT_NOT_REACHED


def _bench(parsed: argparse.Namespace) -> int:
    from optimus_gym.run.bench import report

    rounds = check_count("rounds", parsed.rounds, 1)
    steps = check_count("steps", parsed.steps, 1)
    for line in report(rounds, steps, parsed.start):
        _say(line)
    return EXIT_REACHED


def _warmup(_: argparse.Namespace) -> int:
    from optimus_gym.run.compiled import warm_up

    return _say(warm_up())


def _cache(parsed: argparse.Namespace) -> int:
    from optimus_gym.run.compiled import clear, tell

    return _say(clear() if parsed.clear else tell())


def _say(line: str) -> int:
    Console().print(words(line), soft_wrap=True)
    return EXIT_REACHED


_COMMANDS: Final[Mapping[str, tuple[str, AddArguments, Command]]] = {
    "list": (
        "show the environments and the parts they are made of", add_list_arguments, show_list,
    ),
    "run": ("play one episode and show it", _add_run_arguments, _run),
    "plan": ("show what it takes to hold an item", add_plan_arguments, plan),
    "evaluate": (
        "play a suite to a folder of results", evaluate.add_arguments, evaluate.run,
    ),
    "compare": ("hold evaluations against each other", add_compare_arguments, compare),
    "report": ("write a page that shows evaluations", report.add_arguments, report.run),
    "record": ("play episodes into a Minari dataset", record.add_arguments, record.run),
    "memory": ("show, search, fill and shrink a memory folder", memory.add_arguments, memory.run),
    "transcript": (
        "show what was asked of a backbone and answered", add_transcript_arguments, transcript,
    ),
    "bench": ("measure steps a second and the time of a reset", _add_bench_arguments, _bench),
    "warmup": ("compile the world ahead, with progress", _add_nothing, _warmup),
    "cache": (
        "say where compiled code is kept and how large it is", _add_cache_arguments, _cache,
    ),
}  # fmt: skip
"""For each command its help text, the function that adds its arguments, and the function that runs it."""


if __name__ == "__main__":
    sys.exit(entry())
