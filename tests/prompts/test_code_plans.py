"""Plans in code are read back as they were written, and other texts are refused."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from optimus_gym.backbones.parse.plans import parse_plan
from optimus_gym.prompts.code_plans import (
    Call,
    call_in,
    calls_in,
    program_in,
    references_in,
    told_calls,
    told_program,
    told_references,
)
from optimus_gym.prompts.lines import facts_in, named_faults, told_facts

TABLE = Call("craft", "stone_pickaxe", 1, {"cobblestone": 3, "stick": 2}, "crafting_table")
LAVA = Call("mine", "obsidian", 2, {}, "diamond_pickaxe", {"water_bucket": 1}, "from lava, y 5")
LOGS = Call("mine", "log", 3)
names = st.sampled_from(("log", "stick", "iron_pickaxe", "oak_planks"))
counts = st.dictionaries(names, st.integers(1, 64), max_size=3)
calls = st.builds(
    Call,
    st.sampled_from(("mine", "craft", "smelt", "kill")),
    names,
    st.integers(1, 64),
    counts,
    st.none() | names,
    counts,
    st.sampled_from(("", "from coal ore", "step 3")),
)


@given(st.lists(calls, max_size=4))
def test_calls_are_read_back(made):
    assert calls_in(told_calls(made)) == tuple(made)


@given(st.lists(st.tuples(names, counts, st.lists(calls, max_size=3)), max_size=3))
def test_remembered_plans_are_read_back(made):
    rows = [
        {"goal": f"craft {item}", "environment": "forest", "inventory": held, "plan": tuple(plan)}
        for item, held, plan in made
    ]
    assert references_in(told_references(rows)) == tuple(rows)


def test_a_plan_in_code_is_read_back_and_by_the_parser_of_models_replies():
    text = told_program([LOGS, TABLE], "stone_pickaxe")
    assert [call.item for call in program_in(text)] == ["log", "stone_pickaxe"]
    assert [str(one) for one in parse_plan(text).subgoals] == [
        "mine 3 oak_log",
        "place 1 crafting_table",
        "craft 1 stone_pickaxe",
    ]


def test_the_parser_takes_a_held_item_for_no_step():
    assert [str(one) for one in parse_plan(told_program([LAVA], "obsidian")).subgoals] == [
        "equip 1 diamond_pickaxe",
        "mine 2 obsidian",
    ]


@pytest.mark.parametrize(
    "text",
    ["", "1. mine 3 log", '{"step 1": {}}', "def obtain_log():", str(LOGS),
     told_program([LOGS], "log").replace("obj", "what"), f"Sure:\n{told_program([LOGS], 'log')}"],
)  # fmt: skip
def test_other_texts_are_no_plan_in_code(text):
    assert program_in(text) is None


@pytest.mark.parametrize("line", ["mine()", "mine(obj={}, tool=None)", "log 3", ""])
def test_a_line_without_a_call_is_refused(line):
    with pytest.raises(ValueError, match="expected a call"):
        call_in(line)
    with pytest.raises(ValueError, match="expected"):
        references_in(line or "?")


def test_a_call_lists_all_that_it_needs_once():
    assert LAVA.inputs == ("water_bucket", "diamond_pickaxe")
    assert TABLE.inputs == ("cobblestone", "stick", "crafting_table")


def test_the_faults_of_an_answer_are_the_last_faults_of_a_correction():
    asked = "Plan.\n\nIt cannot be used:\nnot this one\n\nYour answer was:\nno\n\n"
    assert named_faults(
        f"{asked}It cannot be used:\nstep 1: why\nstep 2: how\n\nAnswer again."
    ) == (
        "step 1: why",
        "step 2: how",
    )
    assert named_faults("Plan.") == ()


def test_labelled_lines_are_facts_again():
    facts = {"inventory": {"stick": 2}, "sees": ("I see sand", "I see a cow"), "action": TABLE}
    assert facts_in(told_facts(facts)) == facts
    assert facts_in(told_facts({"sees": ()})) == {"sees": ()}
