"""The memory folder of Optimus-1's public code becomes experience; errors name its damaged files."""

import json
import shutil
from dataclasses import replace

import numpy as np
import pytest
from PIL import Image

from optimus_gym.core.errors import BadValue
from optimus_gym.core.types import STATUSES
from optimus_gym.memory.exchange.optimus1 import read_optimus1
from optimus_gym.memory.experience import PastPursuit
from optimus_gym.memory.pictures import unpacked
from optimus_gym.memory.store import ExperienceStore
from optimus_gym.vision.aligner import unit_vectors
from tests.memory.making import Tinted

STEPS = [
    {"task": "chop trees", "goal": ["logs", 2]},
    {"task": "craft planks", "goal": ["planks", 6]},
    {"task": "dig down and break down coal", "goal": ["coal_ore", 1]},
    {"task": "smelt iron ore", "goal": ["iron ingot", 1]},
    {"task": "equip stone pickaxe", "goal": ["stone_pickaxe", 1]},
    {"task": "create sticks", "goal": ["sticks", "4"]},
]
ENTRY = {
    "id": "Ab3",
    "environment": "extreme hills",
    "visual_info": "hotbar: nothing",
    "goal": "stone pickaxe",
    "video": "videos/x/1.mp4",
    "planning": STEPS,
    "status": "success",
    "steps": 711.0,
}
PAIRS = {
    "forest": {
        "done": [],
        "continue": [["old a.jpg", "new a.jpg"], ["old b.jpg", "new b.jpg"]],
        "replan": [["old c.jpg", "new c.jpg"]],
    },
    "none": {"done": [["old d.jpg", "new d.jpg"]]},
}


def put(folder, place, value):
    path = folder / place
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(value if isinstance(value, str) else json.dumps(value), encoding="utf-8")
    return path


def draw(folder, name, light, **options):
    path = folder / "reflection" / "img" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    Image.fromarray(np.full((360, 640, 3), light, np.uint8)).save(path, **options)
    return path


@pytest.fixture
def folder(tmp_path):
    put(tmp_path, "plan/success/Craft_a_stone_pickaxe.json", {"plan": [ENTRY]})
    failed = {**ENTRY, "id": "Cd4", "status": "failed", "steps": 6000}
    put(tmp_path, "plan/failed/Build_a_boat.json", {"plan": [failed]})
    put(tmp_path, "reflection/chop_trees.json", PAIRS)
    for k, letter in enumerate("abcd"):
        draw(tmp_path, f"old {letter}.jpg", 20 * k)
        draw(tmp_path, f"new {letter}.jpg", 20 * k + 100)
    plans = {"missing material: {'coal': 1}": [STEPS[2:4], []]}
    put(tmp_path, "replan/smelt_iron_ore.json", plans)
    return tmp_path


def read(folder, notes=None, aligner=None):
    told = [] if notes is None else notes
    return list(read_optimus1(folder, aligner or Tinted(), told.append))


def refused(folder, match):
    with pytest.raises(BadValue, match=match) as caught:
        next(read_optimus1(folder, Tinted(), print))
    assert str(folder) in str(caught.value)


def test_a_plan_becomes_an_experience_with_our_words_for_steps(folder):
    notes = []
    success, failure = read(folder, notes)[:2]
    assert success.key == "optimus-1:Ab3"
    assert (success.task, success.goal) == ("Stone", "Craft a stone pickaxe")
    assert success.environment == "mountains"
    assert success.plan == (
        "mine 2 oak_log",
        "craft 6 oak_planks",
        "mine 1 coal",
        "smelt 1 iron_ingot",
        "equip 1 stone_pickaxe",
        "craft 4 stick",
    )
    assert (success.status, success.outcome, success.ticks) == ("success", "success", 711)
    assert success.told == {
        "source": "Optimus-1",
        "kind": "plan",
        "visual_info": "hotbar: nothing",
        "goal": "stone pickaxe",
        "video": "videos/x/1.mp4",
        "words": [step["task"] for step in STEPS],
    }
    assert (success.pursuits, success.cases, success.first, success.start) == ((), (), None, {})
    assert (failure.key, failure.task, failure.goal) == ("optimus-1:Cd4",) + ("Build a boat",) * 2
    assert (failure.status, failure.outcome, failure.ticks) == ("budget", "failure", 6000)
    assert notes == []


