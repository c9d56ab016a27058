"""The aligner `mini` fits the world's looks, ignores the batch size and refuses bad input."""

import numpy as np
import pytest

from optimus_gym.core.errors import BadValue
from optimus_gym.vision.aligner import Aligner
from optimus_gym.vision.environments import ENVIRONMENTS, Environments, prompts
from optimus_gym.vision.mini_aligner import MiniAligner, card, text_vector
from optimus_gym.vision.mini_words import NO_WORD, UNKNOWN_WORD, word_numbers
from tests.vision.test_mineclip_aligner import pictures
from tools.mini.looks import looks_version
from tools.mini.scenes import scenes

FIRST_SEED = 54_000


@pytest.fixture(scope="module")
def aligner():
    return MiniAligner()


def close(one, other):
    return np.allclose(one, other, atol=1e-5)


def test_the_weights_were_trained_on_the_worlds_present_looks():
    assert card()["looks"] == looks_version(), "other looks: run python -m tools.mini"


def test_the_aligners_name_contains_its_weights_hash(aligner):
    assert isinstance(aligner, Aligner)
    assert aligner.name == f"mini {card()['weights']}"
    assert 0 < aligner.threshold < 1
    assert 0 < aligner.confidence < 1


def test_vectors_have_256_numbers_and_length_one(aligner):
    features = aligner.frames(pictures(3, 128, 128))
    assert features.shape == (3, 256)
    assert features.dtype == np.float32
    videos, texts = aligner.videos([features, features[:1]]), aligner.texts(["a", "mine log"])
    assert videos.shape == texts.shape == (2, 256)
    assert close(np.linalg.norm(np.concatenate([videos, texts]), axis=1), 1)
    assert aligner.frames(pictures(0, 128, 128)).shape == (0, 256)
    assert aligner.videos([]).shape == (0, 256)


def test_vectors_do_not_depend_on_the_batch(aligner):
    many = pictures(130, 128, 128)
    features = aligner.frames(many)
    for k in (0, 63, 64, 129):
        assert close(features[k], aligner.frames(many[k : k + 1])[0])
    words = ["mine 3 log", "craft a stone pickaxe at the crafting table", "night"]
    assert close(aligner.texts(words)[0], aligner.texts(words[:1])[0])
    assert close(
        aligner.videos([features[:9], features[9:12]])[1], aligner.videos([features[9:12]])[0]
    )
    assert np.array_equal(MiniAligner(threads=1).frames(many), MiniAligner(threads=3).frames(many))


def test_frames_of_any_size_are_scaled(aligner):
    large = pictures(2, 128, 128).repeat(3, axis=1).repeat(5, axis=2)
    assert close(aligner.frames(large), aligner.frames(pictures(2, 128, 128)))


def test_the_aligner_recognizes_environments_of_new_seeds(aligner):
    seen = list(scenes(np.arange(FIRST_SEED, FIRST_SEED + 36), np.random.default_rng(0), 2))
    vectors = aligner.frames(np.stack([scene.frame for scene in seen]))
    told = Environments(aligner).of(vectors / np.linalg.norm(vectors, axis=1, keepdims=True))
    right = [ENVIRONMENTS[s.environment] == name for s, name in zip(seen, told, strict=True)]
    assert np.mean(right) > 0.7
    assert Environments(aligner).of(np.zeros((0, 256), np.float32)) == ()
    assert len(prompts()) == len(ENVIRONMENTS) == 18


@pytest.mark.parametrize(
    ("wording", "meaning", "other"),
    [
        ("could you get me a pickaxe of iron", "craft iron pickaxe", "craft iron sword"),
        ("chop down trees for wood", "mine log", "mine cobblestone"),
        ("cook an iron ingot in the furnace", "smelt iron ingot", "craft furnace"),
        ("hunt a cow for its leather", "kill cow for leather", "kill chicken for feather"),
    ],
)
def test_paraphrases_are_closer_than_similar_words_of_another_meaning(
    aligner, wording, meaning, other
):
    asked, same, else_ = aligner.texts([wording, meaning, other])
    assert asked @ same > asked @ else_


def test_words_become_numbers():
    known = {"mine": 2, "log": 3}
    assert word_numbers(["Mine logs", "mine 3_log"], known).tolist() == [
        [2, 3, NO_WORD],
        [2, UNKNOWN_WORD, 3],
    ]
    assert word_numbers(["log " * 99], known).shape == (1, 32)


def test_words_in_other_scripts_are_unknown_words(aligner):
    assert word_numbers(["做木棍", "!?"], {}).tolist() == [[UNKNOWN_WORD], [UNKNOWN_WORD]]
    assert np.isfinite(aligner.texts(["做木棍"])).all()


@pytest.mark.parametrize("texts", [[], [""], ["log", " "], [None], [3]])
def test_texts_without_words_are_refused(aligner, texts):
    with pytest.raises(BadValue, match="texts: expected"):
        aligner.texts(texts)


@pytest.mark.parametrize(
    "bad",
    [np.zeros((128, 128, 3), np.uint8), np.zeros((1, 8, 8, 3)), np.zeros((1, 0, 8, 3), np.uint8)],
)
def test_bad_pictures_are_refused(aligner, bad):
    with pytest.raises(BadValue, match=r"pictures: expected uint8 \(n, H, W, 3\)"):
        aligner.frames(bad)


@pytest.mark.parametrize("shape", [(0, 256), (65, 256), (3, 255), (256,)])
def test_bad_videos_are_refused(aligner, shape):
    with pytest.raises(BadValue, match="videos: expected features of 1 to 64 frames"):
        aligner.videos([np.ones((2, 256), np.float32), np.ones(shape, np.float32)])


def test_the_number_of_threads_is_checked():
    with pytest.raises(BadValue, match="threads"):
        MiniAligner(threads=0)


def test_text_vector_equals_the_aligners_and_is_read_only(aligner):
    vector = text_vector("mine 3 log")
    assert np.abs(vector - aligner.texts(["mine 3 log"])[0]).max() < 6e-4
    with pytest.raises(ValueError, match="read-only"):
        vector[0] = 1
