"""The memory.json of JARVIS-1's public code becomes experience; errors name its damaged entries."""

import json

import numpy as np
import pytest
from PIL import Image

from optimus_gym.core.errors import BadValue
from optimus_gym.memory.exchange.jarvis1 import read_jarvis1
from optimus_gym.memory.pictures import unpacked
from optimus_gym.memory.store import ExperienceStore
from tests.memory.making import Tinted

STEPS = [
    {"goal": {"logs": 2}, "type": "mine", "text": "logs"},
    {"goal": {"planks": 5}, "type": "craft", "text": "planks"},
    {"goal": {"red_flower": 1}, "type": "mine", "text": "red_flower"},
    {"goal": {"iron_ingot": 1}, "type": "smelt", "text": "iron_ingot"},
]
ENTRY = {
    "time": "2020-01-02 03:04:05",
    "status": "success",
    "image": "a.png",
    "init_inventory": {"iron_axe": 1},
    "plan": STEPS,
}
BLIND = {**ENTRY, "init_inventory": {}, "image": "b.png", "time": "2020-01-02 03:04:06"}


@pytest.fixture
def folder(tmp_path):
    put(tmp_path, {"stone_shovel": ENTRY, "oak_log": BLIND})
    Image.fromarray(np.full((36, 64, 3), 90, np.uint8)).save(tmp_path / "a.png")
    return tmp_path


def put(folder, value):
    text = value if isinstance(value, str) else json.dumps(value, indent=4)
    (folder / "memory.json").write_text(text, encoding="utf-8")


def read(path, notes=None):
    return list(read_jarvis1(path, Tinted(), ([] if notes is None else notes).append))


def refused(folder, match):
    with pytest.raises(BadValue, match=match) as caught:
        next(read_jarvis1(folder, Tinted(), print))
    assert str(folder / "memory.json") in str(caught.value)


def test_an_entry_becomes_an_experience_with_our_words_for_steps(folder):
    notes = []
    shovel, log = read(folder, notes)
    assert shovel.key == "jarvis-1:stone_shovel:2020-01-02 03:04:05"
    assert (shovel.task, shovel.goal) == ("JarvisCraftStoneShovel", "Pick up a stone_shovel.")
    assert shovel.plan == (
        "mine 2 oak_log",
        "craft 5 oak_planks",
        "mine 1 red_flower",
        "smelt 1 iron_ingot",
    )
    assert shovel.start == {"inventory": {"iron_axe": 1}}
    assert (shovel.status, shovel.ticks, shovel.environment) == ("success", 0, "")
    assert (shovel.pursuits, shovel.cases) == ((), ())
    assert shovel.told == {
        "source": "JARVIS-1",
        "kind": "plan",
        "time": "2020-01-02 03:04:05",
        "image": "a.png",
    }
    assert np.abs(unpacked(shovel.first.picture).astype(int) - 90).max() <= 3
    assert np.linalg.norm(shovel.first.vector) == pytest.approx(1, abs=1e-6)
    assert (log.task, log.goal) == ("oak_log", "Pick up an oak_log.")
    assert (log.first, log.start) == (None, {"inventory": {}})
    assert len(notes) == 1
    assert "memory.json': 1 of 2 entries have no picture" in notes[0]


def test_the_memory_file_may_be_given_by_its_path_under_any_name(folder):
    renamed = (folder / "memory.json").rename(folder / "other.json")
    assert [one.key for one in read(renamed)][1] == "jarvis-1:oak_log:2020-01-02 03:04:06"
    assert read(str(renamed))[0].first is not None


def test_entries_can_be_added_to_a_store_twice_without_duplicates(folder, tmp_path):
    with ExperienceStore(tmp_path / "kept", ("tinted", 8)) as store:
        numbers = [store.add(one) for one in read(folder)]
        assert [store.add(one) for one in read(folder)] == numbers
        assert store.get(numbers[0]).first is not None


def test_missing_and_empty_fields_stay_empty(tmp_path):
    put(tmp_path, {"a bowl": {"status": "failed"}, "cake": {"status": "success", "plan": None}})
    notes = []
    failure, success = read(tmp_path, notes)
    assert (failure.key, failure.status, failure.outcome) == (
        "jarvis-1:a bowl:",
        "budget",
        "failure",
    )
    assert (failure.plan, failure.start, failure.first) == ((), {"inventory": {}}, None)
    assert success.plan == ()
    assert notes == []
    put(tmp_path, {})
    assert read(tmp_path) == []


