"""Measure `mini` on worlds outside its training data."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np
import torch
from numpy.typing import NDArray
from sklearn.metrics import roc_auc_score
from torch.nn import functional

from optimus_gym.core.types import RECOVER
from optimus_gym.vision.calibration import least_error
from optimus_gym.vision.environments import ENVIRONMENTS, prompts
from optimus_gym.vision.mini_words import numbered, word_numbers
from tools.mini.learning import Shard, masked, shows_itself
from tools.mini.network import Mini
from tools.mini.wordings import subgoal_meanings, told, vocabulary

Vectors = NDArray[np.float32]
CLEAR: Final = 0.8
"""Least share of the land's pixels that show an environment for a frame that shows it clearly."""
AT_ONCE: Final = 128
WORDINGS: Final = 5
"""Number of wordings of each meaning that the measurement draws."""
MOST_COUNT: Final = 20


def environment_hits(
    vectors: Vectors, wanted: Vectors, rows: Sequence[Mapping[str, Any]]
) -> dict[str, float]:
    """Return the share of frames whose environment's prompt fits best: over all, and by environment.

    Args:
        vectors: vectors of frames (float32[n, d], of length 1).
        wanted: vectors of the environments' prompts (float32[18, d], of length 1).
        rows: labels of the frames.
    """
    truth = np.array([row["environment"] for row in rows])
    right = (vectors @ wanted.T).argmax(1) == truth
    by_name = {
        name: float(right[truth == k].mean())
        for k, name in enumerate(ENVIRONMENTS)
        if (truth == k).any()
    }
    clear = np.array([row["share"] for row in rows]) >= CLEAR
    return {
        "all frames": float(right.mean()),
        "mean of environments": float(np.mean(list(by_name.values()))),
        "frames that show little else": float(right[clear].mean()),
        **by_name,
    }


def clip_scores(
    videos: Vectors, texts: Vectors, rows: Sequence[Mapping[str, Any]]
) -> tuple[NDArray[np.bool_], Vectors]:
    """Return, for each pair of clip and sub-goal of an episode, whether they match, and their product.

    Args:
        videos: vectors of clips (float32[n, d], of length 1).
        texts: vectors of the clips' sub-goals (float32[n, d], of length 1).
        rows: labels of the clips; equal texts count once.
    """
    truth, scores = [], []
    episodes = np.array([row["episode"] for row in rows])
    for episode in np.unique(episodes):
        places = np.flatnonzero(episodes == episode)
        firsts = {rows[k]["text"]: k for k in places}
        for place in places:
            for text, other in firsts.items():
                truth.append(text == rows[place]["text"])
                scores.append(videos[place] @ texts[other])
    return np.array(truth), np.array(scores, np.float32)


class Encoder:
    """A trained network that makes vectors of frames, videos and texts.

    Args:
        model: the network.
    """

    def __init__(self, model: Mini) -> None:
        self._model = model.eval()
        self._known = numbered(vocabulary())

    @torch.inference_mode()
    def frames(self, pictures: NDArray[np.uint8]) -> torch.Tensor:
        """Return features (float32 (n, d)) of frames (uint8[n, 128, 128, 3])."""
        return torch.cat(
            [
                self._model.frames(torch.from_numpy(pictures[k : k + AT_ONCE]))
                for k in range(0, len(pictures), AT_ONCE)
            ]
        )

    @torch.inference_mode()
    def videos(self, pictures: NDArray[np.uint8], lengths: Sequence[int]) -> Vectors:
        """Return vectors (float32[n, d]) of videos whose frames are concatenated."""
        made: Vectors = self._model.videos(self.frames(pictures), torch.tensor(lengths)).numpy()
        return made

    @torch.inference_mode()
    def texts(self, texts: Sequence[str]) -> Vectors:
        """Return vectors (float32[n, d]) of texts."""
        tokens = torch.from_numpy(word_numbers(texts, self._known))
        made: Vectors = functional.normalize(self._model.words(tokens)).numpy()
        return made


