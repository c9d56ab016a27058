"""Merging: a memory takes over another memory's experiences, even if another aligner made their vectors."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import numpy as np

from optimus_gym.core.arrays import Pixels, Vector
from optimus_gym.core.errors import BadValue
from optimus_gym.memory.database import MEMORY_FILE
from optimus_gym.memory.experience import Case, Experience, Image, PastPursuit
from optimus_gym.memory.pictures import unpacked
from optimus_gym.memory.pool import ExperiencePool
from optimus_gym.memory.store import ExperienceStore
from optimus_gym.vision.aligner import Aligner, unit_vectors

MOST_PIXELS: Final = 2**22
"""Maximum number of pixels that an aligner gets at once, unless one picture alone has more."""
_Progress = Callable[[Iterable[int], str], Iterable[int]]
"""Function that yields numbers unchanged and shows the progress of the work that its text names."""


def merge(
    folder: Path,
    other: ExperienceStore,
    aligner: Aligner,
    *,
    skip: Callable[[str], None] | None = None,
    progress: _Progress = lambda numbers, _: numbers,
) -> int:
    """Add another memory's experiences to a memory folder, all or none, and return how many are new.

    If another aligner made the other memory's vectors, `aligner` makes new vectors of the stored pictures and
    texts. The function first prepares all experiences in a temporary folder, and then copies them in one
    transaction. An agent that writes into the folder meanwhile waits for the copy, but not for the aligner.

    Args:
        folder: the memory folder that grows; made if it is missing.
        other: the other memory.
        aligner: the aligner of the folder's vectors.
        skip: called with the fault of each damaged experience, which is left out. If `skip` is None, the
            first damaged experience raises an error, and the folder stays as it was.
        progress: yields the numbers of experiences unchanged and shows the progress.

    Raises:
        BadValue: the folder holds another aligner's vectors or cannot be written, or an experience or picture
            of the other memory is damaged.
    """
    named = aligner.name, aligner.width
    known: frozenset[str] = frozenset()
    if (folder / MEMORY_FILE).is_file():
        with ExperienceStore(folder, named) as store:
            known = store.keys()
    with (
        TemporaryDirectory() as room,
        ExperiencePool(Path(room), aligner) as prepared,
        other.look(),
    ):
        reading = progress(other.numbers(), "reading")
        prepared.store.add_all(_new(reading, other, known, prepared, skip))
        numbers = prepared.store.numbers()
        if numbers:
            with ExperienceStore(folder, named) as store:
                found = map(prepared.get, progress(numbers, "writing"))
                store.add_all((one, prepared.words(one)) for one in found)
    return len(numbers)


def _new(
    numbers: Iterable[int],
    other: ExperienceStore,
    known: frozenset[str],
    pool: ExperiencePool,
    skip: Callable[[str], None] | None,
) -> Iterator[tuple[Experience, Mapping[str, Vector]]]:
    """Yield the other memory's experiences whose keys are not `known`, with vectors by the aligner of `pool`.

    Raises:
        BadValue: an experience is damaged, and `skip` is None; the error names the experience's number.
    """
    is_same = other.aligner == (pool.aligner.name, pool.aligner.width)
    damage = f"memory: '{other.path}' is damaged at"
    for number in numbers:
        try:
            experience = other.get(number)
            if experience.key in known:
                continue
            if is_same:
                _check_pictures(experience, damage)
            else:
                experience = _revectored(experience, pool, damage)
            words = pool.words(experience)
        except BadValue as error:
            fault = f"experience {number}: {error}"
            if skip is None:
                raise BadValue(fault) from error
            skip(fault)
            continue
        yield experience, words


def _images(experience: Experience) -> list[Image]:
    """Return the images of an experience; equal pictures count once."""
    images = [image for pursuit in experience.pursuits for image in pursuit.seen]
    images += [image for case in experience.cases for image in (case.before, case.present)]
    images += [] if experience.first is None else [experience.first]
    return list({image.picture: image for image in images}.values())


def _frame(image: Image, damage: str) -> Pixels:
    return unpacked(image.picture, f"{damage} the frame of tick {image.tick}")


def _check_pictures(experience: Experience, damage: str) -> None:
    """Check that all pictures of an experience can be read.

    Raises:
        BadValue: a picture is damaged.
    """
    for image in _images(experience):
        _frame(image, damage)


def _revectored(experience: Experience, pool: ExperiencePool, damage: str) -> Experience:
    """Return an experience with vectors of the pool's aligner.

    The stored frames of a sub-goal become the sub-goal's video. If more frames are stored than the aligner
    takes in a video, the video has only some of them, evenly spaced. A sub-goal without stored frames gets
    None as its correlation with its text.

    Raises:
        BadValue: a picture is damaged, or the aligner makes no vector of it.
    """
    aligner = pool.aligner
    features = _features(experience, aligner, damage)

    def image(one: Image) -> Image:
        return replace(one, vector=unit_vectors(features[one.picture]))

    def pursuit(one: PastPursuit) -> PastPursuit:
        if not one.seen:
            return replace(one, correlation=None, vector=None)
        count = min(len(one.seen), aligner.longest)
        chosen = np.linspace(0, len(one.seen) - 1, count).round().astype(int)
        (video,) = aligner.videos([np.stack([features[one.seen[k].picture] for k in chosen])])
        (text,) = pool.texts([one.text])
        seen = tuple(map(image, one.seen))
        return replace(one, seen=seen, correlation=float(video @ text), vector=video)

    def case(one: Case) -> Case:
        return replace(one, before=image(one.before), present=image(one.present))

    return replace(
        experience,
        first=None if experience.first is None else image(experience.first),
        pursuits=tuple(map(pursuit, experience.pursuits)),
        cases=tuple(map(case, experience.cases)),
    )


def _features(experience: Experience, aligner: Aligner, damage: str) -> dict[bytes, Vector]:
    """Return the features (float32[d]) of an experience's pictures, by the pictures' bytes.

    Raises:
        BadValue: a picture is damaged, or the aligner makes no vector of it.
    """
    features: dict[bytes, Vector] = {}
    for images, frames in _batches(experience, damage):
        for image, made in zip(images, aligner.frames(np.stack(frames)), strict=True):
            if not np.isfinite(made).all() or not made.any():
                raise BadValue(
                    f"{damage} the frame of tick {image.tick}: {aligner.name!r} makes no vector of it"
                )
            features[image.picture] = made
    return features


def _batches(experience: Experience, damage: str) -> Iterator[tuple[list[Image], list[Pixels]]]:
    """Yield batches (images, their decoded frames): frames of one size, at most `MOST_PIXELS` pixels."""
    images: list[Image] = []
    frames: list[Pixels] = []
    for image in _images(experience):
        frame = _frame(image, damage)
        is_full = (len(frames) + 1) * frame.size > 3 * MOST_PIXELS
        if frames and (is_full or frame.shape != frames[0].shape):
            yield images, frames
            images, frames = [], []
        images.append(image)
        frames.append(frame)
    if frames:
        yield images, frames
