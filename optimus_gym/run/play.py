"""The command `optimus-gym run`: play one episode of the sub-goal view and print its course."""

import argparse
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Final

import gymnasium as gym
from rich.console import Console

from optimus_gym.core.checks import check_count
from optimus_gym.core.errors import BadValue
from optimus_gym.core.rng import check_seed
from optimus_gym.run.episode import Player, Recorder
from optimus_gym.run.options import (
    add_reply_options,
    add_setting_options,
    add_video_options,
)
from optimus_gym.run.panel import WIDTH as PANEL_WIDTH
from optimus_gym.run.results.replies import check_used
from optimus_gym.run.settings import asked, subgoal_id
from optimus_gym.terminal.parser import whole
from optimus_gym.terminal.printing import words
from optimus_gym.terminal.stopping import INTERRUPTED
from optimus_gym.wrappers.exposure import exposure_of
from optimus_gym.wrappers.video import VideoWriter, check_video_path

EXAMPLES: Final = (
    "optimus-gym run Diamond --seed 1 --video diamond.mp4",
    "optimus-gym run Wood --start time=night --start 'inventory={\"torch\": 3}' --ticks 4000",
    "optimus-gym run Iron --backbone openai:some-model --set backbone.timeout=20 \\\n"
    "    --base-url http://127.0.0.1:8000/v1 --record talk.jsonl",
    "optimus-gym run Iron --replay talk.jsonl",
    'optimus-gym run Stone --set agent.every=400 --set \'agent.aligner={"name": "mini"}\'',
)
PICTURE: Final = (640, 360)
"""Width and height of a video's picture in pixels, without the panel on its right."""
OWN: Final = ("info", "render_mode")
"""Environment arguments that the command `run` sets itself."""
EXIT_REACHED, EXIT_NOT_REACHED = 0, 1


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument(
        "id", metavar="ID", help="task or its id, such as Diamond or Optimus-Diamond-v0"
    )
    parser.add_argument(
        "--seed",
        type=whole,
        default=0,
        metavar="N",
        help="seed of the episode, 0 or more (default: 0)",
    )
    parser.add_argument(
        "--video",
        type=Path,
        metavar="FILE.mp4",
        help="file for a video of the episode (default: none)",
    )
    add_video_options(parser)
    add_setting_options(parser)
    add_reply_options(parser)


def run(parsed: argparse.Namespace) -> int:
    """Play the episode and return 0 if it reached its task, else 1; 130 after Ctrl-C.

    Raises:
        BadValue, UnknownName: an argument cannot be used.
        NoReplyUsed: the agent asked a model and could use no reply of the model.
        OSError: the video cannot be written.
    """
    name = subgoal_id(parsed.id)
    seed = check_seed(parsed.seed)
    every = check_count("every", parsed.every, 1)
    wanted = _arguments(parsed)
    if parsed.video is not None:
        check_video_path(parsed.video)
        wanted["render_mode"] = "rgb_array"
    with ExitStack() as stack:
        env = gym.make(name, **wanted)
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


def _arguments(parsed: argparse.Namespace) -> dict[str, Any]:
    """Return the arguments of the environment to play in.

    Raises:
        BadValue, UnknownName: an argument cannot be used, or comes twice.
    """
    wanted = asked(parsed)
    for name in OWN:
        if name in wanted.settings:
            raise BadValue(f"set: {name}: expected another argument; `run` sets this one itself")
    start = {"start": dict(wanted.start)} if wanted.start else {}
    return {**wanted.given, **wanted.settings, **start}
