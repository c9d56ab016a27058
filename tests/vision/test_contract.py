"""Every registered aligner keeps the contract, and each rule names the aligners that break it."""

import json
from functools import partial

import numpy as np
import pytest

from optimus_gym.core.errors import BadValue
from optimus_gym.core.registry import names
from optimus_gym.testing import aligner_rules, contract_of
from optimus_gym.testing.aligner_contract import AlignerCase
from optimus_gym.vision.aligner import check_pictures, check_videos, unit_vectors
from optimus_gym.vision.mini_aligner import MiniAligner

each_rule = pytest.mark.parametrize("rule", aligner_rules(), ids=str)


def mini(folder):
    return MiniAligner


def mineclip(folder):
    torch = pytest.importorskip("torch")
    from optimus_gym.vision.mineclip import MineCLIP
    from optimus_gym.vision.mineclip_aligner import MineClipAligner
    from tests.vision.test_mineclip import SMALL, filled

    path = folder / "attn.pth"
    state = filled(MineCLIP(sizes=SMALL)).state_dict()
    torch.save({"state_dict": {f"model.{name}": value for name, value in state.items()}}, path)
    return partial(MineClipAligner, path, sizes=SMALL)


def open_clip(folder):
    library = pytest.importorskip("open_clip")
    torch = pytest.importorskip("torch")
    from optimus_gym.vision.open_clip_aligner import OpenClipAligner
    from tests.vision.test_open_clip_aligner import MODELS, TEXT, network

    config = {"embed_dim": 24, "vision_cfg": MODELS["tiny-vit"], "text_cfg": TEXT}
    (folder / "tiny-vit.json").write_text(json.dumps(config))
    library.add_model_config(folder)
    torch.save({"state_dict": network(library).state_dict()}, folder / "tiny-vit.pt")
    return partial(OpenClipAligner, "tiny-vit", folder / "tiny-vit.pt")


MAKERS = {"mini": mini, "mineclip": mineclip, "open_clip": open_clip}


@pytest.fixture(scope="module")
def cases():
    """Return the aligners by name, each made once."""
    return {}


@each_rule
@pytest.mark.parametrize("name", sorted(names("aligner")))
def test_an_aligner_keeps_the_contract(name, rule, cases, tmp_path):
    if name not in cases:
        cases[name] = AlignerCase(MAKERS[name](tmp_path))
        cases[name].aligner  # noqa: B018  its files lie in this test's folder
    if rule.name != "has_one_name_for_the_same_weights":
        assert rule(cases[name]) == ""
    else:
        assert rule(MAKERS[name](tmp_path)) == ""


class Sound:
    """Sees the mean colours of a picture's quarters, and counts letters."""

    name, width, longest, threshold, confidence = "sound", 12, 4, 0.5, 0.5

    def frames(self, pictures):
        check_pictures(pictures)
        height, width = (side // 2 for side in pictures.shape[1:3])
        corners = [(top, left) for top in (0, height) for left in (0, width)]
        parts = [pictures[:, a : a + height, b : b + width].mean((1, 2)) for a, b in corners]
        return np.concatenate(parts, 1, dtype=np.float32)

    def videos(self, features):
        check_videos(features, self.width, self.longest)
        means = [np.asarray(one).mean(0) for one in features]
        return unit_vectors(np.array(means, np.float32).reshape(-1, self.width))

    def texts(self, texts):
        if not texts or any(not text.strip() for text in texts):
            raise BadValue(f"texts: expected words, got {texts}")
        return unit_vectors(np.array([self.letters(text) for text in texts], np.float32))

    def letters(self, text):
        return [1 + text.count(letter) for letter in "etaoinsrhldc"]


class Stillborn(Sound):
    def __init__(self):
        raise OSError("no weights")


class Blind(Sound):
    frames = None


class Certain(Sound):
    threshold = 1.5


class Doubled(Sound):
    def frames(self, pictures):
        return super().frames(pictures).astype(np.float64)


class Loud(Sound):
    def texts(self, texts):
        return 2 * super().texts(texts)


class Strict(Sound):
    def videos(self, features):
        if not features:
            raise BadValue("videos: expected some")
        return super().videos(features)


class Relative(Sound):
    """Subtracts the mean features of all pictures."""

    def frames(self, pictures):
        features = super().frames(pictures)
        return features - features.mean(0) if len(features) > 3 else features


class Bored(Sound):
    def letters(self, text):
        return [1.0] * 12


class Square(Sound):
    def frames(self, pictures):
        check_pictures(pictures)
        if pictures.shape[1] != pictures.shape[2]:
            raise RuntimeError("width and height differ")
        return super().frames(pictures)


class Numbered(Sound):
    made = 0

    def __init__(self):
        type(self).made += 1
        self.name = f"number {self.made}"


class Dumb(Sound):
    def texts(self, texts):
        return super().texts([text.strip() or "nothing" for text in texts] or ["nothing"])


class Careless(Sound):
    def frames(self, pictures):
        if np.ndim(pictures) == 4 and pictures.dtype != np.uint8:
            pictures = pictures.astype(np.uint8)
        return super().frames(pictures)


class Endless(Sound):
    def videos(self, features):
        return super().videos([one[:4] if np.ndim(one) == 2 else one for one in features])


FAULTY = {
    Sound: (),
    Stillborn: ("can_be_made",),
    Blind: ("has_all_members",),
    Certain: ("has_sizes_and_thresholds",),
    Doubled: ("returns_vectors",),
    Loud: ("vectors_have_length_one",),
    Strict: ("no_input_gives_no_vector",),
    Relative: ("inputs_are_independent",),
    Bored: ("different_inputs_differ",),
    Square: ("takes_pictures_of_any_size",),
    Numbered: ("has_one_name_for_the_same_weights",),
    Dumb: ("refuses_texts_without_words",),
    Careless: ("refuses_arrays_that_are_no_pictures",),
    Endless: ("refuses_videos_of_wrong_length",),
}
"""Faulty aligners, and all rules that each breaks; the first is sound."""


@pytest.mark.parametrize(
    ("aligner", "rules"), FAULTY.items(), ids=lambda one: getattr(one, "__name__", "")
)
def test_a_faulty_aligner_breaks_exactly_its_rules(aligner, rules):
    findings = contract_of("aligner").findings(aligner)
    assert tuple(one.rule.name for one in findings if one.verdict == "failed") == rules


def test_every_rule_has_an_aligner_that_breaks_it():
    broken = {name for names in FAULTY.values() for name in names}
    assert {rule.name for rule in aligner_rules()} == broken
