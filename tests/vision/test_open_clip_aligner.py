"""Models of the library open_clip as aligners return the library's features and refuse other files."""

import json
import logging
import sys
from types import SimpleNamespace

import numpy as np
import pytest

from optimus_gym.core.errors import BadValue, MissingExtra, UnknownName
from optimus_gym.vision.aligner import Aligner

torch = pytest.importorskip("torch")
from optimus_gym.vision import open_clip_aligner  # noqa: E402
from optimus_gym.vision.open_clip_aligner import OpenClipAligner, prepared  # noqa: E402

TEXTS = ["chop a tree", "mine stone", "a cow"]
TEXT = {"context_length": 77, "vocab_size": 49_408, "width": 32, "heads": 2, "layers": 2}
MODELS = {
    "tiny-vit": {"image_size": 32, "layers": 2, "width": 32, "head_width": 16, "patch_size": 8},
    "tiny-tall": {"image_size": [48, 32], "layers": 1, "width": 32, "head_width": 16, "patch_size": 16},
    "tiny-resnet": {"image_size": 32, "layers": [1, 1, 1, 1], "width": 8},
}  # fmt: skip


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    library = pytest.importorskip("open_clip")
    folder = tmp_path_factory.mktemp("models")
    for name, sizes in MODELS.items():
        config = {"embed_dim": 24, "vision_cfg": sizes, "text_cfg": TEXT}
        (folder / f"{name}.json").write_text(json.dumps(config))
    library.add_model_config(folder)
    return library


def network(library, name="tiny-vit", seed=0):
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        made = library.create_model(name)
        for key, value in made.state_dict().items():
            if key.endswith(
                ("running_var", "bn3.weight")
            ):  # 1 does nothing, and 0 lets nothing through
                value.copy_(0.2 * torch.rand(value.shape) + 0.1)
    return made.eval()


@pytest.fixture(scope="module")
def files(library, tmp_path_factory):
    folder = tmp_path_factory.mktemp("weights")
    for name in MODELS:
        torch.save({"state_dict": network(library, name).state_dict()}, folder / f"{name}.pt")
    return folder


@pytest.fixture(scope="module")
def aligner(files):
    return OpenClipAligner("tiny-vit", files / "tiny-vit.pt")