def test_an_entry_without_a_status_is_left_out_with_a_note(tmp_path):
    put(tmp_path, {"bowl": {**ENTRY, "status": None}, "cake": {"status": "success"}})
    notes = []
    assert [one.key for one in read(tmp_path, notes)] == ["jarvis-1:cake:"]
    assert "'bowl' is left out" in notes[0]


def test_a_step_may_name_several_items_or_no_item(tmp_path):
    steps = [
        {"goal": {"sticks": 4, "torch": "2"}, "type": "craft"},
        {"goal": {}, "text": "walk on"},
        {},
        {"goal": {"log": 1, "logs": 2}, "type": "mine"},
    ]
    put(tmp_path, {"bowl": {**ENTRY, "plan": steps}})
    assert read(tmp_path)[0].plan == ("craft 4 stick", "craft 2 torch", "walk on", "mine 3 oak_log")


def test_the_last_entry_counts_if_a_task_is_there_twice(tmp_path):
    one, other = json.dumps(ENTRY), json.dumps(BLIND)
    put(tmp_path, f'{{"bowl": {one}, "bowl": {other}}}')
    assert [found.told["image"] for found in read(tmp_path)] == ["b.png"]


@pytest.mark.parametrize(
    ("value", "match"),
    [
        ("", "whole JSON text"),
        ([], "expected a mapping"),
        ({"bowl": []}, "'bowl': expected a mapping"),
        ({"": ENTRY}, "expected a task's name"),
        ({"bowl": {**ENTRY, "status": "won"}}, r"'bowl'\.status: expected one of"),
        ({"bowl": {**ENTRY, "status": 1}}, r"'bowl'\.status: expected one of"),
        ({"bowl": {**ENTRY, "time": 1}}, r"'bowl'\.time: expected a text"),
        ({"bowl": {**ENTRY, "image": "../a.png"}}, r"'bowl'\.image: expected the name of a file"),
        ({"bowl": {**ENTRY, "init_inventory": ["axe"]}}, r"init_inventory: expected a mapping"),
        (
            {"bowl": {**ENTRY, "init_inventory": {"axe": -1}}},
            r"init_inventory\.axe: expected an int",
        ),
        ({"bowl": {**ENTRY, "plan": {"a": 1}}}, r"'bowl'\.plan: expected a list"),
        ({"bowl": {**ENTRY, "plan": ["mine"]}}, r"'bowl'\.plan\[0\]: expected a mapping"),
        ({"bowl": {**ENTRY, "plan": [{"goal": "dirt"}]}}, r"plan\[0\]\.goal: expected a mapping"),
        (
            {"bowl": {**ENTRY, "plan": [{"goal": {"dirt": None}}]}},
            r"goal\.dirt: expected an integer",
        ),
        ({"bowl": {**ENTRY, "plan": [{"goal": {"dirt": 1}}]}}, r"plan\[0\]\.type: expected one of"),
        (
            {"bowl": {**ENTRY, "plan": [{"goal": {"dirt": 1}, "type": "beg"}]}},
            r"plan\[0\]\.type: expected one of",
        ),
        ({"bowl": {**ENTRY, "plan": [{"text": 3}]}}, r"plan\[0\]\.text: expected a text"),
    ],
)
def test_files_of_another_shape_are_rejected_by_name(tmp_path, value, match):
    put(tmp_path, value)
    refused(tmp_path, match)


def test_a_missing_file_is_rejected(tmp_path):
    refused(tmp_path, "expected a file")


def test_a_truncated_picture_is_rejected_by_name(folder):
    (folder / "b.png").write_bytes((folder / "a.png").read_bytes()[:40])
    with pytest.raises(BadValue, match=r"b\.png': expected a whole picture"):
        read(folder)


def test_damaged_entries_can_be_skipped_and_are_reported(folder):
    whole = list(read_jarvis1(folder, Tinted(), [].append))
    path = folder / "memory.json"
    entries = json.loads(path.read_text("utf-8"))
    first = next(iter(entries))
    entries[first] = {**entries[first], "plan": "none"}
    path.write_text(json.dumps(entries), encoding="utf-8")
    with pytest.raises(BadValue, match="plan"):
        list(read_jarvis1(folder, Tinted(), [].append))
    skipped = []
    found = list(read_jarvis1(folder, Tinted(), [].append, skipped.append))
    assert [one.key for one in found] == [one.key for one in whole if f":{first}:" not in one.key]
    assert len(skipped) == 1
    assert first in skipped[0]
    path.write_text("{", encoding="utf-8")
    with pytest.raises(BadValue, match=r"memory\.json"):
        list(read_jarvis1(folder, Tinted(), [].append, skipped.append))
