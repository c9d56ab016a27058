"""Rules of aligners."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from optimus_gym.core.checks import is_number, is_whole
from optimus_gym.core.errors import BadValue
from optimus_gym.testing.contract import Contract, PartCase, expect, expect_members, expect_refusal
from optimus_gym.vision.aligner import Aligner

_TEXTS: Final = ("mine 3 log", "craft a stone pickaxe at the crafting table", "a cow")
_PICTURE_SIDE: Final = 128
"""Width and height of most pictures in tests of an aligner, pixels."""
_CLOSE: Final = 1e-4
"""Maximum difference between two vectors that count as equal, relative to the vectors' largest component."""


@dataclass
class AlignerCase(PartCase):
    """An aligner under test, made once for all rules that do not compare two aligners."""

    @cached_property
    def aligner(self) -> Any:
        """The aligner."""
        return self.make()


CONTRACT: Final = Contract(AlignerCase)


def noise_pictures(
    count: int, height: int = _PICTURE_SIDE, width: int = _PICTURE_SIDE
) -> NDArray[np.uint8]:
    """Return pictures of coarse noise (uint8[n, H, W, 3])."""
    draws = np.random.default_rng(0).integers(0, 256, (count, 8, 8, 3), np.uint8)
    return np.kron(draws, np.ones((1, height // 8, width // 8, 1), np.uint8))


def _expect_vectors(aligner: Any, got: Any, count: int, method: str) -> None:
    array = isinstance(got, np.ndarray)
    came = f"{got.dtype}{list(got.shape)}" if array else got
    fits = array and got.shape == (count, aligner.width) and got.dtype == np.float32
    expect(fits, f"float32[{count}, {aligner.width}]", came, aligner, method)
    expect(np.isfinite(got).all(), "finite numbers", "others", aligner, method)


def _expect_close(aligner: Any, got: Any, wanted: Any, what: str, method: str) -> None:
    apart = float(np.abs(got - wanted).max()) / max(float(np.abs(wanted).max()), _CLOSE)
    expect(apart <= _CLOSE, what, f"vectors {apart:.1e} apart", aligner, method)


@CONTRACT.basic
def can_be_made(case: AlignerCase) -> None:
    """An aligner can be made."""
    case.aligner  # noqa: B018  the attribute makes it


@CONTRACT.basic
def has_all_members(case: AlignerCase) -> None:
    """An aligner has all attributes and methods of `Aligner`."""
    expect_members(case.aligner, Aligner)


@CONTRACT.basic
def has_sizes_and_thresholds(case: AlignerCase) -> None:
    """An aligner has a name, integers `width` and `longest` of at least 1, and thresholds in [0, 1)."""
    aligner = case.aligner
    named = isinstance(aligner.name, str) and aligner.name
    expect(named, "a name", aligner.name, aligner, "name")
    for member in ("width", "longest"):
        size = getattr(aligner, member)
        expect(is_whole(size) and size >= 1, "a whole number of at least 1", size, aligner, member)
    for member in ("threshold", "confidence"):
        share = getattr(aligner, member)
        fits = is_number(share) and 0 <= share < 1
        expect(fits, "a number of 0 to below 1", share, aligner, member)


@CONTRACT.basic
def returns_vectors(case: AlignerCase) -> None:
    """`frames`, `videos` and `texts` return a vector (float32[width]) for each input."""
    aligner = case.aligner
    features = aligner.frames(noise_pictures(3))
    _expect_vectors(aligner, features, 3, "frames")
    short = features[: min(2, aligner.longest)]
    _expect_vectors(aligner, aligner.videos([short, features[:1]]), 2, "videos")
    _expect_vectors(aligner, aligner.texts(list(_TEXTS)), len(_TEXTS), "texts")


@CONTRACT.rule
def vectors_have_length_one(case: AlignerCase) -> None:
    """Vectors of videos and texts have length 1."""
    aligner = case.aligner
    features = aligner.frames(noise_pictures(2))
    for method, vectors in (
        ("videos", aligner.videos([features[:1], features[1:]])),
        ("texts", aligner.texts(list(_TEXTS))),
    ):
        lengths = np.linalg.norm(vectors, axis=1)
        fits = np.allclose(lengths, 1, atol=1e-3)
        expect(fits, "vectors of length 1", lengths.tolist(), aligner, method)


@CONTRACT.rule
def no_input_gives_no_vector(case: AlignerCase) -> None:
    """`frames` returns an empty array for no pictures, and `videos` for no videos."""
    aligner = case.aligner
    _expect_vectors(aligner, aligner.frames(noise_pictures(0)), 0, "frames")
    _expect_vectors(aligner, aligner.videos([]), 0, "videos")


@CONTRACT.rule
def inputs_are_independent(case: AlignerCase) -> None:
    """An input has the same vector alone as together with other inputs."""
    aligner = case.aligner
    many = noise_pictures(70)
    features = aligner.frames(many)
    for place in (0, 63, 64, 69):
        alone = aligner.frames(many[place : place + 1])[0]
        what = f"picture {place} as alone"
        _expect_close(aligner, features[place], alone, what, "frames")
    length = min(3, aligner.longest)
    videos = [features[:length], features[9 : 9 + length], features[20:21]]
    together = aligner.videos(videos)
    for place, video in enumerate(videos):
        alone = aligner.videos([video])[0]
        _expect_close(aligner, together[place], alone, f"video {place} as alone", "videos")
    words = aligner.texts(list(_TEXTS))
    for place, text in enumerate(_TEXTS):
        alone = aligner.texts([text])[0]
        _expect_close(aligner, words[place], alone, f"{text!r} as alone", "texts")


@CONTRACT.rule
def different_inputs_differ(case: AlignerCase) -> None:
    """Different texts and different pictures have different vectors."""
    aligner = case.aligner
    for method, vectors in (
        ("texts", aligner.texts(list(_TEXTS))),
        ("frames", aligner.frames(noise_pictures(3))),
    ):
        apart = [float(np.abs(vectors[0] - other).max()) for other in vectors[1:]]
        expect(min(apart) > 0, "different vectors", "the same twice", aligner, method)


@CONTRACT.rule
def takes_pictures_of_any_size(case: AlignerCase) -> None:
    """`frames` takes pictures of any width and height."""
    aligner = case.aligner
    for height, width in ((360, 640), (64, 64), (48, 32)):
        _expect_vectors(aligner, aligner.frames(noise_pictures(1, height, width)), 1, "frames")


@CONTRACT.rule
def has_one_name_for_the_same_weights(case: AlignerCase) -> None:
    """Two aligners that were made alike have the same name and the same vectors."""
    aligner, again = case.aligner, case.make()
    expect(again.name == aligner.name, f"the name {aligner.name!r} again", again.name, aligner)
    wanted, got = aligner.texts(list(_TEXTS)), again.texts(list(_TEXTS))
    _expect_close(aligner, got, wanted, "the same vectors of texts", "texts")


@CONTRACT.rule
def refuses_texts_without_words(case: AlignerCase) -> None:
    """`texts` rejects an empty list and texts without words."""
    bad: Sequence[list[Any]] = ([], [""], ["log", " "])
    for texts in bad:
        refused = partial(case.aligner.texts, texts)
        expect_refusal(refused, (BadValue,), f"the texts {texts}", case.aligner, "texts")


@CONTRACT.rule
def refuses_arrays_that_are_no_pictures(case: AlignerCase) -> None:
    """`frames` rejects arrays that are not uint8[n, H, W, 3], and pictures without pixels."""
    for bad in (
        np.zeros((_PICTURE_SIDE, _PICTURE_SIDE, 3), np.uint8),
        np.zeros((1, 8, 8, 3)),
        np.zeros((1, 0, 8, 3), np.uint8),
    ):
        refused = partial(case.aligner.frames, bad)
        what = f"pictures {bad.dtype}{list(bad.shape)}"
        expect_refusal(refused, (BadValue,), what, case.aligner, "frames")


@CONTRACT.rule
def refuses_videos_of_wrong_length(case: AlignerCase) -> None:
    """`videos` rejects a video without frames, a video that is too long, and features of a wrong width."""
    aligner = case.aligner
    for shape in (
        (0, aligner.width),
        (aligner.longest + 1, aligner.width),
        (1, aligner.width + 1),
        (aligner.width,),
    ):
        good, bad = np.ones((1, aligner.width), np.float32), np.ones(shape, np.float32)
        refused = partial(aligner.videos, [good, bad])
        what = f"features float32{list(shape)}"
        expect_refusal(refused, (BadValue,), what, aligner, "videos")
