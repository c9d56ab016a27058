"""MineCLIP as an aligner scores as its reward head does, for batches and pictures of any size."""

import numpy as np
import pytest

from optimus_gym.core.errors import BadValue

torch = pytest.importorskip("torch")
from optimus_gym.vision.aligner import Aligner  # noqa: E402
from optimus_gym.vision.mineclip import MineCLIP  # noqa: E402
from optimus_gym.vision.mineclip_aligner import MineClipAligner  # noqa: E402
from tests.vision.test_mineclip import SMALL, filled  # noqa: E402

TEXTS = ["chop a tree", "mine stone", "a cow"]


@pytest.fixture(scope="module")
def checkpoint(tmp_path_factory):
    path = tmp_path_factory.mktemp("mineclip") / "attn.pth"
    state = filled(MineCLIP(sizes=SMALL)).state_dict()
    torch.save({"state_dict": {f"model.{name}": value for name, value in state.items()}}, path)
    return path


@pytest.fixture(scope="module")
def aligner(checkpoint):
    return MineClipAligner(checkpoint, sizes=SMALL)


def pictures(count, height=32, width=32, seed=0):
    return np.random.default_rng(seed).integers(0, 256, (count, height, width, 3), np.uint8)


def test_the_aligners_name_depends_on_its_weights(aligner, checkpoint, tmp_path):
    assert isinstance(aligner, Aligner)
    other = filled(MineCLIP(sizes=SMALL))
    with torch.no_grad():
        other.clip_model.logit_scale += 1
    state = {f"model.{name}": value for name, value in other.state_dict().items()}
    torch.save({"state_dict": state}, tmp_path / "attn.pth")
    assert MineClipAligner(tmp_path / "attn.pth", sizes=SMALL).name != aligner.name
    assert MineClipAligner(checkpoint, sizes=SMALL).name == aligner.name


def test_fits_equal_the_reward_heads_scores(aligner):
    shown = pictures(5)
    features = aligner.frames(shown)
    fit = aligner.videos([features]) @ aligner.texts(TEXTS).T
    model = aligner._model
    with torch.no_grad():
        video = model.encode_video(torch.from_numpy(shown).permute(0, 3, 1, 2)[None])
        scores = (
            model.reward_head(video, model.encode_text(TEXTS)) / model.clip_model.logit_scale.exp()
        )
    assert np.allclose(fit, scores.numpy(), atol=1e-5)


def test_vectors_do_not_depend_on_the_batch(aligner):
    many = pictures(150)
    features = aligner.frames(many)
    assert features.shape == (150, 32)
    assert np.allclose(features[149], aligner.frames(many[149:])[0], atol=1e-5)
    videos = [features[:3], features[3:8], features[8:11], features[20:21]]
    together = aligner.videos(videos)
    for k, video in enumerate(videos):
        assert np.allclose(together[k], aligner.videos([video])[0], atol=1e-5)
    assert np.allclose(np.linalg.norm(together, axis=1), 1, atol=1e-5)
    assert np.allclose(np.linalg.norm(aligner.texts(TEXTS), axis=1), 1, atol=1e-5)
    assert aligner.frames(many[:0]).shape == (0, 32)


def test_a_picture_of_another_size_is_resized(aligner):
    small = pictures(2, 4, 4)
    large = small.repeat(16, axis=1).repeat(16, axis=2)
    plain = np.full((1, 360, 640, 3), 77, np.uint8)
    assert np.allclose(aligner.frames(plain), aligner.frames(plain[:, :32, :32]), atol=1e-5)
    shrunk = large.reshape(2, 32, 2, 32, 2, 3).mean((2, 4)).round().astype(np.uint8)
    assert np.allclose(aligner.frames(large), aligner.frames(shrunk), atol=1e-4)


def test_bad_input_is_refused(aligner):
    with pytest.raises(BadValue, match=r"pictures: expected uint8 \(n, H, W, 3\), got float64"):
        aligner.frames(pictures(2) / 255)
    with pytest.raises(BadValue, match="expected features of 1 to 8 frames with 32 numbers each"):
        aligner.videos([np.zeros((0, 32), np.float32)])
    with pytest.raises(BadValue, match="text: expected words"):
        aligner.texts(["a tree", ""])
