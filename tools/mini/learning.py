"""Train `mini` by contrast: matching pairs against all other pairs of the batch.

Four losses are added. The first loss compares each frame with the texts of all environments. The second loss
asks for each thing whether it is in sight and whether it is held. The third loss compares clips with
sub-goals of whole episodes, so that each clip is contrasted with the other sub-goals of its episode. The
fourth loss compares two wordings of one meaning with wordings of other meanings.
"""

import io
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from optimus_gym.core.files import write_whole
from optimus_gym.game.items import item_names
from optimus_gym.terminal.bars import counted
from optimus_gym.vision.environments import ENVIRONMENTS
from optimus_gym.vision.mini_words import numbered, word_numbers
from tools.mini.network import BAR, GREY, Mini
from tools.mini.wordings import (
    Meaning,
    environment_told,
    meaning_of,
    subgoal_meanings,
    thing_told,
    told,
    vocabulary,
)

Shard = tuple[NDArray[np.uint8], list[Mapping[str, Any]]]
SCENES: Final = 256
"""Number of frames of scenes in a batch."""
EPISODES: Final = 2
CLIPS: Final = 14
"""Largest number of clips from each episode in a batch."""
GLANCES: Final = 4
"""Largest number of frames taken from each clip: the first, the last, and some between."""
LONG: Final = 100
"""Least length in ticks of a failed sub-goal whose clip counts as showing the attempt."""
THINGS: Final = 64
"""Number of things for which the second loss asks whether a frame shows them."""
MEANINGS: Final = 192
MASKED: Final = 0.25
"""Share of a batch's frames whose hotbar, meters and hand are covered."""
HAND: Final = (slice(80, 128), slice(76, 128))
"""Rows and columns of a frame that show the hand."""
WARM_UP: Final = 100
KEPT_EVERY: Final = 100
RATE: Final = 2e-3
DECAY: Final = 0.03
MORE_VERBS: Final = ("mine", "craft", "smelt", "equip", "place", "find", "get", "kill", "grow")


