"""Options that several commands share: parts, rules, reset options, replies, seeds and videos."""

import argparse
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Final

from optimus_gym.envs.config import PART_KINDS, EnvConfig
from optimus_gym.run.episode import TICKS_A_FRAME
from optimus_gym.terminal.parser import number, whole

PART_TEXTS: Final[Mapping[str, tuple[str, str]]] = MappingProxyType(
    {
        "world": ("world that the episodes take place in", "symbolic"),
        "agent": ("agent that plans and judges", "none"),
        "backbone": ("model or rules that the agent asks", "openai:some-model"),
        "controller": ("controller that carries out sub-goals", "random"),
    }
)
"""For each kind of part: the kind's meaning, and an example of a part other than the default."""


def add_setting_options(parser: argparse.ArgumentParser, memory: bool = True) -> None:
    """Add the options for parts, rules and reset options.

    Args:
        parser: the parser that gets the options.
        memory: whether to add the option `--memory`, which gives the agent a memory folder.
    """
    group = parser.add_argument_group("parts and rules")
    for part in PART_KINDS:
        what, example = PART_TEXTS[part]
        told = f"{what}, such as {example} (default: {getattr(EnvConfig, part)})"
        group.add_argument(f"--{part}", metavar="NAME|JSON", help=told)
    group.add_argument(
        "--model",
        metavar="NAME",
        help="name of the model that the backbone asks (default: the backbone's own)",
    )
    group.add_argument(
        "--base-url",
        metavar="URL",
        help="address of a server that speaks OpenAI's protocol (default: the backbone's own)",
    )
    group.add_argument(
        "--error-scale",
        type=number,
        metavar="X",
        help="add errors to the backbone's replies: factor, 0 (no errors) to 3, on the error rates of the "
        "backbone `fallible` (default: no errors are added)",
    )
    group.add_argument(
        "--protocol",
        metavar="NAME",
        help=f"rules of the episodes, by name, such as optimus-1-paper (default: {EnvConfig.protocol})",
    )
    if memory:
        group.add_argument(
            "--memory",
            metavar="DIR",
            help="folder with the agent's knowledge and experience, or starter, the memory of the package "
            "(default: no memory)",
        )
    _add_environment_options(group)


def _add_environment_options(group: argparse._ArgumentGroup) -> None:
    width, height = EnvConfig.resolution
    group.add_argument(
        "--resolution",
        metavar="WxH",
        help=f"width and height of the observed picture in pixels (default: {width}x{height})",
    )
    group.add_argument(
        "--ticks",
        type=whole,
        metavar="N",
        help="ticks after which an episode ends, 20 a second (default: the protocol's or task's budget)",
    )
    group.add_argument(
        "--crafting",
        metavar="WAY",
        help="way to craft, smelt, equip and place: functional (in one tick) or gui (by mouse, on the game's "
        "screens) (default: functional, unless the world has screens alone)",
    )
    group.add_argument(
        "--set",
        action="append",
        default=[],
        dest="settings",
        metavar="NAME=VALUE",
        help="argument of the environment, or PART.OPTION=VALUE for a part; may be repeated (default: none)",
    )
    group.add_argument(
        "--start",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="reset option of every episode, such as time=night; may be repeated (default: none)",
    )


def add_reply_options(parser: argparse.ArgumentParser) -> None:
    """Add the options that record a backbone's replies, and that replay recorded replies."""
    group = parser.add_argument_group("recorded replies")
    group.add_argument(
        "--record",
        type=Path,
        metavar="FILE",
        help="write the backbone's replies to a new file (default: no file)",
    )
    group.add_argument(
        "--replay",
        type=Path,
        metavar="FILE",
        help="take the replies from a file of --record (default: ask the backbone)",
    )


def add_seed_option(parser: argparse.ArgumentParser, default: int | None, told: str) -> None:
    """Add `--seed` to a command of several episodes; `told` is the help text's description of the default."""
    parser.add_argument(
        "--seed",
        type=whole,
        default=default,
        metavar="N",
        help="seed of the first episode, 0 or more; each further episode takes the next seed "
        f"(default: {told})",
    )


def add_video_options(parser: argparse.ArgumentParser) -> None:
    """Add the options that decide how a video looks."""
    parser.add_argument(
        "--every",
        type=whole,
        default=TICKS_A_FRAME,
        metavar="N",
        help=f"ticks between two frames of a video (default: {TICKS_A_FRAME})",
    )
    parser.add_argument(
        "--true-light",
        action="store_true",
        help="show dark places in videos as the player sees them (default: brightened)",
    )
