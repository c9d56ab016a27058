"""Official files are read exactly; faulty files are rejected before any of their code runs."""

import pickle

import numpy as np
import pytest
import torch

from optimus_gym.controllers.vpt import VPTPolicy
from optimus_gym.controllers.vpt.checkpoint import (
    POLICY_PREFIX,
    load_policy,
    read_options,
)
from optimus_gym.core.errors import BadValue
from optimus_gym.core.plain_pickle import MOST_PICKLE_BYTES, read_plain_pickle
from optimus_gym.core.weights import write_tensors
from tests.controllers.vpt.files import COMMON, TINY, write_model, write_vpt
from tests.controllers.vpt.filling import filled


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_plain_values_are_read_from_a_pickle(tmp_path, protocol):
    held = {"a": [1, 2.5, None, True], "b": ({"c": b"d"}, {1, 2}, "text"), "e": 2**70}
    numbers = [np.float64(2.5), np.float32(0.5), np.int64(-3), np.uint8(7), np.bool_(True)]
    file = tmp_path / "plain.pkl"
    file.write_bytes(pickle.dumps({**held, "numbers": numbers}, protocol=protocol))
    found = read_plain_pickle(file)
    assert found.pop("numbers") == [2.5, 0.5, -3, 7, True]
    assert found == held


class Trap:
    """An object whose unpickling makes a call."""

    def __init__(self, *call):
        self.call = call

    def __reduce__(self):
        return self.call


@pytest.mark.parametrize(
    ("call", "named"),
    [
        ((print, ("it ran",)), "builtins.print"),
        ((eval, ("print('it ran')",)), "builtins.eval"),
        ((__import__("os").system, ("echo it ran",)), "system"),
        ((getattr, ([], "append")), "builtins.getattr"),
        ((np.ndarray, ((3,),)), "numpy.ndarray"),
    ],
)
def test_a_malicious_pickle_is_rejected_before_its_code_runs(tmp_path, capfd, call, named):
    options = {**COMMON, **TINY, "more": Trap(*call)}
    args = {"net": {"args": options}, "pi_head_opts": {"temperature": 2.0}}
    file = tmp_path / "trap.model"
    file.write_bytes(pickle.dumps({"model": {"args": args}}))
    with pytest.raises(BadValue, match=f"holds more than plain values: the pickle names .*{named}"):
        read_options(file)
    assert "it ran" not in "".join(capfd.readouterr())


@pytest.mark.parametrize("held", [b"Vabc\nVutf-8\n", b"I3\nVlatin1\n", b"Vabc\nI3\n"])
def test_bytes_in_older_pickles_must_be_latin1_text(tmp_path, held):
    file = tmp_path / "a.pkl"
    file.write_bytes(b"c_codecs\nencode\n(Vabc\nVlatin1\ntR.")
    assert read_plain_pickle(file) == b"abc"
    file.write_bytes(b"c_codecs\nencode\n(" + held + b"tR.")
    with pytest.raises(BadValue, match="a text that is not latin1"):
        read_plain_pickle(file)


def test_damaged_pickles_are_rejected(tmp_path):
    file = tmp_path / "a.model"
    whole = write_model(file).read_bytes()
    draws = np.random.default_rng(0)
    for _ in range(300):
        broken = bytearray(whole)
        for place in draws.integers(len(whole), size=3):
            broken[place] = draws.integers(256)
        file.write_bytes(bytes(broken[: draws.integers(len(whole))]))
        with pytest.raises(BadValue):
            read_plain_pickle(file)
    file.write_bytes(b"\0" * (MOST_PICKLE_BYTES + 1))
    with pytest.raises(BadValue, match="expected at most 1000000 bytes, got more"):
        read_plain_pickle(file)
    with pytest.raises(BadValue, match="expected a file"):
        read_plain_pickle(tmp_path / "none")


def test_pickles_that_take_endless_memory_or_time_are_rejected(tmp_path):
    file = tmp_path / "a.model"
    file.write_bytes(b"\x80\x04Nr" + (2**31).to_bytes(4, "little") + b".")
    with pytest.raises(BadValue, match="memo index 2147483648, above its size of 9 bytes"):
        read_plain_pickle(file)
    laughs = [0]
    for _ in range(40):
        laughs = [laughs, laughs]
    itself = []
    itself.append(itself)
    for held in (laughs, itself, {"a": ({"b": laughs},)}, list(range(100_000))):
        file.write_bytes(pickle.dumps(held))
        with pytest.raises(BadValue, match="over 100000 values, or a value that holds itself"):
            read_plain_pickle(file)
    file.write_bytes(pickle.dumps(list(range(99_999))))
    assert len(read_plain_pickle(file)) == 99_999