def masked(frames: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return frames (uint8[n, 128, 128, 3]) whose hotbar, meters and hand are covered."""
    covered = frames.copy()
    for rows, columns in (BAR, HAND):
        covered[:, rows, columns] = GREY
    return covered


class Lessons:
    """The training data: scenes and clips, from which batches are drawn.

    Args:
        scenes: shards of scenes.
        clips: shards of clips.
    """

    def __init__(self, scenes: Sequence[Shard], clips: Sequence[Shard]) -> None:
        self.scenes = scenes
        self.clips = clips
        self._by_environment: list[list[tuple[int, int]]] = [[] for _ in ENVIRONMENTS]
        for shard, (_, rows) in enumerate(scenes):
            for place, row in enumerate(rows):
                self._by_environment[row["environment"]].append((shard, place))

    def some_scenes(
        self, random: np.random.Generator
    ) -> tuple[NDArray[np.uint8], list[Mapping[str, Any]]]:
        """Return frames, some of them covered, and their labels; all environments equally often."""
        frames, rows = [], []
        for k in range(SCENES):
            there = self._by_environment[k % len(ENVIRONMENTS)]
            shard, place = there[int(random.integers(len(there)))]
            shots, told_of = self.scenes[shard]
            frames.append(shots[place])
            rows.append(told_of[place])
        return _partly_masked(np.stack(frames), random), rows

    def some_clips(
        self, random: np.random.Generator
    ) -> tuple[NDArray[np.uint8], list[int], list[Mapping[str, Any]]]:
        """Return clips of some episodes: all frames, the number of frames in each clip, and its labels."""
        frames, lengths, rows = [], [], []
        for k in random.integers(0, len(self.clips), EPISODES):
            shots, told_of = self.clips[k]
            episodes = sorted({row["episode"] for row in told_of if shows_itself(row)})
            episode = episodes[int(random.integers(len(episodes)))]
            mine = [row for row in told_of if row["episode"] == episode and shows_itself(row)]
            for n in random.permutation(len(mine))[:CLIPS]:
                places = _some(mine[n]["frames"], random)
                frames += [shots[place] for place in places]
                lengths.append(len(places))
                rows.append(mine[n])
        return _partly_masked(np.stack(frames), random), lengths, rows


def shows_itself(row: Mapping[str, Any]) -> bool:
    """Return whether a clip shows its sub-goal: it was reached, or pursued for `LONG` ticks."""
    return bool(row["end"] == "reached" or row["ticks"] >= LONG)


def _some(places: Sequence[int], random: np.random.Generator) -> list[int]:
    """Return the first, the last and some frames between of a clip."""
    if len(places) <= GLANCES:
        return list(places)
    between = random.choice(len(places) - 2, GLANCES - 2, replace=False) + 1
    return [places[0], *(places[k] for k in sorted(between.tolist())), places[-1]]


def _partly_masked(frames: NDArray[np.uint8], random: np.random.Generator) -> NDArray[np.uint8]:
    chosen = random.random(len(frames)) < MASKED
    frames[chosen] = masked(frames[chosen])
    return frames


class Teacher:
    """Trains a network.

    Args:
        model: the network, which is changed.
        lessons: the training data.
        steps: the number of batches.
        seed: the seed of all draws.
    """

    def __init__(self, model: Mini, lessons: Lessons, steps: int, seed: int) -> None:
        self._model = model
        self._lessons = lessons
        self._steps = steps
        self._random = np.random.default_rng([seed, 1])
        self._known = numbered(vocabulary())
        self._optimizer = torch.optim.AdamW(model.parameters(), RATE, weight_decay=DECAY)
        self._schedule = torch.optim.lr_scheduler.OneCycleLR(
            self._optimizer, RATE, steps + 1, pct_start=min(0.3, WARM_UP / steps)
        )

    def run(self, kept: Path) -> None:
        """Train; store a checkpoint every hundred batches, and resume from an earlier checkpoint.

        Args:
            kept: the file of the checkpoint.
        """
        begun = self._restored(kept)
        self._model.train()
        for step in counted(range(begun, self._steps), kept.stem):
            losses = self._losses()
            self._optimizer.zero_grad()
            torch.stack(list(losses.values())).sum().backward()  # type: ignore[no-untyped-call]
            torch.nn.utils.clip_grad_norm_(self._model.parameters(), 1.0)
            self._optimizer.step()
            self._schedule.step()
            if (step + 1) % KEPT_EVERY == 0 or step + 1 == self._steps:
                self._keep(kept, step + 1)
        self._model.eval()

    def _keep(self, kept: Path, step: int) -> None:
        state = {
            "step": step,
            "model": self._model.state_dict(),
            "optimizer": self._optimizer.state_dict(),
            "schedule": self._schedule.state_dict(),
            "random": json.dumps(self._random.bit_generator.state),
        }
        content = io.BytesIO()
        torch.save(state, content)
        write_whole(kept, content.getvalue())

    def _restored(self, kept: Path) -> int:
        """Restore the checkpoint, if there is one; return the number of batches before it."""
        if not kept.exists():
            return 0
        state = torch.load(kept, weights_only=True)
        self._model.load_state_dict(state["model"])
        self._optimizer.load_state_dict(state["optimizer"])
        self._schedule.load_state_dict(state["schedule"])
        self._random.bit_generator.state = json.loads(state["random"])
        return int(state["step"])

    def _losses(self) -> dict[str, Tensor]:
        shots, scenes = self._lessons.some_scenes(self._random)
        frames, lengths, clips = self._lessons.some_clips(self._random)
        features = self._model.frames(torch.from_numpy(np.concatenate([shots, frames])))
        seen = functional.normalize(features[: len(shots)])
        videos = self._model.videos(features[len(shots) :], torch.tensor(lengths))
        return {
            "environment": self._environment(seen, scenes),
            "sights": self._things(seen, [row["sights"] for row in scenes], False),
            "held": 0.5 * self._things(seen, [row["held"] for row in scenes], True),
            "clips": self._clips(videos, clips),
            "wordings": self._wordings(),
        }

    def _texts(self, texts: Sequence[str]) -> Tensor:
        tokens = torch.from_numpy(word_numbers(texts, self._known))
        return functional.normalize(self._model.words(tokens))

    def _environment(self, seen: Tensor, scenes: Sequence[Mapping[str, Any]]) -> Tensor:
        """Return the loss for the frames' environments."""
        texts = [environment_told(k, self._random) for k in range(len(ENVIRONMENTS))]
        logits = self._model.scale.exp() * seen @ self._texts(texts).T
        truth = torch.tensor([row["environment"] for row in scenes])
        return functional.cross_entropy(logits, truth)

    def _things(self, seen: Tensor, things: Sequence[Sequence[str]], is_held: bool) -> Tensor:
        """Return the loss for whether each thing is present."""
        every = sorted({thing for some in things for thing in some})
        asked = [every[k] for k in self._random.permutation(len(every))[:THINGS]]
        texts = [thing_told(thing, is_held, self._random) for thing in asked]
        truth = torch.tensor([[float(thing in some) for thing in asked] for some in things])
        logits = self._model.scale.exp() * seen @ self._texts(texts).T + self._model.bias
        return functional.binary_cross_entropy_with_logits(
            logits, truth, pos_weight=torch.tensor(5.0)
        )

    def _clips(self, videos: Tensor, clips: Sequence[Mapping[str, Any]]) -> Tensor:
        """Return the loss for matching clips with sub-goals."""
        meanings = [meaning_of(row) for row in clips]
        texts = [
            row["text"]
            if self._random.random() < 0.5
            else told(meaning, row["count"], self._random, failed=row["end"] != "reached")
            for row, meaning in zip(clips, meanings, strict=True)
        ]
        return _contrast(self._model.scale.exp() * videos @ self._texts(texts).T, meanings)

    def _wordings(self) -> Tensor:
        """Return the loss for matching two wordings of each meaning.

        Half of the meanings are sub-goals of tasks; many of these sub-goals differ in one word.
        """
        names, known = item_names(), subgoal_meanings()
        meanings = [
            Meaning(
                str(self._random.choice(MORE_VERBS)),
                names[int(self._random.integers(1, len(names)))].replace("_", " "),
            )
            for _ in range(MEANINGS // 2)
        ]
        meanings += [known[k] for k in self._random.integers(0, len(known), MEANINGS // 2)]
        one, other = (
            self._texts(
                [told(m, int(self._random.integers(1, 20)), self._random) for m in meanings]
            )
            for _ in range(2)
        )
        return _contrast(self._model.scale.exp() * one @ other.T, meanings)


def _contrast(logits: Tensor, meanings: Sequence[Meaning]) -> Tensor:
    """Return the loss for matching pairs, in both directions; pairs of equal meanings are skipped."""
    number = {meaning: k for k, meaning in enumerate(dict.fromkeys(meanings))}
    numbers = torch.tensor([number[meaning] for meaning in meanings])
    same = (numbers[:, None] == numbers) & ~torch.eye(len(numbers), dtype=torch.bool)
    logits = logits.masked_fill(same, -1e4)
    truth = torch.arange(len(numbers))
    both = functional.cross_entropy(logits, truth), functional.cross_entropy(logits.T, truth)
    return (both[0] + both[1]) / 2
