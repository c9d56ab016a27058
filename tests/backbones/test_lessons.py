"""The rules use the experiences of a request: they transfer plans, avoid failures and take detours."""

import pytest

from optimus_gym.backbones.bare import plan_step
from optimus_gym.backbones.lessons import (
    detour,
    failed_here,
    shortcut,
    transferred,
    way,
)
from optimus_gym.backbones.parse.deeds import subgoals_of
from optimus_gym.backbones.parse.step_objects import worded
from optimus_gym.prompts.materials import gear_of, in_material, kin_of, made_of

IRON_SWORD = (
    "mine 3 log", "craft 9 planks", "craft 5 stick", "equip stone pickaxe", "mine 2 iron ore",
    "place furnace", "smelt 2 iron ingot", "place crafting table", "craft 1 iron sword",
)  # fmt: skip
IRON_PICKAXE = (*IRON_SWORD[:4], "mine 3 iron ore", "smelt 3 iron ingot", "craft 1 iron pickaxe")
OAK = ("mine 3 oak log", "craft 12 oak planks", "craft 3 oak door")
BIRCH = ("mine 3 birch log", "craft 12 birch planks", "craft 3 oak door")
LOST = ("mine 3 oak log", "not_found")


def success(*tasks, where="forest", setbacks=()):
    plan = [(task, end, why) for task, end, why in setbacks] + [(task, "", "") for task in tasks]
    return experience("success", where, plan)


def failure(*setbacks, where="forest"):
    return experience("failure", where, setbacks)


def experience(outcome, where, plan):
    rows = [
        {"task": task, "seconds": 1, "times": 1, "end": end, "why": why} for task, end, why in plan
    ]
    return {"outcome": outcome, "goal": "", "environment": where, "plan": tuple(rows), "end": ""}


def replan(*plan, failed="mine 3 oak log", why="timeout: 3 oak_log", outcome="success"):
    reached = len(plan)
    return {"outcome": outcome, "failed": failed, "why": why, "plan": plan, "reached": reached}


def told(goal, *experiences, where="forest", held=None, stations=(), **rest):
    """Return the facts of a request; `failed` and `failure` describe a setback."""
    return {
        "goal": goal,
        "inventory": held or {},
        "stations": stations,
        "screen": {"environment": where},
        "experiences": experiences,
        **rest,
    }


def tasks(steps):
    return [one["task"] for one in steps]


def plan(*words):
    return tuple(one for text in words for one in subgoals_of(worded("1", text)).subgoals)


def changed(words, item, count=1):
    """Return the plans for an item that a plan transfers to."""
    return [[str(one) for one in made] for made in transferred([plan(*words)], item, count)]


def test_another_material_replaces_the_first_in_the_whole_plan():
    made = way(told(("craft", "golden_sword", 1), success(*IRON_SWORD)))
    assert tasks(made)[4:] == [
        "mine 2 gold ore", "place furnace", "smelt 2 gold ingot", "place crafting table",
        "craft 1 golden sword",
    ]  # fmt: skip
    assert tasks(made)[:4] == list(IRON_SWORD[:4])


@pytest.mark.parametrize(
    ("words", "item"),
    [
        (("mine 3 log", "craft 8 planks", "craft 1 wooden sword"), "stone_sword"),
        (("mine 2 diamond", "craft 1 diamond sword"), "golden_sword"),
        (IRON_SWORD, "diamond_sword"),
        (IRON_SWORD, "iron_boots"),
        (IRON_SWORD, "golden_axe"),
        (IRON_SWORD, "furnace"),
    ],
)
def test_a_plan_with_items_that_lack_the_other_material_is_not_transferred(words, item):
    assert changed(words, item) == []


def test_one_wood_replaces_another_and_the_last_step_makes_more_pieces():
    assert changed(OAK, "birch_door", 4) == [
        ["mine 3 birch_log", "craft 12 birch_planks", "craft 4 birch_door"]
    ]