def test_a_task_is_recognised_despite_a_wrong_article(tmp_path):
    put(tmp_path, "plan/success/Craft_a_iron_pickaxe.json", {"plan": [ENTRY]})
    assert [one.task for one in read(tmp_path)] == ["Iron"]


def test_a_pair_of_pictures_becomes_a_case_without_a_tasks_outcome(folder):
    found = [one for one in read(folder) if one.cases]
    assert [one.cases[0].label for one in found] == ["CONTINUE", "CONTINUE", "REPLAN", "COMPLETE"]
    assert [one.cases[0].verdict for one in found] == [one.cases[0].label for one in found]
    assert [one.environment for one in found] == ["forest"] * 3 + [""]
    assert {one.status for one in found} == {"abandoned"} <= set(STATUSES)
    assert {one.outcome for one in found} == {""}
    assert {one.told["kind"] for one in found} == {"reflection"}
    case = found[2].cases[0]
    assert (case.subgoal, case.environment, case.place) == ("chop trees", "forest", 0)
    for image, light in ((case.before, 40), (case.present, 140)):
        frame = unpacked(image.picture)
        assert frame.shape == (128, 128, 3)
        assert np.abs(frame.astype(int) - light).max() <= 3
        assert image.vector.dtype == np.float32
        expected = unit_vectors(Tinted().frames(np.full((1, 36, 64, 3), light, np.uint8)))[0]
        assert np.allclose(image.vector, expected, atol=0.01)
        assert np.linalg.norm(image.vector) == pytest.approx(1, abs=1e-6)


def test_a_replan_becomes_a_failed_sub_goal_with_the_plan_that_followed(folder):
    found = [one for one in read(folder) if one.told["kind"] == "replan"]
    failure = "missing material: {'coal': 1}"
    for one in found:
        assert one.pursuits == (PastPursuit("smelt iron ore", "failed", failure, 0, 0),)
        assert (one.status, one.plan) == ("abandoned", ())
    assert [one.told["replan"] for one in found] == [["mine 1 coal", "smelt 1 iron_ingot"], []]
    assert found[0].told["words"] == ["dig down and break down coal", "smelt iron ore"]


def test_experiences_keep_their_keys_when_the_memory_has_grown(folder, tmp_path_factory):
    before = {one.key for one in read(folder)}
    assert len(before) == 8
    grown = {"plan": [ENTRY, {**ENTRY, "id": "Ef5"}]}
    put(folder, "plan/success/Craft_a_stone_pickaxe.json", grown)
    put(folder, "reflection/chop_trees.json", {**PAIRS, "cave": {"done": PAIRS["none"]["done"]}})
    elsewhere = shutil.copytree(folder, tmp_path_factory.mktemp("other") / "memory")
    after = [one.key for one in read(elsewhere)]
    assert len(after) == len(set(after)) == 10
    assert before < set(after)


def test_experiences_can_be_added_to_a_store_twice_without_duplicates(folder, tmp_path_factory):
    aligner = Tinted()
    kept = tmp_path_factory.mktemp("kept")
    with ExperienceStore(kept, (aligner.name, aligner.width)) as store:
        numbers = [store.add(one) for one in read(folder, aligner=aligner)]
        assert len(set(numbers)) == 8
        assert [store.add(one) for one in read(folder, aligner=aligner)] == numbers


def test_pairs_without_pictures_are_left_out_and_counted(folder):
    (folder / "reflection/img/new a.jpg").unlink()
    (folder / "reflection/img/old d.jpg").unlink()
    notes = []
    found = [one.cases[0] for one in read(folder, notes) if one.cases]
    assert [case.label for case in found] == ["CONTINUE", "REPLAN"]
    assert len(notes) == 1
    assert "chop_trees.json': 2 of 4 pairs are left out" in notes[0]
    shutil.rmtree(folder / "reflection/img")
    notes.clear()
    assert not [one for one in read(folder, notes) if one.cases]
    assert "4 of 4 pairs" in notes[0]


