"""The explorer tries its task, then what is at hand, changes its tries after failures, and remembers."""

import gymnasium as gym

import optimus_gym  # noqa: F401
from optimus_gym.agents.explorer import Explorer
from optimus_gym.core.types import SubGoal
from optimus_gym.knowledge.graph_folder import read_knowledge, write_knowledge
from optimus_gym.knowledge.knowledge_graph import KnowledgeGraph, full_graph
from optimus_gym.memory.store import ExperienceStore
from optimus_gym.testing.agent_contract import fail_all
from optimus_gym.testing.situations import attached, situation

PICKAXE = {
    "id": "PickaxeOfPlanks",
    "verb": "craft",
    "item": "wooden_pickaxe",
    "instruction": "Craft a wooden pickaxe",
    "success": "reached",
    "budget": 6000,
}


def explored(folder, inventory, seed=100_000, task=PICKAXE, **options):
    """Play an exploration in the symbolic world; return its tries, their ends, and the last info."""
    env = gym.make(
        "Optimus-v0",
        task={**task, "inventory": inventory},
        world="symbolic",
        agent={"name": "explorer", **options},
        memory=folder / "memory",
        learn=True,
        learn_into=folder / "brought",
    )
    _, info = env.reset(seed=seed)
    tries, over = [], False
    while not over:
        *_, terminated, truncated, info = env.step(0)
        over = terminated or truncated
        tries.append((info["subgoal"], str(info["outcome"]).split(":")[0]))
    env.close()
    return tries, info


def test_a_failure_changes_the_next_try_until_the_task_is_done(tmp_path):
    tries, info = explored(tmp_path, {"oak_planks": 9, "stick": 2})
    assert tries == [
        ("craft 1 wooden_pickaxe", "missing_station"),
        ("craft 1 crafting_table", "reached"),
        ("craft 1 wooden_pickaxe", "missing_station"),
        ("place 1 crafting_table", "reached"),
        ("craft 1 wooden_pickaxe", "reached"),
    ]
    assert info["status"] == "success"


def test_what_worked_is_learned_with_its_station_and_remembered_apart(tmp_path):
    explored(tmp_path, {"oak_planks": 9, "stick": 2})
    room = tmp_path / "brought" / PICKAXE["id"]
    (way,) = read_knowledge(room).sources_of("wooden_pickaxe")
    assert way.station == "crafting_table"
    assert {need.choices[0]: need.count for need in way.needs} == {"oak_planks": 3, "stick": 2}
    with ExperienceStore(room, None, writes=False) as store:
        (number,) = store.numbers()
        assert store.outline(number).status == "success"
    assert not (tmp_path / "memory").exists()


def test_after_the_task_other_tries_are_drawn_from_what_is_at_hand(tmp_path):
    tries, info = explored(tmp_path, {"stick": 1, "oak_log": 2, "crafting_table": 1}, max_replans=4)
    assert tries[0] == ("craft 1 wooden_pickaxe", "missing_station")
    assert ("place 1 crafting_table", "reached") in tries
    assert len(tries) == 5
    assert info["status"] == "gave_up"
    assert info["reason"] == "no try is left"


def test_an_empty_bag_leaves_nothing_to_try(tmp_path):
    tries, info = explored(tmp_path, {})
    assert tries == [("craft 1 wooden_pickaxe", "missing_station")]
    assert info["reason"] == "nothing is left to try"


def test_no_try_comes_again_without_a_remedy(tmp_path):
    tries, _ = explored(tmp_path, {"stick": 7}, max_replans=19)
    assert len(set(tries)) == len(tries) == 20


def test_draws_follow_the_seed(tmp_path):
    bag = {"oak_log": 3, "stick": 4, "cobblestone": 2}
    plays = [explored(tmp_path / str(k), bag, seed)[0] for k, seed in enumerate((100_001, 100_001))]
    assert plays[0] == plays[1]
    others = {
        tuple(explored(tmp_path / f"x{seed}", bag, seed)[0]) for seed in range(100_002, 100_006)
    }
    assert len(others) > 1


def test_what_is_not_known_is_tried_before_what_is(tmp_path):
    ways = [way for way in full_graph().sources if way.product != "ladder"]
    write_knowledge(tmp_path / "memory", KnowledgeGraph(ways))
    tries, _ = explored(tmp_path, {"stick": 7}, max_replans=1)
    assert tries[1][0] == "craft 1 ladder"


def test_a_task_that_was_not_found_is_tried_again():
    agent = attached(Explorer())
    here = situation(SubGoal("mine", "diamond"), {})
    agent.begin_episodes([here])
    first = agent.decide([here])
    again = fail_all(agent, [here], first)
    assert again[0].subgoal == first[0].subgoal
    assert again[0].replanned
    assert not first[0].replanned
