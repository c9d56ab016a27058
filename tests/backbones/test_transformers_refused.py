"""The backbone `transformers` rejects bad models, files and requests, and runs no foreign code."""

import json
import re
from contextlib import suppress
from dataclasses import replace

import numpy as np
import pytest

from optimus_gym.backbones.transformers_local import TransformersBackbone
from optimus_gym.core.errors import BadValue
from optimus_gym.core.requests import Request

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")
from tests.backbones.tiny import picture, requests, saved  # noqa: E402


@pytest.fixture
def folder(tmp_path):
    """Return a folder with a model that a test may damage."""
    folder = tmp_path / "tiny"
    saved(folder)
    return folder


def without(name):
    return lambda folder: (folder / name).unlink()


def changed(name, content):
    return lambda folder: (folder / name).write_bytes(content)


def of_another(folder):
    config = json.loads((folder / "config.json").read_text())
    config["text_config"]["num_hidden_layers"] = 3
    (folder / "config.json").write_text(json.dumps(config))


def of_another_size(folder):
    config = json.loads((folder / "config.json").read_text())
    config["text_config"]["intermediate_size"] = 64
    (folder / "config.json").write_text(json.dumps(config))


def only_of_texts(folder):
    for file in folder.iterdir():
        if "processor" in file.name:
            file.unlink()


BROKEN = {
    "empty": lambda folder: [file.unlink() for file in folder.iterdir()],
    "no config": without("config.json"),
    "no JSON": changed("config.json", b"{"),
    "another kind": changed("config.json", b'{"model_type": "bert"}'),
    "no weights": without("model.safetensors"),
    "damaged weights": changed("model.safetensors", b"\x00" * 100),
    "no words": without("tokenizer.json"),
    "a layer more": of_another,
    "other sizes": of_another_size,
    "no pictures": only_of_texts,
}


@pytest.mark.parametrize("damage", BROKEN)
def test_a_damaged_folder_is_rejected_with_the_cause(folder, damage):
    BROKEN[damage](folder)
    with pytest.raises(BadValue, match=r"model: .* cannot be loaded: \S+") as error:
        TransformersBackbone(folder, device="cpu").complete(requests(1))
    assert error.value.__cause__ is not None


def test_missing_weights_are_named_and_torchs_generator_is_left_unchanged(folder):
    of_another(folder)
    before = torch.random.get_rng_state()
    with pytest.raises(BadValue, match=r"the model's files lack weights: .*layers\.2"):
        TransformersBackbone(folder, device="cpu").complete(requests(1))
    assert torch.equal(torch.random.get_rng_state(), before)


def test_a_missing_path_is_rejected(tmp_path):
    with pytest.raises(BadValue, match="cannot be loaded"):
        TransformersBackbone(tmp_path / "none", device="cpu").complete(requests(1))


def test_pickled_weights_are_never_loaded(tmp_path):
    made, _ = saved(tmp_path)
    (tmp_path / "model.safetensors").unlink()
    torch.save(made.state_dict(), tmp_path / "pytorch_model.bin")
    with pytest.raises(BadValue, match=r"cannot be loaded: .*safetensors"):
        TransformersBackbone(tmp_path, device="cpu").complete(requests(1))


@pytest.mark.parametrize("trust", [False, True])
def test_code_of_a_model_runs_only_if_it_is_trusted(folder, tmp_path, monkeypatch, trust):
    monkeypatch.setattr(
        "transformers.dynamic_module_utils.HF_MODULES_CACHE", str(tmp_path / "code")
    )
    ran = tmp_path / "ran"
    code = (
        f"from transformers import LlavaConfig\nopen({str(ran)!r}, 'w').close()\n"
        "class OwnConfig(LlavaConfig):\n    model_type = 'own'\n"
    )
    (folder / "own.py").write_text(code)
    config = json.loads((folder / "config.json").read_text())
    config |= {"model_type": "own", "auto_map": {"AutoConfig": "own.OwnConfig"}}
    (folder / "config.json").write_text(json.dumps(config))
    one = TransformersBackbone(folder, device="cpu", max_tokens=2, trust=trust)
    with suppress(BadValue) if trust else pytest.raises(BadValue, match="cannot be loaded"):
        one.complete(requests(2))
    assert ran.exists() == trust


def test_a_request_that_the_model_cannot_take_is_reported(folder):
    one = TransformersBackbone(folder, device="cpu", max_tokens=2)
    strange = Request("see", "an <image> that is not there", (picture(0),))
    with pytest.raises(BadValue, match=r"tiny cannot answer \(see\): \S+"):
        one.complete([strange])
    assert one.complete(requests(1))


@pytest.mark.parametrize(
    "image",
    [
        np.zeros((4, 4, 3), np.float32),
        np.zeros((4, 4), np.uint8),
        np.zeros((4, 4, 4), np.uint8),
        np.zeros((0, 4, 3), np.uint8),
        "file.png",
    ],
)
def test_an_image_of_a_wrong_shape_or_type_is_rejected(image):
    with pytest.raises(BadValue, match=r"images: expected uint8\[H, W, 3\]"):
        TransformersBackbone("folder").complete([replace(requests(1)[0], images=(image,))])


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({"model": ""}, "model: expected a folder or the name of a model, got ''"),
        ({"model": 3}, "model: expected a folder"),
        ({"dtype": "float64"}, "dtype: expected one of float32, bfloat16, float16, auto"),
        ({"dtype": torch.float32}, "dtype: expected one of"),
        ({"device": 0}, "device: expected a text or None, got 0"),
        ({"revision": 1}, "revision: expected a text or None, got 1"),
        ({"max_tokens": 0}, "max_tokens: expected an integer of at least 1, got 0"),
        ({"batch": 0.5}, "batch: expected an integer of at least 1"),
        ({"trust": 1}, "trust: expected True or False, got 1"),
    ],
)
def test_wrong_options_are_rejected_at_once(options, expected):
    with pytest.raises(BadValue, match=re.escape(expected)):
        TransformersBackbone(**{"model": "folder", **options})