class Trial:
    """Scenes and clips to measure networks by.

    Args:
        scenes: shards of scenes.
        clips: shards of clips; only clips that show their sub-goal are used.

    Attributes:
        clips: labels of the clips that show their sub-goal.
    """

    def __init__(self, scenes: Sequence[Shard], clips: Sequence[Shard]) -> None:
        self._frames = np.concatenate([shots for shots, _ in scenes])
        self._scenes = [row for _, rows in scenes for row in rows]
        telling = [
            (shots[row["frames"]], row)
            for shots, rows in clips
            for row in rows
            if shows_itself(row)
        ]
        self.clips = [row for _, row in telling]
        self._videos = np.concatenate([shots for shots, _ in telling])

    def above(self, model: Mini, limit: float) -> dict[str, tuple[int, int]]:
        """Return the number of clips above a threshold with their own text, and the number of clips.

        Args:
            model: the network.
            limit: least product of the vectors of a clip and of its text.

        Returns:
            Both numbers by kind: "reached", "failed" and, among both, "recoveries".
        """
        encoder = Encoder(model)
        videos = encoder.videos(self._videos, [len(row["frames"]) for row in self.clips])
        fits = (videos * encoder.texts([row["text"] for row in self.clips])).sum(1) >= limit
        reached = np.array([row["end"] == "reached" for row in self.clips])
        recovers = np.array([row["verb"] == RECOVER for row in self.clips])
        kinds = {"reached": reached, "failed": ~reached, "recoveries": recovers}
        return {name: (int(fits[kind].sum()), int(kind.sum())) for name, kind in kinds.items()}

    def figures(self, model: Mini) -> dict[str, float]:
        """Return the figures of a network by name."""
        encoder = Encoder(model)
        seen = functional.normalize(encoder.frames(self._frames)).numpy()
        figures = environment_hits(seen, encoder.texts(prompts()), self._scenes)
        for name, pictures in (
            ("clips", self._videos),
            ("clips, overlay covered", masked(self._videos)),
        ):
            figures[name] = float(roc_auc_score(*self.scores(encoder, pictures)))
        return figures

    def scores(
        self, encoder: Encoder, pictures: NDArray[np.uint8] | None = None
    ) -> tuple[NDArray[np.bool_], Vectors]:
        """Return `clip_scores` for the clips, optionally with other pictures."""
        lengths = [len(row["frames"]) for row in self.clips]
        videos = encoder.videos(self._videos if pictures is None else pictures, lengths)
        return clip_scores(videos, encoder.texts([row["text"] for row in self.clips]), self.clips)


def threshold(trial: Trial, model: Mini) -> float:
    """Return the threshold on products of video and text that minimises the sum of both error rates."""
    return least_error(*trial.scores(Encoder(model)))


def _fits(model: Mini, held_out: bool) -> tuple[NDArray[np.bool_], Vectors]:
    """Return whether each wording has each meaning, and their product (both [wordings, meanings])."""
    random = np.random.default_rng(5)
    meanings = subgoal_meanings()
    wordings = [
        told(meaning, int(random.integers(1, MOST_COUNT)), random, held_out)
        for meaning in meanings
        for _ in range(WORDINGS)
    ]
    encoder = Encoder(model)
    plain = encoder.texts([f"{meaning.verb} {meaning.what}" for meaning in meanings])
    fits = encoder.texts(wordings) @ plain.T
    truth = np.repeat(np.eye(len(meanings), dtype=np.bool_), WORDINGS, axis=0)
    return truth, fits


def confidence(model: Mini) -> float:
    """Return the threshold on products of two texts that minimises the sum of both error rates."""
    truth, fits = _fits(model, held_out=False)
    return least_error(truth.ravel(), fits.ravel())


def wording_recall(model: Mini) -> tuple[float, int, int]:
    """Return the share of held-out wordings that find their meaning first, and the two counts in it."""
    truth, fits = _fits(model, held_out=True)
    right = truth[np.arange(len(fits)), fits.argmax(1)]
    return float(right.mean()), *fits.shape