def test_a_step_for_any_wood_still_accepts_any_wood():
    made = way(told(("craft", "birch_door", 3), success("mine 3 log", *OAK[1:])))
    assert tasks(made)[:2] == ["mine 3 log", "craft 12 birch planks"]


def test_only_the_product_changes_for_another_tool_of_the_same_material():
    assert changed(IRON_PICKAXE, "iron_axe")[0][-2:] == ["smelt 3 iron_ingot", "craft 1 iron_axe"]


def test_a_plan_is_cut_off_at_the_step_that_gives_the_item():
    assert changed(IRON_PICKAXE, "iron_ingot", 2)[0][-1] == "smelt 3 iron_ingot"
    assert changed(IRON_PICKAXE, "iron_ingot", 4) == []


def test_the_plan_with_the_fewest_changes_is_transferred():
    axe, hoe = (*IRON_SWORD[:-1], "craft 1 iron axe"), ("mine 2 gold ore", "smelt 2 gold ingot")
    alike = [success(*axe), success(*hoe, "craft 1 golden hoe")]
    for rows in (alike, alike[::-1]):
        assert tasks(way(told(("craft", "golden_axe", 1), *rows))) == [
            "mine 2 gold ore", "smelt 2 gold ingot", "craft 1 golden axe"
        ]  # fmt: skip


def test_a_success_at_the_same_item_outranks_any_transfer():
    rows = success(*IRON_PICKAXE), success("craft 1 iron axe")
    assert tasks(way(told(("craft", "iron_axe", 1), *rows))) == ["craft 1 iron axe"]
    assert way(told(("craft", "iron_axe", 1), failure(("craft 1 iron axe", "", "")))) == []


def test_a_remembered_way_supplies_an_item_that_a_transferred_plan_lacks():
    held = {"stone_pickaxe": 1, "stick": 5}
    lack = {"failed": "mine 2 gold_ore", "failure": "missing_tool: 1 iron_pickaxe (not held)"}
    rows = success(*IRON_SWORD), success(*IRON_PICKAXE)
    made = tasks(way(told(("craft", "golden_sword", 1), *rows, held=held, **lack)))
    at = made.index("craft 1 iron pickaxe")
    assert "mine 3 iron ore" in made[:at]
    assert made[at + 1 : at + 4] == [
        "equip stone pickaxe", "equip iron pickaxe", "mine 2 gold ore"
    ]  # fmt: skip
    assert made[-1] == "craft 1 golden sword"
    held = {"iron_pickaxe": 1}
    made = tasks(way(told(("craft", "golden_sword", 1), *rows, held=held, **lack)))
    assert made[:3] == ["equip stone pickaxe", "equip iron pickaxe", "mine 2 gold ore"]
    bare = tasks(way(told(("craft", "golden_sword", 1), rows[0], **lack)))
    assert bare[:2] == ["craft 1 iron pickaxe", "equip stone pickaxe"]


def test_stations_are_placed_again_unless_they_are_in_reach():
    lack = {"failed": "craft 1 golden_sword", "failure": "missing_item: 1 gold_ingot"}
    held = {"gold_ingot": 1, "stick": 5, "oak_planks": 9, "oak_log": 3, "gold_ore": 2}
    for near, again in (((), ["place crafting table"]), (("crafting_table",), [])):
        goal, row = ("craft", "golden_sword", 1), success(*IRON_SWORD)
        made = tasks(way(told(goal, row, held=held, stations=near, **lack)))
        smelted = made.index("smelt 2 gold ingot")
        assert made[smelted + 1 :] == [*again, "craft 1 golden sword"]
    held.pop("gold_ore")
    near = ("crafting_table",)
    made = tasks(way(told(goal, row, held=held, stations=near, **lack)))
    assert made[-3:-1] == ["smelt 2 gold ingot", "place crafting table"]


