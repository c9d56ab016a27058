"""The backbone proposes tasks from what the agent has and has done; the rules follow the tools' tiers."""

import pytest

from optimus_gym.agents.jarvis1.self_instruct import Achieved, SelfInstruct
from optimus_gym.backbones.rules import RulesBackbone
from optimus_gym.backbones.scripted import ScriptedBackbone
from optimus_gym.core.requests import Reply
from optimus_gym.game.tasks import task
from optimus_gym.knowledge.abilities import abilities_of
from optimus_gym.minds.cookbook import Cookbook
from optimus_gym.prompts.lines import facts_in
from optimus_gym.testing.situations import CountingBackbone
from tests.agents.jarvis1.asking import facts_that_matter
from tests.agents.jarvis1.test_questions import golden

NAMES = ("Wood", "CraftStick", "CraftCraftingTable", "Stone", "CraftFurnace", "Iron", "Diamond")
POOL = [task(name) for name in NAMES]
BOOK = Cookbook(abilities_of("symbolic").graph)


def proposed(achieved=None, count=3, backbone=None, tells=True):
    """Return the ids of the proposed tasks, and the request."""
    counting = CountingBackbone(backbone or RulesBackbone())
    made = SelfInstruct(counting, POOL, BOOK, tells).propose(achieved or Achieved(), count)
    return [one.id for one in made.tasks], counting.calls[0][0], made.problems


def test_the_first_tasks_need_the_least():
    assert proposed(count=2)[0] == ["CraftStick", "CraftCraftingTable"]


def test_tasks_that_were_reached_lead_on_to_the_next_tier():
    done = {"stick": 1, "crafting_table": 1, "wooden_pickaxe": 2}
    assert proposed(Achieved(done=done))[0] == ["Stone", "CraftFurnace", "Iron"]


def test_held_things_count_as_reached_and_vain_tries_are_put_off():
    assert proposed(Achieved(held={"stone_pickaxe": 1, "stick": 3}), 1)[0] == ["CraftStick"]
    assert proposed(Achieved(held={"iron_pickaxe": 1}), 2)[0] == ["Diamond", "CraftStick"]
    assert proposed(Achieved(lost={"stick": 1}), 1)[0] == ["CraftCraftingTable"]


def test_when_all_is_reached_the_least_often_reached_comes_first():
    done = {"diamond": 1, "iron_pickaxe": 2, "stone_pickaxe": 2, "wooden_pickaxe": 2, "stick": 2,
            "crafting_table": 2, "furnace": 2}  # fmt: skip
    assert proposed(Achieved(done=done), 1)[0] == ["Diamond"]


def test_every_fact_of_a_request_for_tasks_changes_the_proposal():
    achieved = Achieved(
        {"crafting_table": 1}, {"stick": 1, "wooden_pickaxe": 1}, {"stone_pickaxe": 1}
    )
    _, request, _ = proposed(achieved, 3)
    held = proposed(Achieved({"iron_pickaxe": 1}), 3)[1]
    names = set(facts_in(request.text))
    assert names == {"inventory", "done", "lost", "batch", "pool"}
    assert facts_that_matter([request.text, held.text], names) == names


def test_the_request_for_tasks_equals_its_golden_file():
    _, request, _ = proposed(Achieved({"iron_axe": 1}, {"stick": 2}, {"diamond": 1}))
    assert (request.kind, request.row, request.text) == ("instruct", None, golden("instruct"))


def test_without_recipes_the_request_does_not_say_what_tasks_need():
    _, request, _ = proposed(tells=False)
    assert {row["needs"] for row in facts_in(request.text)["pool"]} == {()}


@pytest.mark.parametrize(
    ("answer", "tasks", "problems"),
    [
        ("1. craft stick\n2. mine diamond", ["CraftStick", "Diamond"], 0),
        ("- Craft a **stone pickaxe**\n- craft a stone pickaxe", ["Stone"], 0),
        ("1. craft stick\n2. craft bread", ["CraftStick"], 1),
        ("I would rest.", [], 1),
        ("1. craft stick\n2. mine diamond\n3. craft furnace\n4. craft crafting table",
         ["CraftStick", "Diamond", "CraftFurnace"], 0),
    ],
)  # fmt: skip
def test_a_models_answer_decides_and_its_faults_are_noted(answer, tasks, problems):
    found, _, faults = proposed(backbone=ScriptedBackbone([answer]))
    assert found == tasks
    assert len(faults) == problems


def test_an_answer_that_never_came_proposes_nothing():
    class Dead(RulesBackbone):
        def complete(self, requests):
            return [Reply("", faults=("http 500",)) for _ in requests]

    found, _, faults = proposed(backbone=Dead())
    assert (found, len(faults)) == ([], 1)
