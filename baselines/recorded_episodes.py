"""Recorded episodes in the form that VPT's network learns from: chunks of pictures, actions and goals.

A goal is one vector, made from 16 consecutive frames that end later in the same episode (Lifshitz et al.
2023, section 3.1).
"""

import io
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple
from zlib import crc32

import numpy as np
import torch
from gymnasium.spaces import MultiDiscrete
from numpy.typing import NDArray
from torch import Tensor

from optimus_gym.controllers.vpt.acting import SCREEN, SQUEEZED, squeezed_on_device
from optimus_gym.controllers.vpt.policy import GOAL
from optimus_gym.core.actions import CONTROL_LENGTH, CONTROL_SIZES, FUNCTION
from optimus_gym.core.errors import BadValue, MissingExtra
from optimus_gym.core.files import write_whole
from optimus_gym.core.parts import part_of
from optimus_gym.core.plain import read_json
from optimus_gym.core.rng import generator
from optimus_gym.core.vpt_actions import to_vpt
from optimus_gym.terminal.bars import counted
from optimus_gym.vision.mineclip_aligner import MineClipAligner

FRAMES: Final = 16
"""Number of consecutive frames whose vector is a goal."""
NEAREST = 15
"""Minimum of the randomly drawn number of ticks from a goal's first tick to the goal's last frame."""
FARTHEST = 200
"""Maximum of the randomly drawn number of ticks from a goal's first tick to the goal's last frame."""
AT_ONCE: Final = 256
"""Number of pictures that the device resizes at once."""


class Labels(NamedTuple):
    """The ticks of an episode that a policy learns from, and their recorded actions.

    Attributes:
        ticks: numbers of the learnt ticks (int64[m]).
        buttons: numbers of the ticks' joint buttons, VPT's button combinations (int64[m]).
        camera: numbers of the ticks' camera turns (int64[m]).
    """

    ticks: NDArray[np.int64]
    buttons: NDArray[np.int64]
    camera: NDArray[np.int64]


def labels_of(actions: NDArray[np.integer[Any]], keep_null: bool) -> Labels:
    """Return the labels of actions, without ticks that call a function and without idle ticks.

    Args:
        actions: an episode's actions (integers[n, 13 or 15]).
        keep_null: whether idle ticks are learnt, too.

    Raises:
        BadValue: a value is out of range.
    """
    buttons, camera = to_vpt(actions)
    learnt = (buttons != 0) | keep_null
    if actions.shape[1] > FUNCTION:
        learnt &= actions[:, FUNCTION] == 0
    return Labels(np.flatnonzero(learnt), buttons[learnt], camera[learnt])


def relabelled(last: int, draws: np.random.Generator) -> NDArray[np.int64]:
    """Return for each tick the number of its goal's last frame (int64[last]); -1 in too short an episode.

    A goal's last frame is 15 to 200 ticks after the tick at which the goal begins, each distance equally
    likely, but never after the episode's last frame. A goal holds until its last frame is reached.

    Args:
        last: ticks of the episode, and the number of its last frame; the first frame is 0.
        draws: the random generator that draws the distances.

    >>> relabelled(3, np.random.default_rng(0)).tolist()
    [-1, -1, -1]
    """
    ends = np.full(last, -1, np.int64)
    tick = last if last < FRAMES - 1 else 0
    while tick < last:
        end = min(tick + int(draws.integers(NEAREST, FARTHEST + 1)), last)
        ends[tick:end] = end
        tick = end
    return ends


def goals_of(
    aligner: Any, features: NDArray[np.float32], ends: NDArray[np.int64]
) -> NDArray[np.float32]:
    """Return the goals (float32[m, 512]) whose last frames are `ends` (int64[m]; -1: zeros).

    With the aligner `mineclip` goals are, as in STEVE-1, the outputs of MineCLIP's encoder over time, not
    scaled and before the adapter for rewards; with other aligners goals are the vectors that `videos`
    returns.

    Args:
        aligner: makes a vector of 16 frames.
        features: features of all frames of the episode (float32[n + 1, 512]).
        ends: the goals' last frames.
    """
    known, places = np.unique(ends, return_inverse=True)
    made = np.zeros((len(known), GOAL), np.float32)
    films = [features[end - FRAMES + 1 : end + 1] for end in known if end >= 0]
    if films:
        made[known >= 0] = _vectors(aligner, films)
    return made[places]


