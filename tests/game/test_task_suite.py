import copy
import pickle
import re
from collections import Counter

import pytest

from optimus_gym.core.errors import BadValue, UnknownName
from optimus_gym.core.registration import environment_ids, task_names
from optimus_gym.game.items import items
from optimus_gym.game.suite_file import choose, loads_suite, tasks_in
from optimus_gym.game.tags import tag
from optimus_gym.game.tasks import SUITES, add_task, headline_tasks, task, tasks
from optimus_gym.game.things import things

GROUPS = {
    "optimus-67": {
        "wood": 10,
        "stone": 9,
        "iron": 16,
        "gold": 6,
        "diamond": 7,
        "redstone": 6,
        "armor": 13,
    },
    "optimus-ablation-18": {"wood": 2, "stone": 3, "iron": 5, "gold": 3, "diamond": 5},
    "jarvis-190": {
        "wood": 34,
        "stone": 10,
        "iron": 22,
        "gold": 9,
        "diamond": 7,
        "redstone": 7,
        "blocks": 15,
        "armor": 17,
        "decoration": 17,
        "food": 9,
        "wood_variants": 43,
    },
    "mp5-process-25": {"basic": 5, "wooden": 5, "stone": 5, "iron": 5, "diamond": 5},
    "mp5-context-16": {"easy": 4, "mid": 4, "hard": 4, "complex": 4},
    "mp5-open-2": {"open": 2},
    "deps-50": {
        "MT1 basic": 8,
        "MT2 simple tools": 9,
        "MT3 hunt and food": 6,
        "MT4 dig down": 5,
        "MT5 equipment": 9,
        "MT6 complex tools": 7,
        "MT7 iron stage": 5,
        "MT8 challenge": 1,
    },
    "optimus-code-6": {"wooden": 2, "stone": 1, "iron": 1, "golden": 1, "redstone": 1},
    "jarvis-code-42": {
        "building": 1,
        "brewing": 2,
        "miscellaneous": 2,
        "occupation_block": 1,
        "redstone": 1,
        "colorful": 35,
    },
}
"""JARVIS-1, Table 6; MP5, Table 13; Optimus-1, Tables 5, 6 and 16; the lists of the two codes."""

PREFIXES = {
    "jarvis-190": "Jarvis",
    "jarvis-code-42": "Jarvis",
    "mp5-process-25": "Mp5",
    "mp5-context-16": "Mp5",
    "mp5-open-2": "Mp5",
    "deps-50": "Deps",
}


def camel(name):
    return "".join(word.title() for word in name.split("_"))


@pytest.mark.parametrize("suite", SUITES)
def test_each_suite_has_its_number_of_tasks_a_group(suite):
    assert Counter(entry.group for entry in tasks(suite).values()) == GROUPS[suite]


def test_each_group_has_one_headline_task():
    assert {entry.id: entry.item for entry in headline_tasks()} == {
        "Wood": "wooden_pickaxe",
        "Stone": "stone_pickaxe",
        "Iron": "iron_pickaxe",
        "Gold": "golden_pickaxe",
        "Diamond": "diamond",
        "Redstone": "piston",
        "Armor": "iron_chestplate",
    }


def test_budgets_follow_table_5_by_group():
    budgets = {"wood": 3600, "stone": 7200, "iron": 12000}
    for entry in tasks().values():
        assert entry.budget == budgets.get(entry.group, 36000)


def test_tasks_have_the_papers_figures():
    figures = task("Diamond").figures["optimus-1"]
    assert (figures.success_rate, figures.average_ticks, figures.episodes) == (0.0909, 20782.13, 64)
    assert task("Wood").figures["optimus-1"].success_rate == 1.0
    crossbow = task("JarvisCraftCrossbow").figures["jarvis-1"]
    assert (crossbow.success_rate, crossbow.episodes) == (0.047, 63)
    bucket = task("Mp5CraftBucket").figures
    assert (bucket["mp5"].success_rate, bucket["mp5"].subgoals) == (0.5333, 11)
    assert bucket["optimus-1"].average_ticks == 6124.61
    assert task("DepsCraftBed").figures["deps"].success_rate == 0.433


@pytest.mark.parametrize("suite", SUITES)
def test_items_exist_and_ids_are_built_from_suite_verb_and_item(suite):
    prefix = PREFIXES.get(suite, "")
    for entry in tasks(suite).values():
        assert set(entry.kinds) <= set(things() if entry.success == "declared" else items())
        if entry.context:
            assert entry.id.startswith(prefix + ("Find" if entry.is_sought else "Dig"))
        elif not entry.headline and not entry.accepts:
            plain = prefix + entry.verb.title() + camel(entry.item)
            assert entry.id in (plain, plain + "WithIronAxe")


