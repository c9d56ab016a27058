"""Policies of stable-baselines3 act as controllers, and their files execute no code."""

import base64
import io
import json
import pickle
import sys
import zipfile
from pathlib import Path

import numpy as np
import pytest
import torch
from gymnasium import spaces

from optimus_gym.controllers.sb3 import Sb3Controller
from optimus_gym.controllers.verbs import HELPED
from optimus_gym.core.actions import CONTROL_LENGTH, CONTROL_SIZES
from optimus_gym.core.errors import BadValue, MissingExtra, UnknownName
from optimus_gym.core.parts import part_of
from optimus_gym.core.types import SubGoal
from tests.controllers.play import SPACE, act, setting_of
from tests.controllers.policies import KEYS, model_of, saved_model, space_of

ROWS = 5


def attached(source, **options):
    controller = Sb3Controller(str(source), **options)
    controller.attach(setting_of(rows=ROWS))
    controller.begin_episodes(range(ROWS), range(ROWS))
    return controller


def sample(keys=KEYS, rows=ROWS):
    drawn = {key: SPACE[key] for key in keys}
    for space in drawn.values():
        space.seed(3)
    return {key: np.stack([space.sample() for _ in range(rows)]) for key, space in drawn.items()}


def save(model, folder) -> Path:
    model.save(folder / "model.zip")
    return folder / "model.zip"


def rewritten(path, **changes):
    """Rewrite a zip file with other contents; None leaves a file out."""
    with zipfile.ZipFile(path) as archive:
        contents = {name: archive.read(name) for name in archive.namelist()}
    contents |= {name.replace("_", "."): change for name, change in changes.items()}
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in contents.items():
            if content is not None:
                archive.writestr(name, content)
    return path


@pytest.mark.parametrize(
    "kwargs",
    [
        {},
        {"activation_fn": torch.nn.ReLU, "net_arch": {"pi": [8, 8], "vf": [4]}},
        {"share_features_extractor": False, "features_extractor_kwargs": {"cnn_output_dim": 32}},
        {"optimizer_class": torch.optim.SGD},
    ],
)
def test_the_controller_acts_like_its_model(tmp_path, kwargs):
    model = model_of(**kwargs)
    controller = attached(save(model, tmp_path))
    assert set(controller.looks_at) == set(KEYS)
    actions, failures = act(controller, range(ROWS), sample())
    expected, _ = model.predict(sample(), deterministic=True)
    assert np.array_equal(actions[:, :CONTROL_LENGTH], expected)
    assert not actions[:, CONTROL_LENGTH:].any()
    assert len({tuple(action) for action in actions.tolist()}) > 1
    assert failures == [None] * ROWS


def test_the_controller_looks_at_the_models_keys(tmp_path):
    model = model_of(space=space_of(("vitals", "pov")))
    controller = attached(save(model, tmp_path))
    assert controller.looks_at == tuple(model.observation_space.spaces)
    seen = sample(("pov", "vitals"))
    expected, _ = model.predict(seen, deterministic=True)
    assert np.array_equal(act(controller, range(ROWS), seen)[0][:, :CONTROL_LENGTH], expected)


@pytest.mark.parametrize(("policy", "key"), [("CnnPolicy", "pov"), ("MlpPolicy", "vitals")])
def test_policies_of_one_key_act_like_their_models(tmp_path, policy, key):
    model = model_of(space=SPACE[key], policy=policy)
    path, seen = save(model, tmp_path), sample([key])
    expected, _ = model.predict(seen[key], deterministic=True)
    for options in ({"policy": policy, "looks_at": [key]}, {"looks_at": [key]}):
        controller = attached(path, **options)
        assert np.array_equal(act(controller, range(ROWS), seen)[0][:, :CONTROL_LENGTH], expected)


