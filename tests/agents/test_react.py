"""ReAct thinks, acts and observes; each of the three changes what the backbone is asked and what it does."""

from dataclasses import replace
from pathlib import Path

import pytest

from optimus_gym.agents.react import React
from optimus_gym.backbones.scripted import ScriptedBackbone
from optimus_gym.core.errors import BadValue
from optimus_gym.core.types import Failure, SubGoal
from optimus_gym.testing.situations import situation
from tests.agents.playing import last_info
from tests.agents.removing import unread_facts
from tests.agents.stepping import Stepping
from tests.envs.conftest import make

GOLDEN = Path(__file__).parents[1] / "minds" / "golden"
TABLE = situation(SubGoal("craft", "crafting_table"))
LOGS = replace(TABLE, inventory={"oak_log": 1})
NOT_HERE = Failure("not_found", "oak_log", 1)


def test_each_request_tells_thought_action_and_observation_of_all_turns():
    row = Stepping("react", TABLE)
    row.ends(gained={"oak_log": 1}, here=LOGS)
    assert [request.kind for request in row.asked] == ["act", "act"]
    assert row.told["turns"] == (
        (1, "thought", "still to do: mine 1 log, craft 4 planks, craft 1 crafting_table."),
        (1, "action", "mine 1 log"),
        (1, "observation", "reached, gained 1 oak_log"),
    )
    assert row.told["inventory"] == {"oak_log": 1}
    assert str(row.decision.subgoal) == "craft 4 oak_planks"
    assert not row.decision.replanned


def test_without_observation_the_agent_takes_a_failed_action_for_done():
    assert Stepping("react", TABLE).ends("failed", NOT_HERE) == "mine 1 oak_log"
    row = Stepping("react", TABLE, observes=False)
    assert row.ends("failed", NOT_HERE) == "craft 4 oak_planks"
    assert {what for _, what, _ in row.told["turns"]} == {"thought", "action"}
    assert not {"inventory", "equipped", "stations"} & set(row.told)


def test_without_thought_the_agent_looks_one_step_ahead():
    pickaxe = situation(SubGoal("craft", "wooden_pickaxe"))
    assert str(Stepping("react", pickaxe).decision.subgoal) == "mine 3 oak_log"
    row = Stepping("react", pickaxe, reasons=False)
    assert str(row.decision.subgoal) == "mine 1 oak_log"
    row.ends()
    assert {what for _, what, _ in row.told["turns"]} == {"action", "observation"}


def test_a_failed_action_counts_towards_the_limit():
    row = Stepping("react", TABLE, max_replans=2)
    for _ in range(2):
        row.ends("failed", NOT_HERE)
        assert row.decision.replanned
    row.ends("failed", NOT_HERE)
    assert (row.decision.subgoal, row.decision.reason) == (None, str(NOT_HERE))


def test_an_answer_in_other_words_is_read():
    said = '**Thought:** wood first, then\n- Action: mine({"log": 2}, "wooden_axe")'
    row = Stepping("react", TABLE, ScriptedBackbone([said, "2. craft 4 planks"]))
    assert [str(one) for one in row.decision.plan] == ["equip 1 wooden_axe", "mine 2 oak_log"]
    assert row.ends() == "mine 2 oak_log"
    assert row.ends() == "craft 4 oak_planks"
    assert row.told["turns"][:2] == (
        (1, "thought", "wood first, then"),
        (1, "action", "equip wooden_axe, mine 2 log"),
    )


def test_only_the_first_action_of_an_answer_is_carried_out():
    row = Stepping("react", TABLE, ScriptedBackbone(["1. mine 2 log\n2. craft 4 planks"]))
    assert [str(one) for one in row.decision.plan] == ["mine 2 oak_log"]


@pytest.mark.parametrize(("reasons", "page"), [(True, "react"), (False, "react_without_thought")])
def test_the_requests_equal_their_golden_files(reasons, page):
    row = Stepping("react", TABLE, reasons=reasons)
    row.ends(gained={"oak_log": 1}, here=LOGS)
    assert row.asked[-1].text == (GOLDEN / f"{page}.md").read_text(encoding="utf-8")


HOLDS = {"oak_planks": 5}
PICKAXE = situation(SubGoal("craft", "wooden_pickaxe"), HOLDS, stations=["crafting_table"])
STONE = situation(SubGoal("mine", "cobblestone"), {"wooden_pickaxe": 1}, equipped="wooden_pickaxe")
SAND = situation(SubGoal("craft", "sandstone"))


def test_the_rules_read_every_fact_of_a_request():
    unread = set(unread_facts(Stepping("react", PICKAXE).asked[0]))
    assert unread == {"turns", "equipped"}
    assert "equipped" not in unread_facts(Stepping("react", STONE).asked[0])
    row = Stepping("react", situation(SubGoal("craft", "glass", 2)))
    assert row.ends("failed", NOT_HERE) != "None"
    assert "turns" not in unread_facts(row.asked[-1])


@pytest.mark.parametrize("switch", ["reasons", "observes", "recipes"])
def test_a_wrong_switch_is_named(switch):
    with pytest.raises(BadValue, match=f"{switch}: expected True or False, got 1"):
        React(**{switch: 1})


@pytest.mark.parametrize("world", ["symbolic", "voxel"])
def test_react_crafts_its_wooden_task(world):
    env = make("Optimus-Wood-v0", world=world, agent="react")
    info = last_info(env)
    assert info["is_success"], info["reason"]
