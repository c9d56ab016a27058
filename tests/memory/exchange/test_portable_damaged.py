"""A portable file that is damaged, too large, or made by somebody who means ill is refused whole."""

import hashlib
import io
import json
import os
import shutil
import zipfile

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from optimus_gym.core.errors import BadValue
from optimus_gym.memory.exchange import archive, portable
from optimus_gym.memory.exchange.portable import export, read_portable
from tests.memory.exchange.test_portable import MADE_UP, members, read, refused
from tests.memory.making import ALIGNER, an_experience, same

GIVEN = [an_experience("a"), an_experience("b", "died", seed=3)]


@pytest.fixture
def path(tmp_path):
    target = tmp_path / "experience.zip"
    export(GIVEN, ALIGNER, target)
    return target


def rewritten(path, changed, compression=zipfile.ZIP_STORED):
    with zipfile.ZipFile(path, "w", compression) as file:
        for name, content in changed.items():
            file.writestr(name, content)
    return path


def first_line(path):
    return json.loads(members(path)["experiences.jsonl"].splitlines()[0])


def with_first_line(path, record):
    changed = members(path)
    lines = changed["experiences.jsonl"].splitlines(keepends=True)
    changed["experiences.jsonl"] = b"".join([json.dumps(record).encode() + b"\n", *lines[1:]])
    return rewritten(path, changed)


def with_manifest(path, **other):
    changed = members(path)
    manifest = {**json.loads(changed["manifest.json"]), **other}
    manifest = {name: value for name, value in manifest.items() if value is not None}
    return rewritten(path, {**changed, "manifest.json": json.dumps(manifest)})


def test_a_file_of_version_1_knows_no_plans_after_setbacks(path):
    lines = [json.loads(line) for line in members(path)["experiences.jsonl"].splitlines()]
    for line in lines:
        del line["replans"]
    told = b"".join(json.dumps(line).encode() + b"\n" for line in lines)
    rewritten(path, {**members(path), "experiences.jsonl": told})
    refused(path, "expected a mapping of")
    with_manifest(path, version=1)
    assert [one.replans for one in read_portable(path, MADE_UP)] == [(), ()]


@pytest.mark.parametrize(
    ("change", "told"),
    [({"worked": 1}, "worked: expected True or False"), ({"plan": "a"}, "plan: expected a list"),
     ({"reached": -1}, "reached")],
)  # fmt: skip
def test_a_damaged_plan_after_a_setback_is_refused(path, change, told):
    record = first_line(path)
    record["replans"][0].update(change)
    with_first_line(path, record)
    refused(path, told)


def test_no_file_and_no_zip_are_refused(tmp_path):
    refused(tmp_path / "none", "expected a file")
    refused(tmp_path, "expected a file")
    (tmp_path / "text").write_text("no zip")
    refused(tmp_path / "text", "whole ZIP")


def test_a_file_that_is_cut_off_anywhere_is_refused(path):
    whole = path.read_bytes()
    for length in [0, 1, 30, *range(100, len(whole), 97), len(whole) - 1]:
        path.write_bytes(whole[:length])
        refused(path, "whole ZIP")


def test_a_byte_that_is_changed_in_what_it_holds_is_found(path):
    whole = path.read_bytes()
    with zipfile.ZipFile(path) as file:
        spans = [(info.header_offset + 30 + len(info.filename), info) for info in file.infolist()]
    for start, info in spans:
        place = start + info.file_size // 2
        path.write_bytes(whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :])
        refused(path, "CRC")


@pytest.mark.parametrize("name", ["manifest.json", "experiences.jsonl", "vectors.npy"])
def test_a_missing_member_is_named(path, name):
    changed = members(path)
    del changed[name]
    refused(rewritten(path, changed), f"expected a member {name}")


def test_a_missing_picture_is_named(path):
    changed = members(path)
    lost = next(name for name in changed if name.startswith("images/"))
    del changed[lost]
    refused(rewritten(path, changed), f"a picture that is there, got '{lost[7:71]}'")


@pytest.mark.parametrize(
    "name",
    ["../a", "/etc/a", "images/", "images/../a", "images\\a", "notes.txt", "images/A.picture"],
)
def test_members_of_other_names_are_refused(path, name):
    refused(rewritten(path, {**members(path), name: b"a"}), "expected no member but")


def test_a_picture_that_nobody_refers_to_is_refused(path):
    name = archive.picture_name(hashlib.sha256(b"more").hexdigest())
    refused(rewritten(path, {**members(path), name: b"more"}), "only pictures in use")


def test_a_member_that_is_there_twice_is_refused(path):
    with zipfile.ZipFile(path, "a") as file, pytest.warns(UserWarning, match="Duplicate"):
        file.writestr("manifest.json", members(path)["manifest.json"])
    refused(path, "every member once")