def test_the_single_key_of_a_policy_is_its_picture_or_must_be_named(tmp_path):
    picture = save(model_of(space=SPACE["pov"], policy="CnnPolicy"), tmp_path)
    assert attached(picture).looks_at == ("pov",)
    vector = save(model_of(space=SPACE["vitals"], policy="MlpPolicy"), tmp_path)
    with pytest.raises(BadValue, match="looks_at: expected one observation key for a MlpPolicy"):
        attached(vector)


def test_actions_are_drawn_with_the_policys_probabilities(tmp_path):
    model, rows = model_of(space=space_of(["vitals"])), range(2000)
    with torch.no_grad():
        model.policy.action_net.weight.mul_(0)
        model.policy.action_net.bias[:3] = torch.log(torch.tensor([0.7, 0.1, 0.2]))
    controller = attached(save(model, tmp_path), deterministic=False)
    controller.begin_episodes(rows, rows)
    made, _failures = act(controller, rows, sample(["vitals"], len(rows)))
    assert np.bincount(made[:, 0]) / len(made) == pytest.approx([0.7, 0.1, 0.2], abs=0.05)
    for place, size in enumerate(CONTROL_SIZES):
        assert set(made[:, place]) == set(range(size))


def test_drawing_actions_leaves_torchs_generator_unchanged(tmp_path):
    source = saved_model(tmp_path)
    torch.manual_seed(1)
    before = torch.get_rng_state()
    act(attached(source, deterministic=False), range(ROWS), sample())
    assert torch.equal(before, torch.get_rng_state())


def test_keys_that_the_file_does_not_name_are_all_keys_or_must_be_named(tmp_path):
    path = save(model_of(space=space_of(tuple(SPACE))), tmp_path)
    rewritten(path, data="{}", **{"policy.pth": weights_of(path)})
    with pytest.raises(BadValue, match=r"policy_net\.0\.weight of shape \(64"):
        attached(path)
    data = json.dumps({"policy_kwargs": {"net_arch": [16]}})
    assert attached(rewritten(path, data=data)).looks_at == tuple(SPACE)
    with pytest.raises(BadValue, match=r"mlp_extractor.*of shape \(16, 262\).*got \(16, 284\)"):
        attached(path, looks_at=["pov", "vitals"])
    with pytest.raises(BadValue, match=r"got .*'smell'"):
        attached(path, looks_at=["pov", "smell"])


def weights_of(path):
    with zipfile.ZipFile(path) as archive:
        return archive.read("policy.pth")


def test_options_choose_the_verbs_and_bad_options_are_rejected(tmp_path):
    source = saved_model(tmp_path)
    controller = part_of("controller", f"sb3:{source}").build()
    assert not controller.verbs & HELPED
    wanted = {"name": "sb3", "source": source, "verbs": ["mine", "craft"], "looks_at": list(KEYS)}
    assert part_of("controller", wanted).build().verbs == {"mine", "craft"}
    with pytest.raises(UnknownName, match="policy"):
        Sb3Controller(source, policy="LstmPolicy")
    with pytest.raises(UnknownName, match="verb"):
        Sb3Controller(source, verbs=["dance"])
    with pytest.raises(BadValue, match="verb"):
        attached(source).begin_subgoals([0], [SubGoal("craft", "stick")])


@pytest.mark.parametrize(
    ("key", "space"),
    [
        ("vitals", spaces.Box(0, 1, (9,), np.float32)),
        ("smell", spaces.Box(0, 1, (2,), np.float32)),
    ],
)
def test_other_observations_are_rejected(tmp_path, key, space):
    keys = tuple(dict.fromkeys((*KEYS, key)))
    source = saved_model(tmp_path, space=space_of(keys, **{key: space}))
    with pytest.raises(BadValue, match=rf"expected the environment's observation .*got .*'{key}'"):
        attached(source)


@pytest.mark.parametrize("keys", [KEYS, ("pov",)])
def test_pictures_of_another_size_are_rejected(tmp_path, keys):
    source = saved_model(
        tmp_path, space=space_of(keys, pov=spaces.Box(0, 255, (48, 40, 3), np.uint8))
    )
    with pytest.raises(
        BadValue, match=r"resolution: expected \(40, 48\), .*environment's \(64, 36\)"
    ):
        attached(source)