def test_a_remembered_way_supplies_a_lacked_item_without_a_similar_plan():
    lack = {"failed": "craft 1 piston", "failure": "missing_item: 2 iron_ingot"}
    made = tasks(way(told(("craft", "piston", 1), success(*IRON_SWORD), **lack)))
    assert made[-2:] == ["smelt 2 iron ingot", "craft 1 piston"]
    assert way(told(("craft", "piston", 1), success(*IRON_SWORD))) == []


def test_a_way_that_failed_here_is_avoided_if_another_way_is_known():
    goal, here = ("craft", "oak_door", 3), failure(("mine 3 oak log", "failed", "not_found"))
    other = success(*BIRCH, where="plains")
    assert tasks(way(told(goal, success(*OAK), other))) == list(OAK)
    assert tasks(way(told(goal, success(*OAK, where="plains"), other, here))) == list(BIRCH)
    assert tasks(way(told(goal, success(*OAK, where="plains"), here))) == list(OAK)
    like = success("mine 3 coal", "craft 3 spruce planks", "craft 3 spruce door")
    assert tasks(way(told(goal, success(*OAK, where="plains"), like, here))) == list(OAK)


def test_a_known_biome_outranks_the_screen():
    goal, here = ("craft", "oak_door", 3), failure(("mine 3 oak log", "failed", "not_found"))
    rows = success(*OAK, where="plains"), success(*BIRCH, where="plains"), here
    assert tasks(way(told(goal, *rows, where="perhaps cave", biome="forest"))) == list(BIRCH)
    assert tasks(way(told(goal, *rows, where="forest", biome="plains"))) == list(OAK)
    assert tasks(way(told(goal, *rows, where="forest", biome="not known"))) == list(BIRCH)


def test_the_quickest_way_that_began_in_this_biome_is_chosen_among_equals():
    goal = ("craft", "oak_door", 3)
    oak, birch = success(*OAK, where="desert"), success(*BIRCH, where="desert")
    for row in oak["plan"]:
        row["seconds"] = 9
    elsewhere = success("mine 3 spruce log", "craft 3 oak door", where="taiga")

    def chosen(*rows, biome):
        return tasks(way(told(goal, *rows, biome=biome)))

    assert chosen(elsewhere, oak, biome="desert") == list(OAK)
    assert chosen(elsewhere, oak, birch, biome="desert") == list(BIRCH)
    assert chosen(oak, birch, biome="taiga") == list(OAK)
    birch["plan"][0]["seconds"] = None
    assert chosen(oak, birch, biome="desert") == list(BIRCH)


def test_a_failure_counts_here_only_with_the_same_reason_and_a_certain_environment():
    row = failure(("mine 3 oak log", "failed", "not_found: 3 oak_log"))
    goal = ("craft", "oak_door", 3)
    lost = frozenset({("mine", "oak_log")})

    def found(*rows, **rest):
        return failed_here(told(goal, *rows, **rest))

    assert found(row) == lost
    assert found(row, where="desert") == frozenset()
    unsure = {**row, "environment": "perhaps forest"}
    assert found(unsure, where="perhaps forest") == frozenset()
    assert found({**row, "environment": "not seen"}, where="not seen") == frozenset()
    other = {"failed": "craft 1 oak_door", "failure": "timeout"}
    assert found(row, **other) == frozenset({("craft", "oak_door")})
    assert ("mine", "oak_log") in found(row, failed="craft 1 oak_door", failure="not_found: 1 coal")
    assert found(failure(("mine 3 oak log", "failed", "missing_tool: 1 axe"))) == frozenset()
    assert found(failed="mine 3 oak_log", failure="missing_tool: 1 axe") == frozenset()
    later = success(*OAK, setbacks=[("mine 3 oak log", "replan", "stuck")])
    assert found(later) == frozenset()