def test_a_picture_with_anothers_name_is_refused(path):
    changed = members(path)
    one, other = [name for name in changed if name.startswith("images/")][:2]
    changed[one], changed[other] = changed[other], changed[one]
    refused(rewritten(path, changed), "expected the picture of this SHA-256")


def test_what_is_compressed_is_refused_however_small_it_is(path):
    held = members(path)
    refused(rewritten(path, held, zipfile.ZIP_DEFLATED), "stored, not compressed")
    bomb = {**held, "experiences.jsonl": b" " * 2**24}
    refused(rewritten(path, bomb, zipfile.ZIP_DEFLATED), "stored, not compressed")
    assert path.stat().st_size < 2**16


def test_members_that_share_their_bytes_are_refused(path):
    """A central directory may name the same bytes many times."""
    whole = path.read_bytes()
    with zipfile.ZipFile(path) as file:
        info = file.getinfo("vectors.npy")
        start, size = file.start_dir, info.file_size
    entry = whole.index(b"vectors.npy", start) - 46
    sizes = (whole.__len__() + size).to_bytes(4, "little") * 2
    path.write_bytes(whole[: entry + 20] + sizes + whole[entry + 28 :])
    refused(path, "expected members of at most")


@pytest.mark.parametrize(
    ("limit", "most", "match"),
    [
        ("archive.MOST_FILE", 1000, "expected at most 1000 bytes"),
        ("portable.MOST_MANIFEST", 10, "manifest.json: expected at most 10 bytes"),
        ("archive.MOST_LINE", 100, "line 1: expected a line of at most 100 bytes"),
        ("archive.MOST_PICTURE", 199, "images/.*expected at most 199 bytes"),
    ],
)
def test_what_is_larger_than_the_limits_is_refused(path, monkeypatch, limit, most, match):
    monkeypatch.setattr(f"optimus_gym.memory.exchange.{limit}", most)
    refused(path, match)


@pytest.mark.parametrize(
    ("limit", "most"), [("MOST_FILE", 1000), ("MOST_LINE", 100), ("MOST_PICTURE", 199)]
)
def test_what_is_larger_than_the_limits_is_not_written(tmp_path, monkeypatch, limit, most):
    monkeypatch.setattr(portable, limit, most)
    with pytest.raises(BadValue, match=f"at most {most} bytes"):
        export([an_experience()], ALIGNER, tmp_path / "a")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("other", "match"),
    [
        ({"format": "a diary"}, "expected the format 'optimus-gym experience', got 'a diary'"),
        ({"format": None}, "expected the format"),
        ({"version": 3}, "a newer optimus-gym wrote it"),
        ({"version": 0}, "version: expected an integer"),
        ({"version": "1"}, "version: expected an integer"),
        ({"aligner": ["made-up"]}, "aligner: expected the aligner's name and width"),
        ({"aligner": "made-up"}, "aligner: expected a list"),
        ({"aligner": [8, "made-up"]}, "aligner: expected a text"),
        ({"aligner": ["made-up", 9]}, r"expected float32\[n, 9\], got float32\[14, 8\]"),
        ({"experiences": 3}, "expected 3 lines, got 2"),
        ({"experiences": True}, "experiences: expected an integer"),
        ({"experiences": None}, "a mapping of format"),
        ({"more": 1}, "a mapping of format"),
    ],
)
def test_a_manifest_that_says_other_things_is_refused(path, other, match):
    refused(with_manifest(path, **other), match)


def test_a_manifest_is_a_mapping(path):
    refused(rewritten(path, {**members(path), "manifest.json": b"[]"}), "expected a mapping")
    refused(rewritten(path, {**members(path), "manifest.json": b"{"}), "whole JSON text")


def npy(array, **options):
    made = io.BytesIO()
    np.save(made, array, **options)
    return made.getvalue()


@pytest.mark.parametrize(
    ("vectors", "match"),
    [
        (npy(np.zeros((14, 7), np.float32)), r"got float32\[14, 7\]"),
        (npy(np.zeros((15, 8), np.float32)), "expected 14 vectors, got 15"),
        (npy(np.zeros((13, 8), np.float32)), "expected one of 13 vectors, got number 13"),
        (npy(np.zeros((14, 8))), "NPY 1.0"),
        (npy(np.zeros(14 * 8, np.float32)), "NPY 1.0"),
        (npy(np.asfortranarray(np.zeros((14, 8), np.float32))), "NPY 1.0"),
        (npy(np.array([[{}] * 8] * 14), allow_pickle=True), "NPY 1.0"),
        (npy(np.zeros((14, 8), np.float32))[:-1], "in 447 bytes"),
        (npy(np.zeros((14, 8), np.float32)) + b"0", "in 449 bytes"),
        (npy(np.full((14, 8), np.nan, np.float32)), "finite"),
        (npy(np.zeros((14, 8), np.float32)).replace(b"(14, 8)", b"(14,98)"), "NPY 1.0"),
        (npy(np.zeros((14, 8), np.float32)).replace(b"\x00v\x00", b"\x00w\x00", 1), "in 448 bytes"),
        (b"", "NPY 1.0"),
    ],
)
def test_vectors_of_another_shape_are_refused(path, vectors, match):
    refused(
        rewritten(path, {**members(path), "vectors.npy": vectors}), f"vectors.npy.*{match}|{match}"
    )


