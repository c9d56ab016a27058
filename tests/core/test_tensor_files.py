"""Files of tensors: read as PyTorch reads them, and never larger than their bytes."""

import io
import os
import pickle
import zipfile
from collections import OrderedDict

import pytest
import torch

from optimus_gym.core.errors import BadValue
from optimus_gym.core.tensor_files import read_tensor_file
from optimus_gym.core.weights import fill_network, read_tensors

HELD = {
    "a": torch.arange(12.0).reshape(3, 4).T,
    "b": torch.tensor(2, dtype=torch.int64),
    "c": torch.zeros((0, 3), dtype=torch.float16),
    "d": torch.arange(6, dtype=torch.bfloat16)[2:],
    "e": torch.tensor([True, False]),
}


def write(path, held, older=False):
    torch.save(held, path, _use_new_zipfile_serialization=not older)
    return path


def rewritten(path, change):
    """Rewrite a ZIP; `change` maps a member's name and content to the arguments of ZipFile.writestr."""
    content = path.read_bytes()
    with zipfile.ZipFile(io.BytesIO(content)) as old, zipfile.ZipFile(path, "w") as new:
        for info in old.infolist():
            new.writestr(*change(info.filename, old.read(info)))
    return path


@pytest.mark.parametrize("older", [False, True])
def test_tensors_are_read_as_pytorch_reads_them(tmp_path, older):
    path = write(tmp_path / "a.pt", OrderedDict(HELD), older)
    found, wanted = read_tensors(path), torch.load(path, weights_only=True)
    assert found.keys() == wanted.keys() == HELD.keys()
    for name, value in wanted.items():
        assert found[name].dtype == value.dtype
        assert torch.equal(found[name], value)
    write(
        path,
        {"state_dict": torch.nn.Linear(2, 3).state_dict(), "epoch": 3, "of": [1, ("x",)]},
        older,
    )
    whole = read_tensor_file(path)
    assert (whole["epoch"], whole["of"]) == (3, [1, ("x",)])
    assert read_tensors(path, "state_dict").keys() == {"weight", "bias"}
    shared = torch.ones(4)
    assert torch.equal(read_tensors(write(path, {"a": shared, "b": shared}, older))["b"], shared)


@pytest.mark.parametrize("older", [False, True])
def test_a_tensor_larger_than_its_file_is_refused(tmp_path, older):
    wide = write(tmp_path / "a.pt", {"a": torch.ones(1).expand(10**9)}, older)
    with pytest.raises(BadValue, match=r"shape \[1000000000\] does not fit in 1 numbers"):
        read_tensors(wide)
    one = torch.ones(10_000)
    many = write(tmp_path / "b.pt", {f"{k}": one.view(100, 100) for k in range(50)}, older)
    with pytest.raises(BadValue, match="the tensors take more than 4 times the file's bytes"):
        read_tensors(many)


@pytest.mark.parametrize("older", [False, True])
def test_a_storage_smaller_than_its_declared_size_is_refused(tmp_path, older):
    path = write(tmp_path / "a.pt", {"a": torch.ones(100)}, older)
    longer = (b"Kd", b"J\xff\xff\xff\x7f")  # pickles' 100 and 2^31 - 1
    if older:
        path.write_bytes(path.read_bytes().replace(*longer))
    else:
        rewritten(
            path, lambda name, held: (name, held.replace(*longer) if name.endswith("pkl") else held)
        )
    with pytest.raises(BadValue, match=r"storage '.*' has (100 numbers|400 bytes) instead of "):
        read_tensors(path)


def test_compressed_or_overlapping_members_are_refused(tmp_path):
    path = write(tmp_path / "a.pt", {"a": torch.zeros(10**6)})
    rewritten(path, lambda name, held: (name, held, zipfile.ZIP_DEFLATED))
    assert path.stat().st_size < 10_000
    with pytest.raises(BadValue, match="is compressed or encrypted"):
        read_tensors(path)
    with zipfile.ZipFile(path, "w") as file:
        file.writestr("a/data.pkl", bytes(1000))
        first = file.infolist()[0]
        for k in range(50):
            again = zipfile.ZipInfo(f"a/{k}")
            again.file_size, again.compress_size, again.CRC = 1000, 1000, first.CRC
            again.header_offset = first.header_offset
            file.filelist.append(again)
            file.NameToInfo[again.filename] = again
    with pytest.raises(BadValue, match="the ZIP's members overlap"):
        read_tensors(path)


@pytest.mark.parametrize(("place", "value"), [(8, 1), (10, zipfile.ZIP_DEFLATED)])
def test_members_marked_as_compressed_or_encrypted_are_refused(tmp_path, place, value):
    """Flags and method of each member in the ZIP's directory (APPNOTE.TXT, 4.3.12)."""
    path = write(tmp_path / "a.pt", {"a": torch.zeros(10)})
    content = bytearray(path.read_bytes())
    start = content.index(b"PK\1\2")
    assert content[start + place] != value
    content[start + place] = value
    path.write_bytes(content)
    with pytest.raises(BadValue, match="is compressed or encrypted"):
        read_tensors(path)


class Asks:
    """A pickle of this object asks for a function call."""

    def __init__(self, *call):
        self.call = call

    def __reduce__(self):
        return self.call


@pytest.mark.parametrize("older", [False, True])
@pytest.mark.parametrize(
    "call", [(bytearray, (10**10,)), (print, ("it ran",)), (torch.empty, (10**10,))]
)
def test_a_pickle_that_calls_other_functions_is_refused(tmp_path, capfd, older, call):
    path = write(tmp_path / "a.pt", {"a": Asks(*call)}, older)
    with pytest.raises(BadValue, match="which is not a plain value"):
        read_tensors(path)
    assert "it ran" not in "".join(capfd.readouterr())


def test_pipes_folders_and_missing_files_are_refused_at_once(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    for name, why in (
        ("pipe", "not a regular file"),
        (".", "not a regular file"),
        ("none", "nothing is"),
    ):
        with pytest.raises(BadValue, match=f"checkpoint: expected a file, got .*{why}"):
            read_tensors(tmp_path / name)


@pytest.mark.parametrize("older", [False, True])
def test_damaged_files_are_refused(tmp_path, older):
    path = write(tmp_path / "a.pt", HELD, older)
    whole = path.read_bytes()
    for length in (0, 1, 4, 30, len(whole) // 2, len(whole) - 1):
        path.write_bytes(whole[:length])
        with pytest.raises(BadValue, match=r"a\.pt' cannot be read"):
            read_tensors(path)
    path.write_bytes(pickle.dumps(3))
    with pytest.raises(BadValue, match=r"a\.pt' cannot be read"):
        read_tensors(path)


@pytest.mark.parametrize("odd", [float("nan"), float("inf"), float("-inf")])
def test_weights_that_are_not_finite_are_refused(tmp_path, odd):
    network = torch.nn.Linear(2, 3)
    weights = {name: value.clone() for name, value in network.state_dict().items()}
    before = network.weight.clone()
    weights["bias"][1] = odd
    with pytest.raises(
        BadValue, match=r"expected finite numbers in 'a\.pt', got NaN or infinity in bias"
    ):
        fill_network(network, weights, "a.pt")
    assert torch.equal(network.weight, before)
    weights["bias"] = torch.ones(3, dtype=torch.int64)
    with pytest.raises(BadValue, match=r"of another type: bias torch\.int64 for torch\.float32"):
        fill_network(network, weights, "a.pt", assign=True)
