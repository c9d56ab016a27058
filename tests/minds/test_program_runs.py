"""A program runs on the present inventory, call by call, and every loop is bounded."""

from dataclasses import replace

import pytest

from optimus_gym.backbones.parse.programs import read_program
from optimus_gym.core.types import SubGoal
from optimus_gym.minds.program_runs import MOST_ROUNDS_OF_A_LOOP, ProgramRun
from optimus_gym.testing.situations import situation

HERE = situation(SubGoal("craft", "stick"))


def ran(text, *inventories, stations=()):
    """Return the calls of a program; the inventory of each call is the next one given, or the last one."""
    program = read_program(text)
    assert program.problems == ()
    run, calls = ProgramRun(program), []
    for inventory in (*inventories, *[inventories[-1]] * 300):
        called = run.next_call(replace(HERE, inventory=inventory, stations=stations))
        if called is None:
            return calls, run.why
        calls.append(f"{called[0].verb} {called[1]} {called[0].item}")
    return calls, "endless"


def test_conditions_see_the_inventory_at_the_time_of_the_call():
    text = (
        'mine("log", 1)\nif count("log") < 2:\n    mine("log", 2 - count("log"))\ncraft("planks")'
    )
    assert ran(text, {}, {"oak_log": 1}, {})[0] == ["mine 1 log", "mine 1 log", "craft 1 planks"]
    assert ran(text, {}, {"oak_log": 1, "birch_log": 1}, {})[0] == ["mine 1 log", "craft 1 planks"]


def test_the_first_true_arm_is_run():
    text = (
        'if count("stick") > 3:\n    mine("dirt")\nelif near("furnace") == 1:\n'
        '    smelt("glass")\nelse:\n    mine("sand")'
    )
    assert ran(text, {"stick": 4})[0] == ["mine 1 dirt"]
    assert ran(text, {}, stations=("furnace",))[0] == ["smelt 1 glass"]
    assert ran(text, {})[0] == ["mine 1 sand"]


@pytest.mark.parametrize(
    ("test", "holds"),
    [
        ('count("stick") == 2 and count("log") != 0', True),
        ('count("stick") == 2 and count("log") != 1', False),
        ('count("stick") == 9 or count("log") <= 1', True),
        ('not count("stick") >= 2', False),
        ('not (count("stick") > 2 or count("log") > 1)', True),
        ('(count("stick") + 1) * 2 - 1 == 5', True),
    ],
)
def test_conditions_join_and_compare(test, holds):
    calls, _ = ran(f'if {test}:\n    mine("dirt")', {"stick": 2, "oak_log": 1})
    assert bool(calls) == holds


def test_loops_run_their_rounds():
    assert (
        ran('for n in range(count("stick") + 1):\n    mine("dirt")', {"stick": 1})[0]
        == ["mine 1 dirt"] * 2
    )
    assert ran('for n in range(0):\n    mine("dirt")', {}) == ([], "the program ended")
    text = 'while count("dirt") < 2:\n    mine("dirt")\nmine("sand")'
    assert ran(text, {}, {"dirt": 1}, {"dirt": 2})[0] == [
        "mine 1 dirt",
        "mine 1 dirt",
        "mine 1 sand",
    ]


def test_an_endless_loop_is_stopped():
    calls, why = ran('while 1 < 2:\n    mine("dirt")', {})
    assert len(calls) == MOST_ROUNDS_OF_A_LOOP
    assert why == "the program ran too long in line 1"
    assert (
        ran('mine("dirt")\nwhile 1 < 2:\n    pass', {})[1] == "the program ran too long in line 2"
    )
    nested = "for a in range(150):\n  for b in range(150):\n    if 1 > 2:\n      mine('dirt')"
    assert ran(nested, {})[1] == "the program ran too long in line 3"


def test_a_return_ends_the_program_and_a_call_for_no_piece_is_skipped():
    assert ran('mine("dirt", 1 - 1)\nreturn\nmine("sand")', {}) == ([], "the program ended")


def test_the_calls_below_the_present_one_are_shown():
    run = ProgramRun(read_program('mine("log")\ncraft("planks")\nequip("shield")'))
    run.next_call(HERE)
    assert [str(one) for one in run.below] == ["craft 1 oak_planks", "equip 1 shield"]