def set_at(record, place, value):
    *way, last = place
    for key in way:
        record = record[key]
    if value is ...:
        del record[last]
    else:
        record[last] = value


@pytest.mark.parametrize(
    ("place", "value", "match"),
    [
        (("key",), 3, r"line 1\.key: expected a text"),
        (("key",), "b", "line 2: expected every key once, got 'b' again"),
        (("goal",), ..., "expected a mapping of key, task"),
        (("more",), 1, "expected a mapping of key, task"),
        (("start",), [], r"\.start: expected a mapping"),
        (("plan",), "mine", r"\.plan: expected a list"),
        (("plan", 1), None, r"\.plan\[1\]: expected a text"),
        (("status",), "won", r"\.status: expected one of"),
        (("ticks",), 1.5, r"\.ticks: expected an integer"),
        (("ticks",), True, r"\.ticks: expected an integer"),
        (("pursuits", 0), [], r"\.pursuits\[0\]: expected a mapping"),
        (("pursuits", 0, "end"), "lost", r"\.pursuits\[0\]\.end: expected one of"),
        (("pursuits", 0, "tick"), -1, r"\.pursuits\[0\]\.tick: expected an integer"),
        (("pursuits", 0, "correlation"), "0.4", r"\.correlation: expected a finite number"),
        (("pursuits", 0, "correlation"), 10**400, r"\.correlation: expected a finite number"),
        (("pursuits", 0, "vector"), 14, "expected one of 14 vectors, got number 14"),
        (("pursuits", 0, "vector"), None, "expected 13 vectors, got 14"),
        (("pursuits", 0, "seen", 1, "picture"), "../a", r"seen\[1\]\.picture: expected a SHA-256"),
        (("pursuits", 0, "seen", 1, "picture"), "0" * 64, "expected a picture that is there"),
        (("pursuits", 0, "seen", 1, "vector"), -1, r"seen\[1\]\.vector: expected an integer"),
        (("cases", 0, "label"), "done", r"\.cases\[0\]\.label: expected one of"),
        (("cases", 0, "predicament"), "judged (stuck)", r"predicament: expected '' or a predicament"),
        (("cases", 0, "before"), None, r"\.cases\[0\]\.before: expected a mapping"),
        (("first", "tick"), "0", r"\.first\.tick: expected an integer"),
        (("told", "a"), float("nan"), "line 1.*NaN|NaN.*line 1"),
    ],
)  # fmt: skip
def test_a_record_with_other_things_in_it_is_refused(path, place, value, match):
    record = first_line(path)
    set_at(record, place, value)
    refused(with_first_line(path, record), match)


@pytest.mark.parametrize(
    ("line", "match"),
    [
        (b"\n", "line 1"),
        (b"[]\n", "expected a mapping"),
        (b"{}", "with an end|line 1"),
        (b"\xff\n", "line 1"),
        (b'{"a": 1e999}\n', "finite"),
        (b"[" * 500 + b"]" * 500 + b"\n", "nested|line 1"),
    ],
)
def test_a_line_that_is_no_record_is_refused(path, line, match):
    changed = {**members(path), "experiences.jsonl": line}
    refused(rewritten(path, changed), match)


def test_a_file_that_is_read_is_closed_again(path, tmp_path):
    reading = read_portable(path, MADE_UP)
    next(reading)
    opened = {os.path.realpath(f"/proc/self/fd/{fd}") for fd in os.listdir("/proc/self/fd")}
    assert str(path.resolve()) in opened
    reading.close()
    shutil.copy(path, tmp_path / "cut")
    (tmp_path / "cut").write_bytes(path.read_bytes()[:-40])
    refused(tmp_path / "cut", "whole ZIP")
    opened = {os.path.realpath(f"/proc/self/fd/{fd}") for fd in os.listdir("/proc/self/fd")}
    assert not {str(path.resolve()), str((tmp_path / "cut").resolve())} & opened


@settings(max_examples=300, deadline=None)
@given(draws=st.randoms(use_true_random=False))
def test_whatever_is_changed_is_refused_or_read_whole(tmp_path_factory, draws):
    folder = tmp_path_factory.mktemp("changed")
    export(GIVEN, ALIGNER, folder / "a")
    content = bytearray((folder / "a").read_bytes())
    for _ in range(draws.randint(1, 4)):
        content[draws.randrange(len(content))] = draws.randrange(256)
    (folder / "a").write_bytes(content)
    try:
        found = read(folder / "a")
    except BadValue as error:
        told = str(error)
        assert str(folder / "a") in told
    else:
        assert len(found) == 2
        assert all(map(same, found, GIVEN))
