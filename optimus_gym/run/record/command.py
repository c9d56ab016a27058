"""The command `optimus-gym record`: play episodes with any controller and store a Minari dataset."""

import argparse
import os
from collections import Counter
from collections.abc import Callable, Generator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Final

from rich.console import Console

from optimus_gym.core.checks import check_path
from optimus_gym.core.errors import BadValue
from optimus_gym.run.options import add_seed_option, add_setting_options
from optimus_gym.run.record.minari_dataset import ROOT, growing, target_of
from optimus_gym.run.record.playing import PlayedEpisode, make_env, played
from optimus_gym.run.record.recording_setup import Recording
from optimus_gym.run.results.replies import Replies, check_used, together
from optimus_gym.run.settings import asked, check_id
from optimus_gym.seeds import TRAIN
from optimus_gym.terminal.bars import bars
from optimus_gym.terminal.parser import whole
from optimus_gym.terminal.printing import words

EXAMPLES: Final = (
    "optimus-gym record OptimusControl-Diamond-v0 optimus/diamond-v0 --episodes 100",
    "optimus-gym record OptimusFlat-CraftWoodenAxe-v0 optimus/axe-v0 \\\n"
    "    --set vocabulary=all --resolution 64x64 --successes",
)
_LISTED: Final = 5
"""Maximum number of reasons that `run` prints for cutting episodes short."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument(
        "id", metavar="ID", help="environment whose steps are recorded, such as OptimusFlat-Wood-v0"
    )
    parser.add_argument(
        "dataset", metavar="DATASET", help="name of the new dataset, such as optimus/wood-v0"
    )
    parser.add_argument(
        "--root",
        type=Path,
        metavar="DIR",
        help="folder that holds datasets (default: Minari's own)",
    )
    parser.add_argument(
        "--episodes", type=whole, default=10, metavar="N", help="episodes to play (default: 10)"
    )
    add_seed_option(parser, TRAIN.start, f"{TRAIN.start}, the first training seed")
    parser.add_argument(
        "--successes",
        action="store_true",
        help="keep only episodes that fulfil their task (default: off)",
    )
    add_setting_options(parser, memory=False)


def run(parsed: argparse.Namespace) -> int:
    """Record the episodes with a progress bar, and return 0.

    Raises:
        BadValue, UnknownName: an argument cannot be used.
        MissingExtra: Minari is not installed.
        NoReplyUsed: the agent asked a model and could use no reply from the model.
        OSError: the dataset cannot be written.
    """
    wanted = asked(parsed)
    recording = Recording(
        id=check_id(parsed.id),
        settings=wanted.settings,
        start=wanted.start,
        episodes=parsed.episodes,
        seed=parsed.seed,
        successes=parsed.successes,
        **wanted.given,
    )
    if parsed.root is not None:
        os.environ[ROOT] = str(check_path("root", parsed.root).absolute())
    steps = kept = 0
    replies: list[Replies] = []
    cuts: Counter[str] = Counter()
    progress = bars("h")
    bar = progress.add_task("episodes", total=recording.episodes)
    source = record(recording, parsed.dataset, lambda kept: progress.update(bar, kept=kept))
    try:
        with progress, closing(source) as episodes:
            for episode in episodes:
                if episode is not None:
                    replies.append(episode.replies)
                if episode is not None and episode.kept:
                    steps, kept = steps + len(episode.actions), kept + 1
                    cuts.update([episode.cut] if episode.cut else [])
                progress.update(bar, advance=1)
    except BadValue:
        check_used(together(replies))  # the reason may be that no reply of a model was used
        raise
    told = f"{parsed.dataset}: {kept:,} episodes and {steps:,} steps of this run, read back and compared"
    Console().print(words(told), soft_wrap=True)
    if cuts:
        listed = ", ".join(f"{what} {count}" for what, count in cuts.most_common(_LISTED))
        why = f"cut off at an act that the view cannot express: {cuts.total():,} ({listed})"
        Console().print(words(why), soft_wrap=True)
    said = together(replies)
    if said.told:
        Console().print(words(said.told), soft_wrap=True)
    check_used(said)
    return 0


def record(
    recording: Recording, dataset: str, tell_kept: Callable[[int], None] | None = None
) -> Generator[PlayedEpisode | None, None, None]:
    """Record episodes into a Minari dataset and yield each; yield None for an episode of an earlier call.

    The dataset appears under its name after the last episode. If the iterator is closed early, the next call
    resumes the recording.

    Args:
        recording: the configuration of the recording.
        dataset: Minari's name of the dataset, "namespace/name-v0"; the environment variable named in `ROOT`
            sets the folder of datasets.
        tell_kept: called once, before the first episode, with the number of episodes of earlier calls.

    Raises:
        BadValue: the name is taken or cannot be used, an unfinished dataset of this name belongs to another
            recording, another process is recording the dataset, an episode cannot be replayed or read back
            exactly, or no episode was kept.
        MissingExtra: Minari is not installed.
        OSError: the dataset cannot be written.
    """
    target = target_of(dataset)
    env = make_env(recording)
    try:
        with growing(target, dataset, recording, env) as grown:
            left = [seed for seed in recording.seeds if seed not in grown.played]
            if tell_kept is not None:
                tell_kept(recording.episodes - len(left))
            yield from (None for _ in range(recording.episodes - len(left)))
            for episode in played(recording, env, left):
                keeps = len(episode.actions) > 0 and (episode.success or not recording.successes)
                if keeps:
                    grown.add(episode)
                else:
                    grown.leave_out(episode.seed)
                yield replace(episode, kept=keeps)
            grown.finish(target)
    finally:
        env.close()
