"""A grammar reads the programs of Code as Policies; a fault names its line, and nothing is executed."""

import random

import pytest

from optimus_gym.backbones.parse.programs import ProgramCall, ProgramChoice, Repeat, read_program

WHOLE = """\
def plan():
    # wood first
    while count("log") + count('planks') * 2 < 3 or not near("furnace") == 0:
        mine("log", 3 - count("log"))
    if (count("stick") < 2) and (count("planks") + 1) > 1:
        craft("stick", 2)
    elif count("stick") >= 9:
        pass
    else:
        for n in range(2):
            smelt("iron_ingot", count=1, station="furnace")
    equip("shield")
    return True
"""


def test_a_whole_program_is_read():
    program = read_program(WHOLE)
    assert program.problems == ()
    repeat, choice, call, _ = program.block
    assert isinstance(repeat, Repeat)
    assert isinstance(choice, ProgramChoice)
    assert [test is None for test, _ in choice.arms] == [False, False, True]
    assert isinstance(call, ProgramCall)
    assert [one.line for one in program.calls] == [4, 6, 11, 12]
    assert [str(one) for one in program.subgoals] == [
        "mine 1 oak_log",
        "craft 1 stick",
        "place 1 furnace",
        "smelt 1 iron_ingot",
        "equip 1 shield",
    ]


@pytest.mark.parametrize(
    "text",
    [
        "<think>easy</think>\nmine('log', 2)",
        "Here it is:\n```python\nmine('log', 2)\n```\nGood luck!",
        "\tmine('log', 2);  # two logs",
        "mine ( 'log' , 2 , None )",
    ],
)
def test_a_program_is_found_in_its_wrapping(text):
    program = read_program(text)
    assert program.problems == ()
    assert [(call.verb, call.item, call.aid) for call in program.calls] == [("mine", "log", "")]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "expected a program of calls"),
        ("pass", 'expected a program of calls such as mine("log", 3), got no call'),
        ("<think>mine('log')", "expected an answer after the thoughts"),
        ("I love this game", 'line 1: expected a call such as mine("log", 3), got \'I love'),
        ("import os", "line 1: expected a call"),
        ("__import__('os').system('ls')", "line 1: expected a call"),
        ("x = 3", "line 1: expected a call"),
        ("dance('log')", "line 1: expected a call"),
        ("mine('log'", "line 1: expected a call"),
        ("mine(log)", "line 1: expected a name in quotes (log)"),
        ("mine('log', -3)", "line 1: expected a number up to 100000"),
        ("mine('log', 9999999999)", "line 1: expected a number up to 100000"),
        ("mine('log', 3 3)", "line 1: expected the end of the line before '3'"),
        ("mine('log', open('x'))", "line 1: expected a number"),
        ("mine('log', $)", "line 1: expected numbers, names in quotes and signs"),
        ("mine('unobtainium')", "line 1: expected an item of the game"),
        ("mine('log')\n  mine('log')", "line 2: expected the same indentation"),
        ("while True:\n mine('log')", "line 1: expected a number up to 100000"),
        ("while count('log') < 3:\nmine('log')", "line 1: expected an indented block"),
        ("while count('log'):\n mine('log')", "line 1: expected a comparison"),
        (
            "while count('warp') < 3:\n mine('log')",
            "line 1: expected an item of the game, got 'warp'",
        ),
        ("while near('log') < 3:\n mine('log')", "line 1: expected a station, got 'log'"),
        ("while (count('log') < 3:\n mine('log')", "line 1: expected"),
        ("for n in [1, 2]:\n mine('log')", "line 1: expected a loop such as for n in range(3)"),
        ("else:\n mine('log')", 'line 1: expected a call, "if"'),
        ("mine('log')\ndef f():\n mine('log')", 'line 2: expected a call, "if"'),
        ("while 1" + "+1" * 200 + " < 3:\n mine('log')", "line 1: expected at most 200 terms"),
        ("mine('log')\n" * 2_000, "expected at most 20000 characters, got 24000"),
    ],
)
def test_a_fault_names_its_line(text, problem):
    problems = read_program(text).problems
    assert len(problems) == 1
    assert problem in problems[0]


def test_blocks_nest_to_a_bound():
    def nested(depth):
        heads = [" " * n + "if count('log') < 3:" for n in range(depth)]
        return "\n".join([*heads, " " * depth + "mine('log')"])

    assert read_program(nested(30)).problems == ()
    assert "at most 30 blocks inside each other" in read_program(nested(31)).problems[0]


def test_without_conditions_a_program_has_calls_alone():
    assert read_program("mine('log', 2)", conditions=False).problems == ()
    for head in ("if", "while"):
        text = f"{head} count('log') < 3:\n mine('log')"
        assert "expected calls alone" in read_program(text, conditions=False).problems[0]


def test_scrambled_programs_give_problems_and_no_exception():
    chance = random.Random(5)
    for _ in range(300):
        letters = list(WHOLE)
        for _ in range(chance.randint(1, 12)):
            place = chance.randrange(len(letters))
            letters[place] = chance.choice("()\"' \n:<>=,countdef01")
        program = read_program("".join(letters))
        assert program.problems or program.calls


def test_long_rows_of_words_end_soon():
    for text in ("not " * 4000, "(" * 4000, "mine(" * 3000, f"if {'(' * 190}:\n mine('log')"):
        assert read_program(text).problems
