"""Tasks of a context: MP5's sixteen, and the faults of a row's context and start."""

import pytest

from optimus_gym.core.errors import BadValue
from optimus_gym.core.types import SubGoal
from optimus_gym.game.suite_file import tasks_in
from optimus_gym.game.tasks import task, tasks

ROW = {"id": "Pig", "group": "own", "instruction": "Find a pig", "verb": "find", "item": "pig",
       "success": "declared", "budget": 600, "source": "own"}  # fmt: skip
ELEMENTS = {"easy": (0, 0), "mid": (1, 1), "hard": (2, 2), "complex": (3, 5)}
"""Least and greatest number of conditions besides the thing, by level (MP5, Table 1)."""


def read(**fields):
    table = {"protocol": "vanilla", "groups": ["own"], "tasks": [{**ROW, **fields}]}
    return tasks_in(table, "own")["Pig"]


def test_each_level_has_its_number_of_conditions():
    for entry in tasks("mp5-context-16").values():
        low, high = ELEMENTS[entry.group]
        assert low <= len(entry.context) <= high
        assert (entry.success, entry.budget) == ("declared", 12_000)
        assert (
            entry.figures["mp5"].success_rate
            > entry.figures["mp5 with global perception"].success_rate
        )


def test_a_task_begins_in_the_conditions_that_it_asks_for():
    entry = task("Mp5FindPigAtNightInRain")
    assert (entry.time, entry.weather) == (14_000, "rain")
    assert entry.context == {"time": "night", "weather": "rain"}
    assert any("summon cow" in text for text in task("Mp5FindCowInDesert").commands)
    assert task("Mp5FindPig").commands == ()


def test_the_open_ended_tasks_are_dug_with_the_tool_that_they_name():
    for entry in tasks("mp5-open-2").values():
        assert (entry.is_dug, entry.is_sought, entry.budget) == (True, False, 12_000)
        assert entry.goal == SubGoal("mine", "sand", tool="wooden_shovel")


def test_a_row_may_hold_a_context():
    assert read(context={"near": "grass", "light": "bright"}, time=5).time == 5


@pytest.mark.parametrize(
    ("fields", "fault"),
    [
        ({"context": {"mood": "good"}}, "unknown condition 'mood'"),
        ({"context": {"time": "noon"}}, "expected time to be one of day, night, got 'noon'"),
        ({"context": {"near": "unicorn"}}, "expected near to be one of"),
        ({"context": {"tool": "cow"}}, "expected tool to be one of"),
        ({"context": {"in": "water"}}, "expected tool and in only with the verb 'mine'"),
        ({"verb": "kill"}, "expected the verb of a declared task to be one of find, mine, got 'kill'"),
        ({"context": {"biome": 5}}, "expected biome to be a biome's name, got 5"),
        ({"success": "held", "item": "porkchop", "verb": "kill", "context": {"time": "day"}},
         "expected a context only with the success 'declared'"),
        ({"time": 24_000}, "expected time of 0 to 23999, got 24000"),
        ({"weather": "snow"}, "unknown weather 'snow'"),
        ({"commands": [3]}, "expected commands as a list of texts"),
    ],
)  # fmt: skip
def test_a_fault_of_a_context_is_named(fields, fault):
    with pytest.raises(BadValue, match=fault):
        read(**fields)
