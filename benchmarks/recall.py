"""Measure how the size of a memory changes the results of searches: `python -m benchmarks.recall`.

The command plays episodes and stores them in memories with different rules. The first memory stores
the whole stream, one frame a second. Others store the frames that image buffers of several windows keep, with
each sub-goal's last frame. Others also drop frames that fit their sub-goal's text too little. Then frames
from sub-goals of other episodes are looked up in each memory. The output is the sizes of pictures and
vectors, the share of look-ups whose best match has the same verb and item, and the share of tasks found by
another wording. The command does this for the oracle, whose sub-goals are short, and for a controller that
wanders until sub-goals last as long as Optimus-1's: 49 seconds, by the times and numbers of sub-goals in its
tables 8 to 14.
"""

import argparse
import copy
import warnings
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from benchmarks.wandering import WanderingController
from optimus_gym.controllers.oracle.oracle import OracleController
from optimus_gym.core.interfaces import Controller
from optimus_gym.game.tasks import tasks
from optimus_gym.memory.buffers import ImageBuffer
from optimus_gym.memory.packing import STORED_TYPE
from optimus_gym.memory.pictures import packed
from optimus_gym.prompts.words import in_words, word_for
from optimus_gym.terminal.bars import counted
from optimus_gym.vision.aligner import unit_vectors
from optimus_gym.vision.mini_aligner import MiniAligner
from tools.mini.episodes import played
from tools.mini.wordings import Meaning, told

MEMORY = 58_000
"""Seed of the first remembered episode."""
QUERIES = 58_500
"""Seed of the first episode whose frames are looked up."""
WANDER = 5_000
"""Ticks that the slow controller wanders before it gathers."""
WINDOWS = (2, 3, 4, 6, 8, 12, 16)
SUITES = ("optimus-67", "jarvis-190")
WORDINGS = 5
"""Number of held-out wordings of each task."""
GLANCES = 3
"""Number of frames of each sub-goal that are looked up."""
ASKED = 5
"""Wanted ratio of the stream's size to a memory's size, which the plot shows as a line."""


class Stream(NamedTuple):
    """A reached sub-goal: its verb and item, and the compressed picture and the features of each frame."""

    meaning: tuple[str, str]
    text: str
    pictures: list[bytes]
    features: NDArray[np.float32]


class Kept(NamedTuple):
    """Stored frames: pictures (a shared picture is stored once), vectors, and sub-goals."""

    pictures: set[bytes]
    vectors: NDArray[np.float32]
    meanings: list[tuple[str, str]]

    @property
    def size(self) -> int:
        """Return the bytes of all pictures and their vectors."""
        vector = self.vectors.shape[1] * STORED_TYPE.itemsize
        return sum(map(len, self.pictures)) + len(self.pictures) * vector


def streams(
    aligner: MiniAligner, first: int, episodes: int, name: str, controller: Controller
) -> list[Stream]:
    """Return all reached sub-goals of some episodes."""
    made = []
    for seed in counted(range(first, first + episodes), name):
        for subgoal, outcome, seen in played(seed, 100_000, copy.deepcopy(controller)):
            if outcome.end == "reached":
                pictures = [packed(frame) for frame in seen]
                meaning = (subgoal.verb, subgoal.item)
                made.append(Stream(meaning, subgoal.text, pictures, aligner.frames(np.stack(seen))))
    return made


def kept(shown: Sequence[Stream], choose: Callable[[Stream], Sequence[int]]) -> Kept:
    """Return the frames of all sub-goals that a rule stores."""
    places = [np.array(choose(stream), np.int64) for stream in shown]
    return Kept(
        {s.pictures[place] for s, p in zip(shown, places, strict=True) for place in p},
        unit_vectors(np.concatenate([s.features[p] for s, p in zip(shown, places, strict=True)])),
        [s.meaning for s, p in zip(shown, places, strict=True) for _ in p],
    )


def buffered(stream: Stream, window: int) -> list[int]:
    """Return the indices of the frames that an image buffer keeps."""
    buffer = ImageBuffer(window)
    nothing = np.zeros((1, 1, 3), np.uint8)
    for place, features in enumerate(stream.features):
        buffer.add(nothing, features, place)
    return list(buffer.ticks)


def fitting(aligner: MiniAligner, stream: Stream, window: int) -> list[int]:
    """Return the indices of the frames in a buffer if they fit the text well enough, else none."""
    places = buffered(stream, window)
    (video,) = aligner.videos([stream.features[places]])
    (text,) = aligner.texts([stream.text])
    return places if video @ text > aligner.threshold else []


def recall(memory: Kept, asked: Sequence[Stream]) -> tuple[float, int]:
    """Return the share of look-ups whose most similar frame has the same verb and item, and their number."""
    random = np.random.default_rng(0)
    right, count = 0, 0
    known = set(memory.meanings)
    for stream in asked:
        for place in random.choice(len(stream.features), min(GLANCES, len(stream.features)), False):
            if stream.meaning in known:
                best = int((memory.vectors @ unit_vectors(stream.features[place])).argmax())
                right += memory.meanings[best] == stream.meaning
                count += 1
    return right / count, count