def test_stacked_vectors_are_rejected_by_name(tmp_path):
    """`VecFrameStack` concatenates the latest vectors."""
    longer = {key: SPACE[key].shape[0] * 4 for key in ("vitals", "subgoal")}
    stacked = {key: spaces.Box(0, 1, (length,), np.float32) for key, length in longer.items()}
    told = "a stack of 4 frames, as VecFrameStack makes it"
    source = saved_model(tmp_path, space=space_of(("vitals", "subgoal"), **stacked))
    with pytest.raises(BadValue, match=told):
        attached(source)
    alone = saved_model(tmp_path, space=stacked["vitals"], policy="MlpPolicy")
    with pytest.raises(BadValue, match=told):
        attached(alone, looks_at=["vitals"])
    one = {**stacked, "subgoal": SPACE["subgoal"]}
    with pytest.raises(BadValue, match=r"got \{.*'vitals': \(24,\)") as raised:
        attached(saved_model(tmp_path, space=space_of(("vitals", "subgoal"), **one)))
    assert "VecFrameStack" not in str(raised.value)


def test_other_action_spaces_are_rejected(tmp_path):
    source = saved_model(tmp_path, sizes=[3, 3, 2, 11, 11])
    with pytest.raises(BadValue, match=r"action space \[3, 3, 2, 2.*got \[3, 3, 2, 11, 11\]"):
        attached(source)
    flat = [*CONTROL_SIZES, 5, 99]
    with pytest.raises(BadValue, match=r"action space \[3, .*, 11, 11\], got \[3, .*, 11, 5, 99\]"):
        attached(saved_model(tmp_path, sizes=flat))


@pytest.mark.parametrize(
    ("content", "match"),
    [
        (None, "expected a file"),
        (b"", "whole zip"),
        (b"no zip at all", "whole zip"),
        ("cut", "policy.pth and data"),
        ({"policy_pth": None}, "expected policy.pth and data"),
        ({"data": None}, "expected policy.pth and data"),
        ({"data": b"{"}, "to be JSON"),
        ({"data": b"[" * 100_000}, "to be JSON"),
        ({"data": b"[]"}, "JSON object"),
        ({"data": b'{"policy_kwargs": 3}'}, "JSON object"),
        ({"policy_pth": b"rubbish"}, "weights alone"),
        ({"policy_pth": b""}, "weights alone"),
    ],
)
def test_files_that_are_no_models_are_rejected(tmp_path, content, match):
    path = Path(saved_model(tmp_path))
    if content is None:
        path.unlink()
    elif content == "cut":
        path.write_bytes(path.read_bytes()[:-200])
    elif isinstance(content, bytes):
        path.write_bytes(content)
    else:
        rewritten(path, **content)
    with pytest.raises(BadValue, match=match):
        attached(path)


@pytest.mark.parametrize(
    "kwargs",
    [
        {"net_arch": [10**9]}, {"net_arch": [-1]}, {"net_arch": ["64"]}, {"net_arch": [1] * 100_000},
        {"net_arch": {"pi": [10**9], "vf": [1]}}, {"features_extractor_kwargs": {"cnn_output_dim": 10**9}},
    ],
)  # fmt: skip
def test_oversized_networks_are_rejected_before_memory_is_allocated(tmp_path, kwargs):
    path = Path(saved_model(tmp_path))
    with zipfile.ZipFile(path) as archive:
        data = json.loads(archive.read("data"))
    rewritten(path, data=json.dumps({**data, "policy_kwargs": kwargs}))
    with pytest.raises(BadValue, match=r"model: expected at most .* layers of 1 to"):
        attached(path)