def pictures(count, height=36, width=64, seed=0):
    """Return coarse and fine patterns, which resizing changes."""
    random = np.random.default_rng(seed)
    coarse = (
        random.integers(0, 256, (count, 9, 16, 3)).repeat(height // 9, 1).repeat(width // 16, 2)
    )
    fine = random.integers(-60, 60, coarse.shape)
    return (coarse + fine).clip(0, 255).astype(np.uint8)


def by_pil(library, wanted, shown):
    from PIL import Image

    config = library.transform.PreprocessCfg(**wanted)
    transform = library.transform.image_transform_v2(config, is_train=False)
    return torch.stack([transform(Image.fromarray(one)) for one in shown])


def test_the_error_without_the_library_names_the_extra(monkeypatch):
    monkeypatch.setitem(sys.modules, "open_clip", None)
    with pytest.raises(MissingExtra, match=r'pip install -e "\.\[open-clip\]"'):
        OpenClipAligner("ViT-B-32", "openai")


@pytest.mark.parametrize("name", MODELS)
def test_features_equal_the_librarys(library, files, name):
    made = OpenClipAligner(name, files / f"{name}.pt")
    assert isinstance(made, Aligner)
    own, shown = network(library, name), pictures(5)
    with torch.no_grad():
        seen = own.encode_image(by_pil(library, own.visual.preprocess_cfg, shown)).numpy()
        said = own.encode_text(library.get_tokenizer(name)(TEXTS), normalize=True).numpy()
    features = made.frames(shown)
    assert features.shape == (5, made.width)
    assert features.dtype == np.float32
    assert np.abs(features - seen).max() < 0.001 * np.abs(seen).max()
    apart = np.abs(seen[:, None] - seen[None]).max(2)[~np.eye(5, dtype=bool)].min()
    assert apart > 0.01 * np.abs(seen).max(), "the pictures' features differ by more than that"
    assert np.allclose(made.texts(TEXTS), said, atol=1e-5)
    assert made.texts(TEXTS).dtype == np.float32


def test_a_videos_vector_is_the_mean_of_its_frames_directions(aligner):
    features = aligner.frames(pictures(7))
    directions = features / np.linalg.norm(features, axis=1, keepdims=True)
    expected = directions[2:6].mean(0) / np.linalg.norm(directions[2:6].mean(0))
    scaled = features[2:6] * np.array([[1], [7], [0.2], [3]], np.float32)
    found = aligner.videos([features[:1], features[2:6], scaled])
    assert found.dtype == np.float32
    assert np.allclose(found, [directions[0], expected, expected], atol=1e-5)
    assert aligner.videos([]).shape == (0, aligner.width)
    assert len(aligner.videos([features[:1].repeat(aligner.longest, axis=0)])) == 1


@pytest.mark.parametrize("name", MODELS)
def test_vectors_do_not_depend_on_the_batch(files, name):
    made = OpenClipAligner(name, files / f"{name}.pt")
    many = pictures(150, 18, 32)
    features = made.frames(many)
    for k in (0, 70, 149):
        assert np.allclose(features[k], made.frames(many[k : k + 1])[0], atol=1e-5)
    texts = [f"{k} trees" for k in range(70)]
    assert np.allclose(made.texts(texts)[-1], made.texts(texts[-1:])[0], atol=1e-5)
    assert made.frames(many[:0]).shape == (0, made.width)


def test_the_callers_arrays_and_random_state_stay_unchanged(files):
    torch.manual_seed(5)
    expected = torch.rand(3)
    torch.manual_seed(5)
    made = OpenClipAligner("tiny-vit", files / "tiny-vit.pt")
    assert torch.equal(torch.rand(3), expected)
    shown = pictures(2)
    shown.flags.writeable = False
    features = made.frames(shown)
    assert np.array_equal(features, made.frames(shown[:, ::-1][:, ::-1]))
    made.videos([features])
    assert np.array_equal(features, made.frames(shown))


@pytest.mark.parametrize("interpolation", ["bicubic", "bilinear"])
@pytest.mark.parametrize("mode", ["shortest", "longest", "squash"])
@pytest.mark.parametrize("size", [32, [48, 32], [40, 72]])
def test_preprocessing_agrees_with_the_librarys(library, interpolation, mode, size):
    for seed, (high, wide) in enumerate([(36, 64), (180, 320), (45, 16), (9, 160), (18, 32)]):
        shown = pictures(2, high, wide, seed)
        wanted = {
            "size": size,
            "mean": (0.4, 0.5, 0.6),
            "std": (0.2, 0.3, 0.25),
            "interpolation": interpolation,
            "resize_mode": mode,
            "fill_color": 90,
        }
        expected = by_pil(library, wanted, shown)
        found = prepared(torch.from_numpy(shown).permute(0, 3, 1, 2), wanted)
        assert found.shape == expected.shape
        assert found.dtype == torch.float32
        off = (found - expected).abs() * torch.tensor(wanted["std"]).view(-1, 1, 1) * 255
        most, mean = (
            (2.01, 0.15) if wide >= high else (25, 1)
        )  # where Pillow 13 takes the other edge first
        assert off.max() < most
        assert off.mean() < mean


def test_different_weights_get_different_names(library, files, aligner, tmp_path):
    from safetensors.torch import save_file

    assert aligner.name.startswith("open_clip tiny-vit ")
    assert len(aligner.name.split()[-1]) == 12
    state = network(library).state_dict()
    save_file({key: value.contiguous() for key, value in state.items()}, tmp_path / "a.safetensors")
    torch.save({f"module.{key}": value for key, value in state.items()}, tmp_path / "b.pt")
    torch.save(state | {"logit_scale": state["logit_scale"].reshape(1)}, tmp_path / "c.pt")
    for same in ("a.safetensors", "b.pt", "c.pt"):
        assert OpenClipAligner("tiny-vit", str(tmp_path / same)).name == aligner.name
    state["visual.proj"] = state["visual.proj"].clone()
    state["visual.proj"][3, 5] += 1e-6
    torch.save(state, tmp_path / "d.pt")
    assert OpenClipAligner("tiny-vit", tmp_path / "d.pt").name != aligner.name


def tag(path, **more):
    said = {"mean": (0.5, 0.5, 0.5), "std": (0.5, 0.5, 0.5), "interpolation": "bilinear"}
    return {"file": str(path), "resize_mode": "squash", **said, **more}


@pytest.fixture
def tags(library, files, monkeypatch):
    made = {"ours": tag(files / "tiny-vit.pt")}
    monkeypatch.setitem(library.pretrained._PRETRAINED, "tiny-vit", made)
    return made


def test_a_tag_and_its_file_make_the_same_aligner(library, files, tags, aligner):
    by_tag = OpenClipAligner("tiny-vit", "ours")
    by_file = OpenClipAligner("tiny-vit", files / "tiny-vit.pt")
    assert by_tag.name == by_file.name != aligner.name, "pictures are made ready in another way"
    shown, own = pictures(3), network(library)
    assert np.array_equal(by_tag.frames(shown), by_file.frames(shown))
    wanted = {key: value for key, value in tags["ours"].items() if key != "file"}
    with torch.no_grad():
        seen = own.encode_image(by_pil(library, {"size": 32, **wanted}, shown)).numpy()
    assert np.abs(by_tag.frames(shown) - seen).max() < 0.02 * np.abs(seen).max()


def test_a_file_needs_the_argument_like_if_the_models_tags_differ(files, tags):
    tags["theirs"] = tag(files / "none.pt", mean=(0.1, 0.2, 0.3))
    path = files / "tiny-vit.pt"
    with pytest.raises(BadValue, match=r"like: expected a tag .* \(such as 'ours' and 'theirs'\)"):
        OpenClipAligner("tiny-vit", path)
    ours, theirs = (OpenClipAligner("tiny-vit", path, like=like) for like in tags)
    assert ours.name == OpenClipAligner("tiny-vit", "ours").name != theirs.name
    assert not np.allclose(ours.frames(pictures(1)), theirs.frames(pictures(1)), atol=1e-3)
    with pytest.raises(UnknownName, match="unknown tag of 'tiny-vit' 'our'; did you mean 'ours'"):
        OpenClipAligner("tiny-vit", path, like="our")
    with pytest.raises(BadValue, match=r"like: expected None if .* \('ours'\), got 'ours'"):
        OpenClipAligner("tiny-vit", "ours", like="ours")
    with pytest.raises(BadValue, match=r"open_clip cannot make 'tiny-vit': .*none\.pt"):
        OpenClipAligner("tiny-vit", "theirs")


def test_few_models_need_the_argument_like(library):
    differ = set()
    for model in library.list_models():
        try:
            open_clip_aligner._shared(library, model, None)
        except BadValue:
            differ.add(model)
    assert differ <= {"ViT-H-14", "ViT-H-14-quickgelu", "ViT-L-14"}
    said = open_clip_aligner._shared(library, "ViT-B-16-SigLIP", None)
    assert said["mean"] == [0.5, 0.5, 0.5]
    assert said["resize_mode"] == "squash"


def test_a_tag_of_the_quickgelu_twin_is_refused(library):
    refused = []
    for model, named in library.list_pretrained():
        try:
            assert open_clip_aligner._source(library, model, named) == named
        except BadValue as error:
            refused.append((model, named, str(error)))
    assert len(refused) > 10
    for model, named, told in refused:
        assert f"expected '{model}-quickgelu' for the tag '{named}'" in told
        assert open_clip_aligner._source(library, f"{model}-quickgelu", named) == named
    with pytest.raises(BadValue, match="expected 'ViT-B-32-quickgelu' for the tag 'openai'"):
        OpenClipAligner("ViT-B-32", "openai")


def test_pickled_objects_are_not_loaded(library, tmp_path, tags):
    sprung = tmp_path / "sprung"
    trap = SimpleNamespace(path=str(sprung))
    state = network(library).state_dict()

    class Trap:
        def __reduce__(self):
            return open, (trap.path, "w")

    for name, given in [("a.pt", {"state_dict": state, "more": Trap()}), ("b.bin", Trap())]:
        torch.save(given, tmp_path / name)
        with pytest.raises(BadValue, match=rf"tensors alone, got '.*{name}' \(UnpicklingError\)"):
            OpenClipAligner("tiny-vit", tmp_path / name)
    tags["ours"] = tag(tmp_path / "a.pt")
    with pytest.raises(BadValue, match="open_clip cannot make"):
        OpenClipAligner("tiny-vit", "ours")
    assert not sprung.exists()
    torch.load(tmp_path / "b.bin", weights_only=False).close()
    assert sprung.exists(), "the trap works"


def test_a_checkpoint_of_another_model_is_refused(library, files, tmp_path):
    state = network(library).state_dict()
    del state["visual.proj"]
    state |= {"visual.more": torch.zeros(2), "ln_final.bias": torch.zeros(3)}
    torch.save(state, tmp_path / "odd.pt")
    told = (
        r"odd.pt' belongs to another network; missing: visual.proj; unexpected: visual.more; "
        r"of another shape: ln_final.bias \(3,\) for \(32,\)"
    )
    with pytest.raises(BadValue, match=told):
        OpenClipAligner("tiny-vit", tmp_path / "odd.pt")
    with pytest.raises(BadValue, match=r"missing: .* and \d+ more; unexpected: .* and \d+ more"):
        OpenClipAligner("tiny-resnet", files / "tiny-vit.pt")


def test_weights_without_numbers_are_refused(library, tmp_path):
    state = network(library).state_dict()
    torch.save(state | {"visual.proj": state["visual.proj"].to("meta")}, tmp_path / "a.pt")
    with pytest.raises(BadValue, match=r"expected dense tensors of numbers in '.*a\.pt'"):
        OpenClipAligner("tiny-vit", tmp_path / "a.pt")


@pytest.mark.parametrize("name", ["weights.pt", "weights.safetensors"])
@pytest.mark.parametrize("content", [b"", b"no weights", b"\x80\x02N.", b"PK\x03\x04" + bytes(60)])
def test_files_with_other_content_are_refused(library, tmp_path, name, content):
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(BadValue, match=r"checkpoint: expected .*weights\."):
        OpenClipAligner("tiny-vit", path)


@pytest.mark.parametrize("given", [{}, [1], {"state_dict": 3}, {1: torch.zeros(1)}, {"epoch": 3}])
def test_files_without_weights_are_refused(library, tmp_path, given):
    torch.save(given, tmp_path / "a.pt")
    with pytest.raises(BadValue, match=r"checkpoint: .*a\.pt'"):
        OpenClipAligner("tiny-vit", tmp_path / "a.pt")


def test_unknown_models_and_weights_are_refused(library, files, tmp_path):
    with pytest.raises(
        UnknownName, match="unknown open_clip model 'ViT-B/32'; did you mean 'ViT-B-"
    ):
        OpenClipAligner("ViT-B/32", "openai")
    for model in (None, "hf-hub:someone/something", ""):
        with pytest.raises(UnknownName, match="unknown open_clip model"):
            OpenClipAligner(model, files / "tiny-vit.pt")
    for given in ("laion3b", str(tmp_path / "no.pt"), tmp_path, None):
        with pytest.raises(BadValue, match=r"file or a tag of 'ViT-S-32' \(none\), got") as caught:
            OpenClipAligner("ViT-S-32", given)
        assert repr(given)[:50] in str(caught.value)
    with pytest.raises(BadValue, match=r"a tag of 'RN50x4' \(openai.*\), got 'laion2b'"):
        OpenClipAligner("RN50x4", "laion2b")
    for given in (5, "a\0b"):
        with pytest.raises(BadValue, match="pretrained: expected a path"):
            OpenClipAligner("tiny-vit", given)


@pytest.mark.parametrize("device", ["cuda:99", "meta", "gpu", 3.5])
def test_an_unavailable_device_is_refused(files, device):
    with pytest.raises(BadValue, match=r"device: expected a device that PyTorch can use here.*got"):
        OpenClipAligner("tiny-vit", files / "tiny-vit.pt", device)


@pytest.mark.parametrize("name", ["threshold", "confidence"])
def test_threshold_and_confidence_are_numbers_from_minus_1_to_1(files, name):
    path = files / "tiny-vit.pt"
    assert getattr(OpenClipAligner("tiny-vit", path, **{name: -0.125}), name) == -0.125
    for odd in (1.1, np.nan, "high", None):
        with pytest.raises(BadValue, match=f"{name}: expected a number from -1 to 1, got"):
            OpenClipAligner("tiny-vit", path, **{name: odd})


def test_a_missing_tokenizer_names_its_extra(library, files, monkeypatch):
    monkeypatch.setitem(sys.modules, "transformers", None)
    with pytest.raises(MissingExtra, match=r"'ViT-B-16-SigLIP' needs .*\"\.\[mllm\]\""):
        OpenClipAligner("ViT-B-16-SigLIP", files / "tiny-vit.pt")


def test_loading_weights_logs_no_warning(files, caplog):
    with caplog.at_level(logging.INFO):
        OpenClipAligner("tiny-vit", files / "tiny-vit.pt")
    assert caplog.records
    assert not [record for record in caplog.records if record.levelno >= logging.WARNING]
    logging.getLogger().warning("initialized randomly")
    assert caplog.records[-1].getMessage() == "initialized randomly"


@pytest.mark.parametrize(
    "given", [np.zeros((2, 8, 8, 3)), np.zeros((8, 8, 3), np.uint8), np.zeros((2, 8, 8, 4), np.uint8),
              np.zeros((2, 0, 8, 3), np.uint8), [[1]], None]
)  # fmt: skip
def test_bad_pictures_are_refused(aligner, given):
    with pytest.raises(BadValue, match=r"pictures: expected uint8 \(n, H, W, 3\), got"):
        aligner.frames(given)


def test_bad_videos_are_refused(aligner):
    some = aligner.frames(pictures(2))
    counts = [np.ones((count, aligner.width), np.float32) for count in (0, aligner.longest + 1)]
    for odd in (*counts, some[0], some[:, :5]):
        with pytest.raises(BadValue, match="videos: expected features of 1 to 256 frames with 24 "):
            aligner.videos([some, odd])
    for odd in (some * 0, np.stack([some[0], -some[0]]), some * np.nan, some * np.float32("inf")):
        with pytest.raises(BadValue, match=r"videos: expected finite features.* at 1"):
            aligner.videos([some, odd])


def test_bad_texts_are_refused(aligner):
    for given in ([], "a tree", None, iter(TEXTS)):
        with pytest.raises(BadValue, match="texts: expected a list of at least one text"):
            aligner.texts(given)
    for odd in ("", " \n", None, 3):
        with pytest.raises(BadValue, match="text: expected words"):
            aligner.texts(["a tree", odd])


def test_long_and_unusual_texts_have_vectors(aligner):
    odd = ["tree " * 500, "🌳", "\ud800", "<end_of_text>", "&amp;amp;", "\0"]
    assert np.allclose(np.linalg.norm(aligner.texts(odd), axis=1), 1, atol=1e-5)
    assert np.array_equal(aligner.texts(["tree " * 500]), aligner.texts(["tree " * 600]))
