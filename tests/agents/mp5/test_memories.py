"""MP5's memories: knowledge by the likeness of words, and action sequences of earlier episodes."""

import pytest

from optimus_gym.agents.mp5.knowledge_memory import KnowledgeMemory
from optimus_gym.agents.mp5.performer_memory import sequences_of
from optimus_gym.core.errors import BadMemory
from optimus_gym.core.types import SubGoal
from optimus_gym.game.tags import tag
from optimus_gym.memory.pool import ExperiencePool
from optimus_gym.prompts.code_plans import Call
from optimus_gym.testing.situations import situation
from optimus_gym.vision.mini_aligner import MiniAligner
from tests.agents.mp5.marching import ABLE, Marching
from tests.envs.conftest import make
from tests.memory.making import an_experience

LOGS = tag("logs")


@pytest.fixture(scope="module")
def aligner():
    return MiniAligner()


@pytest.fixture(scope="module")
def knowledge(aligner):
    return KnowledgeMemory(ABLE.graph, lambda: aligner)


def test_the_knowledge_of_an_item_has_the_ways_to_it_and_their_places(knowledge):
    ways = {way.item: way for way in knowledge.about(SubGoal("mine", "diamond"))}
    assert ways["planks"].materials == {"log": 1}
    assert ways["diamond"].tool == "iron_pickaxe"
    assert ways["diamond"].note == "from diamond ore, y 0 to 15"


def test_words_that_are_no_items_name_find_the_most_alike_item(knowledge):
    assert knowledge.nearest("wooden pickaxe") == "wooden_pickaxe"
    assert knowledge.nearest("pickaxe wooden") == "wooden_pickaxe"
    assert knowledge.nearest("zzz qqq") is None


def learned(folder, task="Mp5CraftStick"):
    env = make(f"Optimus-{task}-v0", world="symbolic", agent="mp5", memory=folder, learn=True)
    env.reset(seed=100_000)
    over = False
    while not over:
        _, _, terminated, truncated, _ = env.step(0)
        over = terminated or truncated
    env.close()


def test_the_sequences_of_an_episode_are_remembered_with_the_last_one(tmp_path, aligner):
    learned(tmp_path / "memory")
    with ExperiencePool(tmp_path / "memory", aligner, writes=False) as pool:
        rows = sequences_of(pool.outline(pool.store.numbers()[0]))
    assert [row["goal"] for row in rows] == ["mine 1 log", "craft 4 planks", "craft 4 stick"]
    assert rows[-1]["plan"] == (Call("craft", "stick", 4, {"planks": 2}),)
    assert rows[-1]["inventory"] == {"oak_planks": 4}


def test_the_planner_gets_the_sequences_of_like_sub_objectives(tmp_path):
    learned(tmp_path / "memory")
    stick = situation(SubGoal("craft", "stick", 4), {"oak_planks": 2})
    told = Marching(here=stick, setting={"memory": tmp_path / "memory"}).last("plan")
    assert [row["goal"] for row in told["references"]] == ["craft 4 stick"]
    without = Marching(
        here=stick, setting={"memory": tmp_path / "memory"}, switches="no-performer"
    ).last("plan")
    assert "references" not in without


def test_a_remembered_sequence_replaces_knowledge_that_the_parser_lacks(tmp_path):
    learned(tmp_path / "memory")
    stick = situation(SubGoal("craft", "stick", 8), {"oak_planks": 4})
    row = Marching(here=stick, setting={"memory": tmp_path / "memory"}, switches="no-parser")
    assert '"materials": {"planks": 4}' in row.agent.campaigns[0].actions.text


def test_a_memory_of_another_agent_is_named(tmp_path, aligner):
    with ExperiencePool(tmp_path, aligner) as pool:
        pool.add(an_experience("1", "success", pursuits=(), first=None, cases=()))
    with pytest.raises(BadMemory, match="expected episodes that MP5 played"):
        Marching(setting={"memory": tmp_path})
    with pytest.warns(RuntimeWarning, match="goes on without"):
        row = Marching(setting={"memory": tmp_path}, on_bad_memory="go_on")
    assert row.agent.memory_lost


def test_unreadable_sequences_are_left_out():
    told = {"sequences": [{"goal": "mine 1 log", "actions": ["dance()"]}, 3, {"goal": ""}]}
    assert sequences_of(an_experience("1", "success", told=told)) == []
