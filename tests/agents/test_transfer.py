"""Without knowledge, a memory of iron tools leads to a golden tool by transfer alone."""

import pytest

from optimus_gym.knowledge.graph_folder import write_knowledge
from optimus_gym.knowledge.knowledge_graph import full_graph
from optimus_gym.minds.recall import EXPERIENCE_PARTS
from tests.agents.playing import last_info
from tests.envs.conftest import make


def play(item, memory, **arguments):
    return last_info(make("Optimus-v0@symbolic", task={"item": item}, memory=memory, **arguments))


@pytest.fixture(scope="module")
def memory(tmp_path_factory):
    folder = tmp_path_factory.mktemp("memory")
    write_knowledge(folder, full_graph())
    for item in ("iron_sword", "iron_pickaxe"):
        assert play(item, folder, learn=True)["status"] == "success"
    return folder


def arm(parts):
    return {"name": "optimus-1", "switches": {"knowledge": False, "experience": parts}}


def test_a_golden_tool_is_reached_only_with_transfer(memory):
    with_it = play("golden_sword", memory, agent=arm(EXPERIENCE_PARTS))
    assert with_it["status"] == "success"
    without = play(
        "golden_sword", memory, agent=arm([one for one in EXPERIENCE_PARTS if one != "transfer"])
    )
    assert without["status"] == "gave_up"
    assert "oak_planks" in without["reason"]