def test_a_plan_that_worked_after_the_same_setback_replaces_the_failed_way():
    setback = {"failed": "mine 3 oak_log", "failure": "timeout: 2 oak_log"}
    steps = way(told(("craft", "oak_door", 3), success(*OAK)))

    def after(*rows, steps=steps, **rest):
        facts = told(("craft", "oak_door", 3), **{**setback, **rest}, replans=rows)
        return tasks(detour(steps, facts))

    assert after(replan(*BIRCH)) == list(BIRCH)
    kill = replan("place furnace", "kill 3 oak log", "craft 1 stick")
    assert after(kill) == ["place furnace", "kill 3 oak log", *OAK[1:]]
    same = list(OAK)
    assert after(replan(*BIRCH, outcome="failure")) == same
    assert after(replan(*BIRCH, why="stuck")) == same
    assert after(replan(*BIRCH, why="timeout: 3 coal")) == same
    assert after(replan(*BIRCH, failed="mine 3 coal")) == same
    assert after(replan("mine 4 oak log", "mine 1 dirt", *OAK[1:])) == same
    assert after(replan("mine 1 dirt")) == same
    assert after() == same
    assert after(replan(*BIRCH), failed="mine 1 coal", failure="timeout") == same
    moved = [{"task": "mine 1 coal", "goal": ["coal", 1]}, *steps]
    assert after(replan(*BIRCH), steps=moved) == ["mine 1 coal", *OAK]


LOGS = [
    plan_step("mine", "log", 1),
    plan_step("craft", "planks", 4),
    plan_step("craft", "stick", 4),
]
BUSH = ("mine 1 stick",)


@pytest.mark.parametrize(
    ("seconds", "where", "words", "taken"),
    [
        (5, "desert", BUSH, True),
        (6, "desert", BUSH, False),
        (5, "plains", BUSH, False),
        (5, "desert", ("mine 1 oak log", "craft 4 oak planks", "craft 4 stick"), False),
        (5, "desert", ("mine 1 coal",), False),
    ],
)
def test_another_way_replaces_the_graphs_way_if_it_was_twice_as_quick_here(
    seconds, where, words, taken
):
    row = success(*words, where=where)
    (row["plan"][0])["seconds"] = seconds - len(words) + 1
    facts = told(("craft", "stick", 1), row, where="desert", takes="10")
    assert tasks(shortcut(LOGS, facts)) == (list(words) if taken else tasks(LOGS))
    unknown = {**facts, "takes": "not known"}
    assert tasks(shortcut(LOGS, unknown)) == tasks(LOGS)


def test_another_way_replaces_the_graphs_way_if_the_graphs_way_failed_here():
    slow = success(*BUSH, where="desert")
    (slow["plan"][0])["seconds"] = 90
    lost = failure(("mine 1 log", "failed", "timeout: 1 log"), where="desert")
    goal = ("craft", "stick", 1)
    assert tasks(shortcut(LOGS, told(goal, slow, lost, where="desert", takes="10"))) == list(BUSH)
    elsewhere = failure(("mine 1 log", "failed", "timeout: 1 log"), where="plains")
    facts = told(goal, slow, elsewhere, where="desert", takes="10")
    assert tasks(shortcut(LOGS, facts)) == tasks(LOGS)
    both = failure(("mine 1 log", "failed", "stuck"), ("mine 1 stick", "failed", "stuck"))
    facts = told(goal, {**slow, "environment": "forest"}, both, takes="10")
    assert tasks(shortcut(LOGS, facts)) == tasks(LOGS), "the other way has failed here, too"


def test_materials_are_the_materials_of_the_game():
    assert made_of("dark_oak_door") == ("dark_oak", "door")
    assert made_of("stick") is None
    assert in_material("iron_ingot", "iron", "golden") == "gold_ingot"
    assert in_material("gold_ore", "golden", "iron") == "iron_ore"
    assert in_material("diamond", "diamond", "golden") is None
    assert in_material("iron_bars", "iron", "golden") is None
    assert [gear_of(one) for one in ("iron_axe", "iron_boots", "iron_door")] == [
        "tool",
        "armour",
        "",
    ]
    assert kin_of("furnace") == ((), ())
    assert kin_of("iron_door")[0] == ()
    assert "oak_door" in kin_of("birch_door")[1]