def test_missing_and_empty_fields_stay_empty(tmp_path):
    bare = [{}, {"planning": None, "environment": None, "steps": None, "id": ""}, {"planning": []}]
    put(tmp_path, "plan/failed/Find_a_cow.json", {"plan": bare})
    put(tmp_path, "plan/success/Nothing.json", {"plan": []})
    put(tmp_path, "plan/success/Less.json", {})
    put(tmp_path, "reflection/walk.json", {"plains": {}, "river": {"done": None}})
    put(tmp_path, "replan/walk.json", {"error": []})
    (tmp_path / "plan/success/notes.txt").write_text("no JSON")
    found = read(tmp_path)
    assert [one.key[:15] for one in found] == ["optimus-1:plan:"] * 3
    assert len({one.key for one in found}) == 3
    empty = replace(found[0], key="", told={})
    assert all(replace(one, key="", told={}) == empty for one in found)
    assert (empty.environment, empty.plan, empty.ticks, empty.status) == ("", (), 0, "budget")


def test_steps_with_missing_or_odd_fields_are_still_read(tmp_path):
    said = [
        ({"task": "kill a cow", "goal": ["beef", 1.0]}, "kill 1 beef"),
        ({"task": "dig straight down", "goal": []}, "dig straight down"),
        ({"task": "look around"}, "look around"),
        ({"task": "then smelt sand", "goal": ["glass", 1]}, "smelt 1 glass"),
        ({"task": "pick flowers", "goal": ["blue flower"]}, "mine 1 blue_flower"),
        ({"task": "get some sand", "goal": "sand"}, "mine 1 sand"),
        ({"goal": ["dirt", 3]}, "mine 3 dirt"),
    ]
    steps = [step for step, _ in said]
    put(tmp_path, "plan/success/X.json", {"plan": [{**ENTRY, "planning": steps}]})
    assert read(tmp_path)[0].plan == tuple(text for _, text in said)


def test_the_status_of_an_entry_outranks_its_folder_with_a_note(tmp_path):
    put(tmp_path, "plan/failed/X.json", {"plan": [ENTRY]})
    notes = []
    assert read(tmp_path, notes)[0].status == "success"
    assert "says 'success' in the folder 'failed'" in notes[0]


def test_non_ascii_letters_and_a_byte_order_mark_are_read(tmp_path):
    entry = json.dumps({"plan": [{**ENTRY, "visual_info": "Höhle"}]}, ensure_ascii=False)
    put(tmp_path, "plan/success/X.json", "\ufeff" + entry)
    assert read(tmp_path)[0].told["visual_info"] == "Höhle"


def plan(**other):
    return {"plan": [ENTRY, {**ENTRY, **other}]}


@pytest.mark.parametrize(
    ("place", "value", "match"),
    [
        ("plan/success/X.json", "{", r"X\.json': expected a whole JSON text"),
        ("plan/success/X.json", '{"plan": NaN}', "holds NaN"),
        ("plan/success/X.json", "[" * 100 + "]" * 100, "nested"),
        ("plan/success/X.json", "[" * 100_000, "expected a whole JSON text"),
        ("plan/success/X.json", [], r"X\.json': expected a mapping"),
        ("plan/success/X.json", {"plan": {"a": 1}}, "X.json' plan: expected a list"),
        ("plan/success/X.json", {"plan": [3]}, r"plan\[0\]: expected a mapping"),
        ("plan/success/X.json", plan(status="won"), r"plan\[1\]\.status: expected one of"),
        ("plan/success/X.json", plan(id=3), r"plan\[1\]\.id: expected a text"),
        ("plan/success/X.json", plan(environment=[]), r"\.environment: expected a text"),
        ("plan/success/X.json", plan(steps=-1), r"plan\[1\]\.steps: expected an integer"),
        ("plan/success/X.json", plan(steps=1e300), r"\.steps: expected an integer"),
        ("plan/success/X.json", plan(steps="many"), r"\.steps: expected an integer"),
        ("plan/success/X.json", '{"plan": [{"steps": 1e999}]}', "finite"),
        ("plan/success/X.json", plan(planning="mine"), r"\.planning: expected a list"),
        ("plan/success/X.json", plan(planning=[[]]), r"planning\[0\]: expected a mapping"),
        ("plan/success/X.json", plan(planning=[{"task": 1}]), r"planning\[0\]\.task: expected"),
        ("plan/success/X.json", plan(planning=[{"goal": [1]}]), r"goal\[0\]: expected a text"),
        (
            "plan/success/X.json",
            plan(planning=[{"goal": ["dirt", "some"]}]),
            r"plan\[1\]\.planning\[0\]\.goal\[1\]: expected an integer",
        ),
        ("plan/success/X.json", plan(visual_info="\ud800"), "UTF-8 can hold"),
        ("reflection/x.json", {"cave": []}, "'cave': expected a mapping"),
        ("reflection/x.json", {"cave": {"lost": []}}, "'cave': expected one of done"),
        ("reflection/x.json", {"cave": {"done": {}, "replan": 3}}, "replan: expected a list"),
        ("reflection/x.json", {"cave": {"done": ["a", "b"]}}, r"done\[0\]: expected a list"),
        ("reflection/x.json", {"cave": {"done": [["a"]]}}, "the names of two pictures"),
        ("reflection/x.json", {"cave": {"done": [["a", 3]]}}, r"done\[0\]: expected a text"),
        (
            "reflection/x.json",
            {"cave": {"done": [["a", "../b"]]}},
            "name of a file in the same folder",
        ),
        (
            "reflection/x.json",
            {"cave": {"done": [["a", "/b"]]}},
            "name of a file in the same folder",
        ),
        (
            "reflection/x.json",
            {"cave": {"done": [["a", ".."]]}},
            "name of a file in the same folder",
        ),
        ("replan/x.json", [], r"x\.json': expected a mapping"),
        ("replan/x.json", {"lost": {"a": 1}}, "'lost': expected a list"),
        ("replan/x.json", {"lost": ["a"]}, r"'lost'\[0\]: expected a list"),
    ],
)
def test_files_of_another_shape_are_rejected_by_name(tmp_path, place, value, match):
    put(tmp_path, place, value)
    refused(tmp_path, match)