def test_options_are_read_from_the_file(tmp_path):
    found = read_options(write_model(tmp_path / "a.model"))
    assert found == {**TINY, "temperature": 2.0}
    assert isinstance(found["temperature"], float)
    short = {name: TINY[name] for name in ("hidsize", "attention_heads", "impala_width")}
    assert read_options(write_model(tmp_path / "b.model", short)) == {**short, "temperature": 2.0}


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({"hidsize": "64"}, "hidsize: expected an integer, got '64'"),
        ({"recurrence_type": "lstm"}, "recurrence_type: expected 'transformer', got 'lstm'"),
        ({"img_shape": (64, 64, 3)}, "img_shape: expected .128, 128, 3., got .64, 64, 3."),
        ({"timesteps": 24}, "a.model.*timesteps: expected 1 to"),
        ({"n_recurrence_layers": 10**9}, "n_recurrence_layers: expected an integer from 1 to 256"),
        ({"n_recurrence_layers": 0}, "n_recurrence_layers: expected an integer from 1 to 256"),
        ({"hidsize": 2**40, "attention_heads": 1}, "hidsize: expected an integer from 1 to 16384"),
        ({"impala_width": -1}, "impala_width: expected an integer from 1 to 256"),
        ({"attention_memory_size": 10**12}, "attention_memory_size: expected an integer from 2"),
    ],
)
def test_networks_with_unsupported_options_are_rejected(tmp_path, changed, told):
    folder = write_vpt(tmp_path)
    write_model(folder / "a.model", {**TINY, **changed})
    with pytest.raises(BadValue, match=told):
        load_policy(folder / "a.model", folder / "a.weights")


def test_missing_options_of_a_model_are_named(tmp_path):
    few = {name: value for name, value in TINY.items() if name != "impala_width"}
    with pytest.raises(BadValue, match="expected impala_width in"):
        read_options(write_model(tmp_path / "a.model", few))
    with pytest.raises(BadValue, match="expected a temperature, got 'hot'"):
        read_options(write_model(tmp_path / "a.model", temperature="hot"))
    (tmp_path / "a.model").write_bytes(pickle.dumps({"model": 3}))
    with pytest.raises(BadValue, match=r"expected options under the keys .*'net', 'args'"):
        read_options(tmp_path / "a.model")


def test_an_unknown_option_gives_a_warning(tmp_path):
    with pytest.warns(UserWarning, match="expected known options in .*, got 'novel'"):
        read_options(write_model(tmp_path / "a.model", {**TINY, "novel": 1}))


def test_a_policy_is_read_as_it_was_written(tmp_path):
    folder = write_vpt(tmp_path)
    found = load_policy(folder / "a.model", folder / "a.weights")
    wanted = filled(VPTPolicy(**TINY)).state_dict()
    assert all(torch.equal(value, wanted[name]) for name, value in found.state_dict().items())
    assert not found.training
    torch.save(
        {POLICY_PREFIX + name: value for name, value in wanted.items()}, folder / "a.weights"
    )
    assert (
        load_policy(folder / "a.model", folder / "a.weights").state_dict().keys() == wanted.keys()
    )
    write_tensors(tmp_path / "again.weights", found.state_dict())
    again = load_policy(folder / "a.model", tmp_path / "again.weights").state_dict()
    assert all(torch.equal(value, wanted[name]) for name, value in again.items())


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.float64])
def test_weights_of_any_precision_become_float32(tmp_path, dtype):
    wanted = {
        name: value.to(dtype) for name, value in filled(VPTPolicy(**TINY)).state_dict().items()
    }
    folder = write_vpt(tmp_path)
    torch.save(wanted, folder / "a.weights")
    found = load_policy(folder / "a.model", folder / "a.weights").state_dict()
    assert {value.dtype for value in found.values()} == {torch.float32}
    assert all(torch.equal(value, wanted[name].float()) for name, value in found.items())


def test_the_differing_weights_of_another_network_are_named(tmp_path):
    folder = write_vpt(tmp_path)
    model, weights = folder / "a.model", folder / "a.weights"
    with pytest.raises(BadValue, match=r"missing: net\.mineclip_embed_linear\.bias"):
        load_policy(model, weights, goal_dim=512)
    write_model(model, {**TINY, "hidsize": 128})
    with pytest.raises(BadValue, match=r"another network; of another shape: net\..* and \d+ more"):
        load_policy(model, weights)
    write_model(model)
    state = torch.load(weights, weights_only=True)
    state["net.more"] = state.pop("net.final_ln.bias")
    torch.save(state, weights)
    with pytest.raises(BadValue, match=r"missing: net\.final_ln\.bias; unexpected: net\.more"):
        load_policy(model, weights)


def test_unreadable_weights_are_rejected(tmp_path):
    folder = write_vpt(tmp_path)
    model, weights = folder / "a.model", folder / "a.weights"
    whole = weights.read_bytes()
    for length in (0, 10, 1000, len(whole) // 2, len(whole) - 1):
        weights.write_bytes(whole[:length])
        with pytest.raises(BadValue, match=r"a\.weights' cannot be read"):
            load_policy(model, weights)
    torch.save({"net": Trap(print, ("it ran",))}, weights)
    with pytest.raises(BadValue, match=r"a\.weights' cannot be read"):
        load_policy(model, weights)
    torch.save([1, 2], weights)
    with pytest.raises(BadValue, match="expected tensors by name"):
        load_policy(model, weights)
