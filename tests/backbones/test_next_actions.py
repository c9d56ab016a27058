"""The rules' next action, from what the agent holds or from what its turns let the rules imagine."""

import pytest

from optimus_gym.backbones.next_actions import action_at_once, action_with_thought, imagined
from optimus_gym.prompts.code_plans import Call
from tests.backbones.test_chaining import CIRCLE, WAYS

FACTS = {
    "goal": ("craft", "wooden_pickaxe", 1),
    "verbs": ("mine", "craft", "smelt", "equip", "place"),
    "ways": WAYS,
}


def turns(*actions):
    return tuple((n, "action", words) for n, words in enumerate(actions, 1))


def test_a_thought_names_all_that_is_still_to_do():
    said = action_with_thought({**FACTS, "inventory": {"planks": 9}, "stations": ()})
    assert said.splitlines() == [
        "Thought: still to do: craft 4 stick, craft 1 crafting_table, place crafting_table, "
        "craft 1 wooden_pickaxe.",
        "Action: craft 4 stick",
    ]


def test_imagined_actions_change_the_things():
    actions = ("mine 3 log", "craft 12 planks", "craft 1 crafting_table", "place crafting_table")
    known = imagined({**FACTS, "turns": turns(*actions)})
    assert (known.count("log"), known.count("planks"), known.near) == (0, 8, ("crafting_table",))
    known.do("equip", "wooden_pickaxe", 1)
    assert known.hand == "wooden_pickaxe"
    known.do("mine", "log", 1)
    assert (known.near, known.count("crafting_table")) == ((), 1)


def test_the_course_without_observation_follows_its_own_actions():
    said, course = "", []
    while not said.endswith("craft 1 wooden_pickaxe"):
        said = action_with_thought({**FACTS, "turns": turns(*course)}).splitlines()[-1]
        course.append(said.removeprefix("Action: "))
    assert course == [
        "mine 3 log",
        "craft 12 planks",
        "craft 4 stick",
        "craft 1 crafting_table",
        "place crafting_table",
        "craft 1 wooden_pickaxe",
    ]


@pytest.mark.parametrize("act", [action_at_once, action_with_thought])
def test_a_tool_in_hand_is_not_equipped_again(act):
    facts = {**FACTS, "goal": ("mine", "cobblestone", 2), "inventory": {"stone_pickaxe": 1}}
    assert act(facts).endswith("Action: equip wooden_pickaxe")
    held = {**facts, "inventory": {"wooden_pickaxe": 1}, "equipped": "wooden_pickaxe"}
    assert act(held).endswith("Action: mine 2 cobblestone")


def test_after_a_failure_the_rules_gather_something_else_if_they_can():
    ways = (*WAYS, Call("mine", "sand"), Call("craft", "sandstone", 1, {"sand": 4, "log": 1}))
    facts = {**FACTS, "goal": ("craft", "sandstone", 1), "ways": ways, "inventory": {}}
    failed = (*turns("mine 4 sand"), (1, "observation", "failed (not_found)"))
    assert action_with_thought(facts).endswith("mine 4 sand")
    assert action_with_thought({**facts, "turns": failed}).endswith("mine 1 log")


def test_an_imagined_goal_is_made_again():
    done = {**FACTS, "goal": ("mine", "log", 1), "turns": turns("mine 1 log")}
    assert action_at_once(done) == "Action: mine 1 log"


def test_a_goal_that_is_worn_is_equipped_once_it_is_held():
    facts = {**FACTS, "goal": ("equip", "wooden_pickaxe", 1), "inventory": {"wooden_pickaxe": 1}}
    assert action_at_once(facts) == "Action: equip wooden_pickaxe"


def test_ways_in_a_circle_end_without_a_thought():
    facts = {**FACTS, "goal": ("craft", "coal", 1), "ways": CIRCLE}
    assert action_at_once(facts).startswith("Action: craft")