def test_a_file_that_is_not_utf_8_text_is_rejected_by_name(tmp_path):
    put(tmp_path, "plan/success/X.json", "").write_bytes(b'{"plan": "\xff"}')
    refused(tmp_path, r"X\.json': expected a whole JSON text in UTF-8")
    shutil.rmtree(tmp_path / "plan")
    (tmp_path / "plan/success/X.json").mkdir(parents=True)
    refused(tmp_path, r"X\.json': expected a file")


def test_a_folder_without_plans_is_rejected(tmp_path):
    refused(tmp_path, "expected a folder that holds 'plan'")
    refused(tmp_path / "missing", "expected a folder")


def test_a_file_that_is_not_a_picture_is_rejected_by_name(folder):
    (folder / "reflection/img/new c.jpg").write_bytes(b"no picture")
    with pytest.raises(BadValue, match=r"new c\.jpg': expected a whole picture"):
        read(folder)


def test_a_file_that_is_too_large_is_rejected(folder, monkeypatch):
    monkeypatch.setattr("optimus_gym.memory.exchange.public._MOST_BYTES", 100)
    refused(folder, "expected a file of at most 100 bytes")


def test_a_pair_with_an_impossible_file_name_is_left_out_with_a_note(tmp_path):
    put(tmp_path, "reflection/x.json", {"cave": {"done": [["a" * 5000, "a\0b"]]}})
    notes = []
    assert read(tmp_path, notes) == []
    assert "1 of 1 pairs" in notes[0]


def test_a_picture_without_a_vector_is_rejected_by_name(folder):
    blind = Tinted()
    blind.frames = lambda pictures: np.zeros((len(pictures), 8), np.float32)
    with pytest.raises(BadValue, match=r"old a\.jpg': expected a picture that 'tinted' can encode"):
        read(folder, aligner=blind)


def test_damaged_files_and_pictures_can_be_skipped_and_are_reported(folder):
    whole = read(folder)
    path = folder / "plan" / "success" / "Craft_a_stone_pickaxe.json"
    path.write_text(json.dumps({"plan": [ENTRY, {**ENTRY, "steps": "many"}]}), encoding="utf-8")
    put(folder, "replan/smelt_iron_ore.json", '{"missing material": [[')
    (folder / "reflection" / "img" / "new a.jpg").write_bytes(b"no picture")
    with pytest.raises(BadValue, match=r"Craft_a_stone_pickaxe\.json' plan\[1\]\.steps"):
        read(folder)
    skipped = []
    found = list(read_optimus1(folder, Tinted(), [].append, skipped.append))
    gone = {one.key for one in whole} - {one.key for one in found}
    assert len(found) == len(whole) - len(gone)
    assert {key.split(":")[1] for key in gone} == {"Ab3", "replan", "reflection"}
    for name, said in zip(("stone_pickaxe", "smelt_iron", "new a.jpg"), skipped, strict=True):
        assert name in said
    assert len(gone) == 4  # the file of replans held two