def paraphrased(aligner: MiniAligner, suite: str) -> tuple[float, int]:
    """Return the share of held-out wordings that find their task first, and the number of wordings.

    Each task of a suite is remembered by its instruction; equal instructions count once.
    """
    random = np.random.default_rng(0)
    goals = tasks(suite).values()
    known = aligner.texts([task.instruction for task in goals])
    instructions = [task.instruction for task in goals]
    hits = []
    for task in goals:
        meaning = Meaning(task.verb, in_words(word_for(task.item, task.kinds)))
        asked = [told(meaning, task.count, random, held_out=True) for _ in range(WORDINGS)]
        found = (aligner.texts(asked) @ known.T).argmax(1)
        hits += [instructions[place] == task.instruction for place in found]
    return float(np.mean(hits)), len(hits)


def choices(aligner: MiniAligner) -> dict[str, Callable[[Stream], Sequence[int]]]:
    """Return the rules that choose the frames to store, by name, the stream first."""
    made: dict[str, Callable[[Stream], Sequence[int]]] = {
        "every second": lambda stream: range(max(1, len(stream.pictures) - 1)),
        "every second, last": lambda stream: range(len(stream.pictures)),
    }
    for window in WINDOWS:
        made[f"window {window}"] = partial(buffered, window=window)
        made[f"window {window}, fitting"] = partial(fitting, aligner, window=window)
    return made


def curve(
    aligner: MiniAligner, controller: Controller, episodes: int, asking: int
) -> dict[str, tuple[float, float]]:
    """Print the size of a controller's memory and its share of correct look-ups, for each rule.

    Returns:
        The ratio of the stream's size to the memory's, and the share of correct look-ups, by rule.
    """
    shown = streams(aligner, MEMORY, episodes, "remembered", controller)
    asked = streams(aligner, QUERIES, asking, "asking", controller)
    seconds = np.mean([len(stream.pictures) - 1 for stream in shown])
    print(
        f"{type(controller).__name__}: {len(shown)} sub-goals remembered, of {seconds:.1f} s on average, "
        f"{len(asked)} asked for"
    )
    found = {}
    whole = 0
    for name, choose in choices(aligner).items():
        memory = kept(shown, choose)
        whole = whole or memory.size
        hits, count = recall(memory, asked)
        found[name] = whole / memory.size, hits
        print(
            f"{name:22s} {len(memory.pictures):6d} frames {memory.size / 1e6:7.2f} MB "
            f"{found[name][0]:5.1f} times smaller  recall@1 {100 * hits:5.1f} % of {count}"
        )
    return found


def draw(path: Path, curves: Mapping[str, Mapping[str, tuple[float, float]]]) -> None:
    """Write the curves of all controllers into an SVG file."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(9, 3.6), layout="constrained")
    for axes, (title, found) in zip(figure.subplots(1, len(curves)), curves.items(), strict=True):
        for label, end in (("what an image buffer holds", ""), ("what fits the text", ", fitting")):
            times, hits = zip(*(found[f"window {window}{end}"] for window in WINDOWS), strict=True)
            axes.plot(times, 100 * np.array(hits), marker="o", label=label)
        for window in (WINDOWS[0], 4, WINDOWS[-1]):
            time, hit = found[f"window {window}"]
            axes.annotate(f"{window}", (time, 100 * hit), (4, 6), textcoords="offset points")
        for name, style in (("every second", "-"), ("every second, last", "--")):
            axes.axhline(100 * found[name][1], color="0.5", linestyle=style, label=name)
        axes.axvline(ASKED, color="0.5", linestyle=":")
        axes.set(title=title, xlabel="times smaller than a frame a second", ylabel="recall@1, %")
        axes.set(ylim=(0, 120 * max(hit for _, hit in found.values())))
        axes.grid(alpha=0.3)
        axes.legend()
    figure.savefig(path, metadata={"Date": None})


def main() -> None:
    """Print the tables, and draw the curves."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--episodes", type=int, default=60, help="episodes to remember (default 60)"
    )
    parser.add_argument("--asking", type=int, default=30, help="episodes that ask (default 30)")
    parser.add_argument("--plot", type=Path, help="SVG file for the curves")
    given = parser.parse_args()
    warnings.filterwarnings("ignore")
    aligner = MiniAligner()
    for suite in SUITES:
        hits, count = paraphrased(aligner, suite)
        print(f"{suite}: recall@1 of tasks under paraphrase {100 * hits:5.1f} % of {count}")
    curves = {
        name: curve(aligner, controller, given.episodes, given.asking)
        for name, controller in (
            ("Oracle", OracleController()),
            ("Oracle that wanders first", WanderingController(WANDER)),
        )
    }
    if given.plot is not None:
        draw(given.plot, curves)


if __name__ == "__main__":
    main()
