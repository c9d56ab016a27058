"""The aligner `mini`: a small network that was trained on the embedded world, run by onnxruntime.

`docs/mini.md` is the network's model card: its training data and its abilities.
"""

import json
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from importlib.resources import as_file, files
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from optimus_gym.core.checks import check_count
from optimus_gym.core.processors import usable_processors
from optimus_gym.vision.aligner import check_pictures, check_videos, unit_vectors
from optimus_gym.vision.mini_words import word_numbers

MINI_SIDE: Final = 128
"""Height and width of the network's frames, pixels; other frames are scaled to this size."""
MINI_BATCH: Final = 64
"""Maximum number of frames that go through the network at once."""
ENOUGH_THREADS: Final = 8
MOST_NETWORK_THREADS: Final = 256
MOST_TEXTS: Final = 4096
"""Maximum number of texts whose vectors are cached."""
TEXT_DIGITS: Final = 3
"""Number of decimals that `text_vector` keeps; processors differ from each other in the seventh decimal."""
_DATA: Final = "optimus_gym.vision.data"


@cache
def card() -> Mapping[str, Any]:
    """Return facts about the network: hash of weights, thresholds, hash of frames of the training world."""
    told: Mapping[str, Any] = json.loads(files(_DATA).joinpath("mini.json").read_text("utf-8"))
    return told


class MiniAligner:
    """The default aligner: a small network that was trained on the embedded world.

    Args:
        threads: number of threads that a call may use, which does not change the vectors. `threads=None`
            takes one thread for each processor that the process may use, at most 8.

    Raises:
        BadValue: `threads` is no number from 1 to 256.
    """

    width = 256
    longest = 64

    def __init__(self, threads: int | None = None) -> None:
        told = card()
        if threads is None:
            threads = min(usable_processors(), ENOUGH_THREADS)
        self._threads = check_count("threads", threads, 1, MOST_NETWORK_THREADS)
        self.name = f"mini {told['weights']}"
        self.threshold = float(told["threshold"])
        self.confidence = float(told["confidence"])

    def frames(self, pictures: NDArray[np.uint8]) -> NDArray[np.float32]:
        """Return the features (float32[n, 256]) of pictures (uint8[n, H, W, 3]) of any size.

        Raises:
            BadValue: the pictures have a wrong shape or type.
        """
        check_pictures(pictures)
        sized = _sized(pictures)
        made = [
            self._run("mini_frames", frames=sized[k : k + MINI_BATCH])
            for k in range(0, len(sized), MINI_BATCH)
        ]
        return np.concatenate(made) if made else np.zeros((0, self.width), np.float32)

    def videos(self, features: Sequence[NDArray[np.float32]]) -> NDArray[np.float32]:
        """Return the vectors (float32[n, 256]) of videos from their frames' features (float32[t, 256] each).

        Raises:
            BadValue: a video has no frame, more than 64 frames, or a wrong shape.
        """
        check_videos(features, self.width, self.longest)
        if not len(features):
            return np.zeros((0, self.width), np.float32)
        given = {
            "mean": np.stack([one.mean(0) for one in features]),
            "first": np.stack([one[0] for one in features]),
            "last": np.stack([one[-1] for one in features]),
        }
        return unit_vectors(self._run("mini_film", **given))

    def texts(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return the vectors (float32[n, 256]) of texts; words after a text's 32nd are left out.

        Raises:
            BadValue: there is no text, or an empty one.
        """
        return unit_vectors(self._run("mini_words", tokens=word_numbers(texts)))

    def _run(self, name: str, **given: NDArray[Any]) -> NDArray[np.float32]:
        """Return the output of the network `name` (for pictures, videos or texts) for some arrays."""
        made: NDArray[np.float32] = _network(name, self._threads).run(None, given)[0]
        return made


@lru_cache(MOST_TEXTS)
def text_vector(text: str) -> NDArray[np.float32]:
    """Return a text's vector (float32[256], read-only), rounded to be the same on any processor.

    Raises:
        BadValue: the text is empty.
    """
    vector: NDArray[np.float32] = MiniAligner(threads=1).texts([text])[0].round(TEXT_DIGITS)
    vector.setflags(write=False)
    return vector


@cache
def _network(name: str, threads: int) -> Any:
    """Return one of the aligner's ONNX networks, loaded on first use."""
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    # Threads that spin while they wait would occupy processors that the world needs.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    options.log_severity_level = 3
    with as_file(files(_DATA).joinpath(f"{name}.onnx")) as path:
        return onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])


def _sized(pictures: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return pictures resized for the network; each new pixel is the mean of the pixels that it covers."""
    if pictures.shape[1:3] == (MINI_SIDE, MINI_SIDE):
        return pictures
    sized = [
        np.asarray(Image.fromarray(one).resize((MINI_SIDE, MINI_SIDE), Image.Resampling.BOX))
        for one in pictures
    ]
    return np.array(sized, np.uint8).reshape(-1, MINI_SIDE, MINI_SIDE, 3)