def test_each_optimus_task_has_another_item():
    assert len({entry.item for entry in tasks().values()}) == 67


def test_the_ablations_tasks_come_from_the_suite():
    for name, entry in tasks("optimus-ablation-18").items():
        assert entry is tasks()[name]


def test_suites_of_the_published_codes_share_no_item_with_the_papers_suites():
    for code, paper in (("optimus-code-6", "optimus-67"), ("jarvis-code-42", "jarvis-190")):
        known = {entry.item for entry in tasks(paper).values()}
        assert not known & {entry.item for entry in tasks(code).values()}
        assert all(entry.biomes for entry in tasks(code).values())
    assert task("MineLog").kinds == tag("logs")
    assert task("MineIronOre").budget == 20 * 1200


def test_two_tasks_of_one_item_have_two_ids():
    with_axe, without = task("JarvisMineOakLogWithIronAxe"), task("JarvisMineOakLog")
    assert (with_axe.inventory, without.inventory) == ({"iron_axe": 1}, {})
    assert (with_axe.group, without.group) == ("blocks", "wood")


def test_armour_tasks_succeed_when_the_armour_is_equipped():
    armour = [entry for entry in tasks("jarvis-190").values() if entry.group == "armor"]
    assert {entry.success for entry in armour} == {"equipped"}
    assert task("JarvisEquipShield").goal.verb == "equip"


def test_a_task_for_a_tag_accepts_any_item_of_the_tag():
    bed = task("DepsCraftBed")
    assert bed.kinds == tag("beds")
    assert bed.goal.kinds == tag("beds")
    assert task("Mp5CraftPlanks").item == "oak_planks"


def test_every_task_has_three_environment_ids():
    names = {name: None for suite in SUITES for name in tasks(suite)}
    assert task_names() == tuple(names)
    assert len(environment_ids()) == len(set(environment_ids())) == 3 * (1 + len(names))


def test_a_task_survives_copying_and_serves_as_a_key():
    entry = task("CraftStoneSword")
    assert copy.deepcopy(entry) == entry
    assert pickle.loads(pickle.dumps(entry)) == entry
    assert {entry: 1}[task("CraftStoneSword")] == 1


def test_errors_for_unknown_tasks_and_suites_suggest_the_nearest():
    with pytest.raises(UnknownName, match="did you mean 'Diamond'"):
        task("Diamnd")
    with pytest.raises(UnknownName, match="unknown suite 'jarvis-200'; did you mean 'jarvis-190'"):
        tasks("jarvis-200")


def test_a_taken_id_is_refused():
    row = {"id": "Wood", "verb": "craft", "item": "stick", "instruction": "Craft", "budget": 9}
    with pytest.raises(
        BadValue, match="here: 1 fault\n  Wood: expected a new id, got one that a suite's task"
    ):
        add_task(row, "here")


GOOD = {
    "id": "Good",
    "group": "wood",
    "instruction": "Craft a shovel",
    "verb": "craft",
    "item": "wooden_shovel",
    "budget": 3600,
    "figures": {"someone": {"success_rate": 0.5}},
    "source": "a paper",
}


def read(rows):
    return tasks_in({"protocol": "vanilla", "groups": ["wood"], "tasks": rows}, "mine")


def test_missing_fields_get_their_defaults():
    (entry,) = read([GOOD]).values()
    assert (entry.count, entry.success, entry.biomes, entry.headline) == (1, "held", (), False)
    assert (entry.suite, entry.protocol, entry.inventory) == ("mine", "vanilla", {})


