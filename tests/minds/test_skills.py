"""The skill table holds exactly the sub-goals of all tasks' plans.

To print the table again: python -m tests.minds.test_skills
"""

import json

import pytest

from optimus_gym.backbones.rules import RulesBackbone
from optimus_gym.core.situation import Situation
from optimus_gym.game.tasks import SUITES, tasks
from optimus_gym.knowledge.abilities import abilities_of
from optimus_gym.knowledge.knowledge_graph import full_graph
from optimus_gym.minds.planning import Ask
from optimus_gym.minds.skills import Feasibility, skills
from tests.minds.plans import planner_of, plans_by

SOURCE = "the sub-goals of the full graph's plans for the tasks of all suites, in their order"


def planned_skills():
    planner = planner_of(RulesBackbone(), full_graph())
    rows = {}
    everything = [task for suite in SUITES for task in tasks(suite).values()]
    for task in (task for task in everything if not task.is_sought):
        situation = Situation(0, task, task.goal, inventory=task.inventory)
        for step in plans_by(planner, [Ask(situation)])[0].subgoals:
            row = {"verb": step.verb, "item": step.item}
            if step.accepts:
                row["accepts"] = list(step.accepts)
            if step.tool:
                row["tool"] = step.tool
            if step.station:
                row["station"] = step.station
            row["text"] = f"{step.verb} {step.item.replace('_', ' ')}"
            rows.setdefault((step.verb, step.item), row)
    return list(rows.values())


def test_the_table_of_skills_holds_exactly_the_planned_subgoals():
    table = [(skill.verb, skill.item) for skill in skills()]
    assert table == [(row["verb"], row["item"]) for row in planned_skills()]


def feasible(verb, item, held, stations, graph):
    mask = Feasibility(skills(), graph).mask(held, stations)
    return next(
        can
        for entry, can in zip(skills(), mask, strict=True)
        if (entry.verb, entry.item) == (verb, item)
    )


@pytest.mark.parametrize(
    ("verb", "item", "held", "stations", "expected"),
    [
        ("mine", "oak_log", {}, (), True),
        ("mine", "iron_ore", {"wooden_pickaxe": 1}, (), False),
        ("mine", "iron_ore", {"diamond_pickaxe": 1}, (), True),
        ("craft", "crafting_table", {"oak_planks": 2, "birch_planks": 2}, (), True),
        ("craft", "crafting_table", {"oak_planks": 3}, (), False),
        ("craft", "wooden_pickaxe", {"oak_planks": 3, "stick": 2}, (), False),
        ("craft", "wooden_pickaxe", {"oak_planks": 3, "stick": 2}, ("crafting_table",), True),
        ("craft", "wooden_pickaxe", {"oak_planks": 3, "stick": 2, "crafting_table": 1}, (), False),
        ("place", "crafting_table", {}, ("crafting_table",), False),
        ("smelt", "iron_ingot", {"iron_ore": 1, "coal": 1}, ("furnace",), True),
        ("smelt", "iron_ingot", {"iron_ore": 1, "bow": 1}, ("furnace",), False),
        ("smelt", "iron_ingot", {"iron_ore": 1}, ("furnace",), False),
        ("equip", "iron_pickaxe", {}, (), False),
        ("place", "furnace", {"furnace": 1}, (), True),
        ("mine", "furnace", {"wooden_pickaxe": 1}, ("furnace",), True),
        ("mine", "furnace", {"wooden_pickaxe": 1}, (), False),
        ("mine", "furnace", {"wooden_pickaxe": 1, "furnace": 1}, (), False),
        ("mine", "furnace", {}, ("furnace",), False),
        ("kill", "beef", {}, (), True),
        ("craft", "oak_planks", {"acacia_log": 1}, (), True),
    ],
)
def test_a_skill_is_feasible_with_its_tools_and_ingredients(verb, item, held, stations, expected):
    assert feasible(verb, item, held, stations, full_graph()) is expected


def test_a_verb_that_the_world_lacks_is_not_feasible():
    able, unable = abilities_of("voxel"), abilities_of("voxel", verbs=frozenset({"mine", "craft"}))
    assert feasible("kill", "beef", {}, (), able.graph)
    assert not feasible("kill", "beef", {}, (), unable.graph)


if __name__ == "__main__":
    print(json.dumps({"source": SOURCE, "skills": planned_skills()}, indent=1))
