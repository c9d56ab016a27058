import copy
import pickle
from collections import Counter

import pytest

from optimus_gym.core.errors import BadValue, UnknownName
from optimus_gym.game.items import items
from optimus_gym.game.source import rows
from optimus_gym.game.tasks import headline_tasks, parse, task, tasks


def test_the_suite_is_whole():
    groups = Counter(entry.group for entry in tasks().values())
    assert groups == {
        "wood": 10,
        "stone": 9,
        "iron": 16,
        "gold": 6,
        "diamond": 7,
        "redstone": 6,
        "armor": 13,
    }


def test_headlines_are_one_a_group():
    assert {entry.id: entry.item for entry in headline_tasks()} == {
        "Wood": "wooden_pickaxe",
        "Stone": "stone_pickaxe",
        "Iron": "iron_pickaxe",
        "Gold": "golden_pickaxe",
        "Diamond": "diamond",
        "Redstone": "piston",
        "Armor": "iron_chestplate",
    }


def test_budgets_are_the_groups_of_table_5():
    budgets = {"wood": 3600, "stone": 7200, "iron": 12000}
    for entry in tasks().values():
        assert entry.budget == budgets.get(entry.group, 36000)


def test_the_papers_figures_are_kept():
    figures = task("Diamond").figures
    assert (figures.success_rate, figures.average_ticks, figures.episodes) == (0.0909, 20782.13, 64)
    assert task("Wood").figures.success_rate == 1.0


def test_items_exist_and_other_ids_are_verb_and_item():
    for entry in tasks().values():
        assert entry.item in items()
        if not entry.headline:
            words = "".join(word.title() for word in entry.item.split("_"))
            assert entry.id == entry.verb.title() + words


def test_items_are_gotten_once():
    assert len({entry.item for entry in tasks().values()}) == 67


def test_a_task_survives_copying_and_can_be_a_key():
    entry = task("CraftStoneSword")
    assert copy.deepcopy(entry) == entry
    assert pickle.loads(pickle.dumps(entry)) == entry
    assert {entry: 1}[task("CraftStoneSword")] == 1


def test_unknown_task():
    with pytest.raises(UnknownName, match="did you mean 'Diamond'"):
        task("Diamnd")


def test_all_faults_of_a_file_are_reported_at_once():
    good = dict(rows("optimus-67")[0])
    bad = [
        good,
        good,
        {**good, "id": "A", "item": "wooden_shovle"},
        {**good, "id": "B", "budget": 0},
        {**good, "id": "C", "count": "1"},
        {**good, "id": "D", "group": "bronze", "success": "seen"},
        {key: value for key, value in good.items() if key != "instruction"} | {"id": "E"},
        {**good, "id": "F", "extra": 1},
        {**good, "id": "G", "inventory": {"stick": 0}},
        {**good, "id": "H", "figures": {"subgoals": 3}},
        {**good, "id": "I", "figures": {**good["figures"], "success_rate": 95.0}},
        {**good, "id": "Is not"},
    ]
    with pytest.raises(BadValue, match=r"mine\.json: 12 faults") as caught:
        parse(tuple(bad), "mine")
    for part in (
        "row 1 (CraftWoodenShovel): expected an id of its own",
        "row 2 (A): unknown item 'wooden_shovle'; did you mean 'wooden_shovel'",
        "row 3 (B): expected budget of at least 1, got 0",
        "row 4 (C): expected count of type int, got '1'",
        "row 5 (D): expected a group of wood",
        "row 5 (D): expected success of held",
        "row 6 (E): expected a field 'instruction', got none",
        "row 7 (F): expected no field 'extra'",
        "row 8 (G): expected a count of at least 1 of stick, got 0",
        "row 9 (H): expected figures subgoals",
        "row 10 (I): expected success_rate of at most 1, got 95.0",
        "row 11 (Is not): expected an id of letters and digits",
    ):
        assert part in str(caught.value)