def test_all_faults_of_a_file_are_reported_at_once():
    bad = [
        GOOD,
        GOOD,
        {**GOOD, "id": "A", "item": "wooden_shovle"},
        {**GOOD, "id": "B", "budget": 0},
        {**GOOD, "id": "C", "count": "1"},
        {**GOOD, "id": "D", "group": "bronze", "success": "seen"},
        {key: value for key, value in GOOD.items() if key != "instruction"} | {"id": "E"},
        {**GOOD, "id": "F", "extra": 1},
        {**GOOD, "id": "G", "inventory": {"stick": 0}},
        {**GOOD, "id": "H", "figures": {"someone": {"rate": 3}}},
        {**GOOD, "id": "I", "figures": {"someone": {"success_rate": 95.0}}},
        {**GOOD, "id": "Is not"},
        {**GOOD, "id": "J", "item": "#bed"},
        {**GOOD, "id": "K", "biomes": ["forrest"]},
        {**GOOD, "id": "L", "verb": "find", "item": "cwo", "success": "declared"},
        {**GOOD, "id": "M", "count": 0},
        {**GOOD, "id": {}},
        {**GOOD, "id": "²"},
        {**GOOD, "id": "N", "biomes": [[]]},
        {**GOOD, "id": "O", "group": "\ud800", "instruction": "Get\na stick"},
        {**GOOD, "id": "P", "budget": 10**400},
        {**GOOD, "id": "Q", "figures": {"someone": {"average_ticks": 1e300}}},
    ]
    with pytest.raises(BadValue, match=r"mine\.json: 23 faults") as caught:
        read(bad)
    for part in (
        "row 1 (Good): expected a new id",
        "row 2 (A): unknown item 'wooden_shovle'; did you mean 'wooden_shovel'",
        "row 3 (B): expected budget of 1 to 1000000000, got 0",
        "row 4 (C): expected count of type int, got '1'",
        "row 5 (D): expected group to be one of wood, got 'bronze'",
        "row 5 (D): expected success to be one of held, equipped, declared, reached, got 'seen'",
        "row 6 (E): expected a field 'instruction', got none",
        "row 7 (F): expected no field 'extra'",
        "row 8 (G): expected a count of 1 to 2624 of stick, got 0",
        "row 9 (H): expected an object with some of success_rate",
        "row 10 (I): expected success_rate of at most 1, got 95.0 (someone)",
        "row 11 (Is not): expected an id of letters and digits",
        "row 12 (J): unknown tag 'bed'; did you mean 'beds'",
        "row 13 (K): unknown biome 'forrest'; did you mean 'forest'",
        "row 14 (L): unknown thing 'cwo'; did you mean 'cow'",
        "row 15 (M): expected count of 1 to 2624, got 0",
        "row 16 ({}): expected id of type str, got {}",
        "row 17 (²): expected an id of letters and digits, got '²'",
        "row 18 (N): unknown biome []",
        "row 19 (O): expected group to be one of wood, got '\\ud800'",
        r"row 19 (O): expected a line of text as instruction, got 'Get\na stick'",
        "row 20 (P): expected budget of 1 to 1000000000, got 1000",
        "row 21 (Q): expected average_ticks as a number of at least 0, got 1e+300 (someone)",
    ):
        assert part in str(caught.value)


@pytest.mark.parametrize("table", [[], {"tasks": []}, {**{"of": "x"}, "tasks": []}])
def test_a_file_of_another_form_is_refused(table):
    head = {"protocol": "vanilla", "groups": ["wood"], "tasks": []}
    for name, value in (("protocol", 3), ("protocol", []), ("groups", 5), ("groups", [["wood"]])):
        with pytest.raises(BadValue, match=rf"expected {name} .*, got {re.escape(str(value))} "):
            tasks_in({**head, name: value}, "own")
    with pytest.raises(
        BadValue, match="expected an object with the keys protocol, groups, tasks, got"
    ):
        tasks_in(table, "mine")


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (b"\xff", "expected a whole JSON text: "),
        ("[" * 100_000, "expected a whole JSON text: "),
        ("[]", "expected an object with the keys protocol, groups, tasks, got list"),
        ('{"of": "optimus-67"}', "expected an object with the keys of, tasks, got 'of'"),
        ('{"of": [], "tasks": []}', r"unknown suite \[\]"),
        ('{"of": "optimus-67", "tasks": {}}', "expected a list of rows, got dict"),
    ],
)
def test_a_file_without_a_suite_is_refused(text, why):
    with pytest.raises((BadValue, UnknownName), match=why):
        loads_suite(text, "mine", tasks)


def test_all_faults_of_a_choice_of_tasks_are_reported_at_once():
    rows = [{"id": name, "source": "a paper"} for name in ("Wood", "Wood", "Woood")]
    with pytest.raises(BadValue, match=r"mine\.json: 2 faults") as caught:
        choose({"of": "optimus-67", "tasks": rows}, "mine", tasks())
    assert "row 1 (Wood): expected a new id" in str(caught.value)
    assert "row 2: unknown task 'Woood'; did you mean 'Wood'" in str(caught.value)