def _vectors(aligner: Any, films: list[NDArray[np.float32]]) -> NDArray[np.float32]:
    made: NDArray[np.float32]
    if not isinstance(aligner, MineClipAligner):
        made = aligner.videos(films)
        return made
    with torch.inference_mode():
        given = torch.from_numpy(np.stack(films)).to(aligner._device)
        made = aligner._model.pool(given).float().cpu().numpy()
    return made


class Visit(NamedTuple):
    """One pass of a lane (a row of the batch) through a recorded episode.

    Attributes:
        frames: the pictures (uint8[m, 128, 128, 3]), on the CPU.
        buttons: numbers of the recorded joint buttons, VPT's button combinations (int64[m]).
        camera: the recorded turns (int64[m]).
        goals: each tick's goal (float32[m, 512]), or float32[m, 0] without goals.
    """

    frames: Tensor
    buttons: Tensor
    camera: Tensor
    goals: Tensor


class Episodes:
    """A dataset's episodes, read through once: the training episodes, and the last tenth, which is held out.

    Attributes:
        told: values that distinguish the dataset from others, in JSON's types.
        labels: the labels of each episode.
        training: numbers of the training episodes with anything to learn.
        held_out: numbers of the held-out episodes with anything to learn.

    Args:
        dataset: Minari's name of the dataset.
        folder: gets a sub-folder with the features of all frames if there is an aligner.
        keep_null: whether ticks without any action are learnt, too.
        aligner: the aligner that makes goals, by name or JSON; empty: no goals.
        device: the device that resizes pictures.

    Raises:
        BadValue: the dataset does not exist or cannot be read, or its actions, its pictures, the number of
            its episodes or the aligner's vectors do not fit.
        MissingExtra: Minari is not installed.
    """

    def __init__(
        self, dataset: str, folder: Path, keep_null: bool, aligner: str, device: torch.device
    ) -> None:
        self._name, self._device = dataset, device
        self._data = opened(dataset)
        self._aligner = aligner_of(aligner) if aligner else None
        count, steps = int(self._data.total_episodes), int(self._data.total_steps)
        if count < 2:
            raise BadValue(f"dataset: expected two episodes or more in '{dataset}', got {count}")
        vectors = self._aligner.name if self._aligner else ""
        self.told = {"episodes": count, "steps": steps, "vectors": vectors}
        mark = crc32(f"{dataset} {self.told}".encode())
        self._features = folder / f"features_{mark:08x}"
        numbers = counted(range(count), "episodes looked through")
        self.labels = [self._looked_through(k, keep_null) for k in numbers]
        first = count - max(1, count // 10)
        known = [k for k in range(count) if len(self.labels[k].ticks)]
        self.training = [k for k in known if k < first]
        self.held_out = [k for k in known if k >= first]
        if not self.training or not self.held_out:
            raise BadValue(
                f"dataset: expected an episode with pressed keys among the first {first} episodes (training) "
                f"and one among the last {count - first} (held out) of '{dataset}', got "
                f"{len(self.training)} and {len(self.held_out)}"
            )

    def _read(self, number: int) -> Any:
        try:
            (episode,) = self._data.iterate_episodes([number])
        except Exception as error:
            raise BadValue(
                f"dataset: episode {number} of '{self._name}' cannot be read: {error}"
            ) from error
        return episode

    def _looked_through(self, number: int, keep_null: bool) -> Labels:
        """Return an episode's labels; with an aligner, make sure that a file holds the frames' features."""
        episode = self._read(number)
        file = self._features / f"{number}.npy"
        if self._aligner is not None and not file.exists():
            held = io.BytesIO()
            np.save(held, self._aligner.frames(episode.observations["pov"]), allow_pickle=False)
            file.parent.mkdir(parents=True, exist_ok=True)
            write_whole(file, held.getvalue())
        return labels_of(np.asarray(episode.actions), keep_null)

    def visit(
        self, number: int, draws: np.random.Generator, stretch: int = 1, aimless: float = 0.0
    ) -> Visit:
        """Return a pass through an episode, with newly drawn goals.

        Args:
            number: the episode's number.
            draws: the random generator that draws the goals.
            stretch: number of consecutive ticks that all have goals or all have none.
            aimless: probability that a stretch has no goals.

        Raises:
            BadValue: the episode cannot be read.
        """
        ticks, buttons, camera = self.labels[number]
        pov = self._read(number).observations["pov"]
        parts = (ticks[k : k + AT_ONCE] for k in range(0, len(ticks), AT_ONCE))
        frames = torch.cat([squeezed_on_device(pov[part], self._device).cpu() for part in parts])
        goals = np.zeros((len(ticks), 0), np.float32)
        if self._aligner is not None:
            features = np.load(self._features / f"{number}.npy", allow_pickle=False)
            ends = relabelled(len(pov) - 1, draws)[ticks]
            blank = draws.random(len(ends)) < aimless
            ends[blank[np.arange(len(ends)) // stretch]] = -1
            goals = goals_of(self._aligner, features, ends)
        return Visit(frames, *(torch.from_numpy(one) for one in (buttons, camera, goals)))


def opened(dataset: str) -> Any:
    """Return a dataset of Minari's whose pictures and actions VPT's network can take.

    Raises:
        BadValue: the dataset does not exist, cannot be read, or has other pictures or actions.
        MissingExtra: Minari is not installed.
    """
    try:
        from minari import load_dataset
    except ImportError as error:
        raise MissingExtra("baselines.behaviour_cloning", "record") from error
    try:
        found = load_dataset(dataset)
        actions, seen = found.action_space, found.observation_space
    except FileNotFoundError:
        raise BadValue(
            f"dataset: expected the name of a recorded dataset, got '{dataset}'"
        ) from None
    except Exception as error:
        raise BadValue(f"dataset: '{dataset}' cannot be read: {error}") from error
    sizes = actions.nvec.tolist() if isinstance(actions, MultiDiscrete) else ()
    if tuple(sizes[:CONTROL_LENGTH]) != CONTROL_SIZES:
        raise BadValue(
            f"dataset: expected actions of the control view or the flat view, MultiDiscrete"
            f"({list(CONTROL_SIZES)}) or more, got {actions} in '{dataset}'"
        )
    pov = getattr(seen, "spaces", {}).get("pov")
    shapes = [(*size[::-1], 3) for size in (SCREEN, SQUEEZED)]
    if pov is None or pov.shape not in shapes or pov.dtype != np.uint8:
        raise BadValue(
            f"dataset: expected a pov of {SQUEEZED} or {SCREEN} pixels, got {pov} in '{dataset}'"
        )
    return found


def aligner_of(given: str) -> Any:
    """Return an aligner by its name or JSON.

    Raises:
        BadValue, UnknownName: the aligner does not exist, or its vectors cannot be goals.
    """
    part = part_of("aligner", read_json(given, "aligner") if given.startswith("{") else given)
    assert part is not None, "a name is a specification"
    made = part.build()
    if made.width != GOAL:
        raise BadValue(
            f"aligner: expected vectors of {GOAL} numbers, got {made.width} from {given}"
        )
    if made.longest < FRAMES:
        raise BadValue(
            f"aligner: expected an aligner for videos of {FRAMES} frames, got {given}, "
            f"which takes at most {made.longest}"
        )
    return made


class Piece(NamedTuple):
    """A chunk of an episode that one lane (a row of the batch) plays back.

    Attributes:
        visit: the number of the piece's visit (a pass of a lane through an episode) among all visits, from 0.
        episode: the episode's index among the training episodes.
        start: the piece's first tick.
        stop: the tick after the piece's last.
    """

    visit: int
    episode: int
    start: int
    stop: int


def pieces(seed: int, lengths: Sequence[int], lanes: int, chunk: int) -> Iterator[list[Piece]]:
    """Yield lists of pieces without end, one piece for each lane (batch row), in passes over all episodes.

    Args:
        seed: seed of the order of each pass.
        lengths: ticks of the episodes, at least 1 each.
        lanes: number of lanes; a lane at the end of an episode takes the next episode.
        chunk: ticks of a piece; an episode's last piece may be shorter.
    """
    visits = enumerate(_in_turn(seed, len(lengths)))
    going: list[Piece | None] = [None] * lanes
    while True:
        for lane, piece in enumerate(going):
            if piece is None or piece.stop == lengths[piece.episode]:
                visit, episode = next(visits)
                piece = Piece(visit, episode, 0, 0)
            stop = min(piece.stop + chunk, lengths[piece.episode])
            going[lane] = piece._replace(start=piece.stop, stop=stop)
        yield [piece for piece in going if piece is not None]


def _in_turn(seed: int, count: int) -> Iterator[int]:
    one = 0
    while True:
        yield from generator(seed, f"order of pass {one}").permutation(count).tolist()
        one += 1