def test_a_compressed_model_file_is_rejected(tmp_path):
    path = Path(saved_model(tmp_path))
    with zipfile.ZipFile(path, "a", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("more", bytes(10**7))
    with pytest.raises(BadValue, match=r"whole zip file.*is compressed or encrypted"):
        attached(path)


def test_weights_of_another_type_are_rejected_or_converted_to_float32(tmp_path):
    path = Path(saved_model(tmp_path))
    with zipfile.ZipFile(path) as archive:
        weights = torch.load(io.BytesIO(archive.read("policy.pth")), weights_only=True)
    for kind in (torch.float64, torch.int64):
        held = {name: value.to(kind) for name, value in weights.items()}
        torch.save(held, tmp_path / "other.pth")
        rewritten(path, policy_pth=(tmp_path / "other.pth").read_bytes())
        if kind is torch.float64:
            assert {p.dtype for p in attached(path)._policy._deciding._policy.parameters()} == {
                torch.float32
            }
        else:
            with pytest.raises(BadValue, match=r"model: expected floats in .*got torch\.int64"):
                attached(path)


def test_weights_that_are_not_finite_are_rejected(tmp_path):
    path = Path(saved_model(tmp_path))
    with zipfile.ZipFile(path) as archive:
        weights = torch.load(io.BytesIO(archive.read("policy.pth")), weights_only=True)
    torch.save({name: value * torch.nan for name, value in weights.items()}, tmp_path / "nan.pth")
    rewritten(path, policy_pth=(tmp_path / "nan.pth").read_bytes())
    with pytest.raises(BadValue, match="expected finite numbers in"):
        attached(path)


@pytest.mark.parametrize(
    ("path", "why"),
    [
        ("/dev/zero", "a folder or a device"),
        ("a\0b.zip", "model: expected a path"),
        ("~nobody_of_this_name/model.zip", "expected a file, got '~nobody_of_this_name"),
    ],
)
def test_paths_that_lead_to_no_file_are_rejected(path, why):
    with pytest.raises(BadValue, match=why):
        attached(path)


class Trap:
    """Writes a file when unpickled."""

    def __init__(self, path) -> None:
        self.path = str(path)

    def __reduce__(self):
        return open, (self.path, "w")


def test_no_pickle_in_a_file_is_executed(tmp_path):
    sprung = tmp_path / "sprung"
    path = Path(saved_model(tmp_path))
    with zipfile.ZipFile(path) as archive:
        data = json.loads(archive.read("data"))
    trap = base64.b64encode(pickle.dumps(Trap(sprung))).decode()
    for value in data.values():
        if isinstance(value, dict) and ":serialized:" in value:
            value[":serialized:"] = trap
    data["policy_class"] = {":type:": "<class 'abc.ABCMeta'>", ":serialized:": trap}
    rewritten(path, data=json.dumps(data))
    attached(path)
    assert not sprung.exists()
    torch.save({"weight": Trap(sprung)}, tmp_path / "trap.pth")
    rewritten(path, policy_pth=(tmp_path / "trap.pth").read_bytes())
    with pytest.raises(BadValue, match="weights alone"):
        attached(path)
    rewritten(path, policy_pth=pickle.dumps(Trap(sprung), protocol=2))
    with pytest.raises(BadValue, match="weights alone"):
        attached(path)
    assert not sprung.exists()
    pickle.loads(pickle.dumps(Trap(sprung))).close()
    assert sprung.exists(), "the trap works"


def test_a_policy_with_a_pickled_features_extractor_is_rejected(tmp_path):
    from stable_baselines3.common.torch_layers import CombinedExtractor

    source = saved_model(tmp_path, features_extractor_class=CombinedExtractor)
    with pytest.raises(BadValue, match=r"extractor: expected a class .*features_extractor_class"):
        attached(source)


def test_a_missing_extra_is_named(tmp_path, monkeypatch):
    source = saved_model(tmp_path)
    monkeypatch.setitem(sys.modules, "stable_baselines3.common.policies", None)
    with pytest.raises(MissingExtra, match=r"needs an optional dependency.*\[train\]"):
        attached(source)
