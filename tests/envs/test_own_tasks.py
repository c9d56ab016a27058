"""Tasks that a user describes or registers."""

from dataclasses import replace

import gymnasium
import pytest

from optimus_gym.core.errors import BadValue, UnknownName
from optimus_gym.core.types import Event
from optimus_gym.envs.own_tasks import register_task, resolve_task
from optimus_gym.knowledge.cheapest import Unobtainable
from tests.envs.conftest import make
from tests.envs.test_symbolic_env import play


def test_a_registered_task_can_be_played_and_bad_tasks_are_refused():
    ids = register_task(
        id="OwnLantern", item="lantern", verb="craft", instruction="Craft a lantern", budget=12_000
    )
    assert ids[0] == "Optimus-OwnLantern-v0"
    _, info = play(gymnasium.make(ids[0], world="symbolic"))
    assert info["is_success"]
    with pytest.raises(BadValue, match="'OwnLantern', which another task has"):
        register_task(id="OwnLantern", item="lantern", verb="craft", instruction="", budget=1)
    with pytest.raises(BadValue, match="2 faults"):
        register_task(id="OwnBad", item="latern", verb="craft", instruction="", budget=0)


def test_an_environment_takes_rows_as_tasks():
    bed = {"id": "RowBed", "item": "#beds", "verb": "craft", "instruction": "", "budget": 12_000}
    one = make("Optimus-v0", task=bed, world="symbolic")
    assert one.reset(seed=1)[1]["task"] == "RowBed"
    several = make("Optimus-v0", task=["Wood", bed], world="symbolic")
    for env in (several, gymnasium.make(several.spec)):
        for name in ("Wood", "RowBed"):
            assert env.reset(seed=1, options={"task": name})[1]["task"] == name
    with pytest.raises(BadValue, match="expected ids of tasks, each once"):
        make("Optimus-v0", task=(bed, {**bed, "budget": 9}), world="symbolic")
    with pytest.raises(BadValue, match=r"task: 1 fault\n  row 0 \(RowBed\): unknown item 'bedd'"):
        make("Optimus-v0", task={**bed, "item": "bedd"}, world="symbolic")
    with pytest.raises(UnknownName, match="unknown task 'RowBed'"):
        resolve_task("RowBed")


def test_a_described_task_may_name_a_tag_and_a_success():
    assert resolve_task({"item": "planks", "count": 4}).goal.count == 4
    assert len(resolve_task({"item": "planks"}).kinds) == 8
    assert resolve_task({"item": "iron_boots", "success": "equipped"}).goal.verb == "equip"
    with pytest.raises(UnknownName, match="unknown success 'worn'"):
        resolve_task({"item": "iron_boots", "success": "worn"})
    with pytest.raises(BadValue, match="count: expected an integer of at least 1, got -2"):
        resolve_task({"item": "stick", "count": -2})


@pytest.mark.parametrize(
    ("item", "verb"),
    [("stick", "craft"), ("charcoal", "smelt"), ("beef", "kill"), ("milk_bucket", "milk"),
     ("oak_log", "mine"), ("bedrock", "mine")],
)  # fmt: skip
def test_a_described_task_gets_the_usual_verb_for_its_item(item, verb):
    assert resolve_task({"item": item}).verb == verb


@pytest.mark.parametrize("item", [None, ["stick"], 3, "", "stick\n", " stick", "st\tick"])
def test_the_error_for_a_bad_item_shows_its_value(item):
    with pytest.raises((BadValue, UnknownName)) as caught:
        resolve_task({"item": item})
    assert repr(item) in str(caught.value)
    assert "did you mean" not in str(caught.value)


def test_a_count_beyond_the_inventorys_capacity_is_refused():
    assert resolve_task({"item": "oak_boat", "count": 36}).count == 36
    with pytest.raises(BadValue, match=r"at most 36 oak_boat \(36 slots of 1\), got 40"):
        resolve_task({"item": "oak_boat", "count": 40})
    with pytest.raises(BadValue, match=r"holds 75 wooden_hoe at once"):
        make("Optimus-v0", task={"item": "poisonous_potato", "count": 64}, world="symbolic")
    with pytest.raises(BadValue, match=r"count of at most 36 \(all slots full\), got 37"):
        register_task(
            id="OwnBoats", item="oak_boat", verb="craft", instruction="", budget=1, count=37
        )


def test_a_verb_that_never_gives_the_item_is_refused():
    with pytest.raises(
        BadValue, match="expected one of the verbs mine, craft, kill for stick, got 'smelt'"
    ):
        register_task(id="OwnStick", item="stick", verb="smelt", instruction="", budget=1)
    register_task(id="OwnBedrock", item="bedrock", verb="mine", instruction="", budget=1)


def test_a_tasks_inventory_may_make_it_possible():
    given = {"netherite_ingot": 1, "diamond_pickaxe": 1}
    own = {"item": "netherite_pickaxe", "verb": "craft", "instruction": "Upgrade", "budget": 6000}
    ids = register_task(id="OwnUpgrade", inventory=given, **own)
    _, info = play(gymnasium.make(ids[0], world="symbolic"))
    assert info["is_success"]
    flat = gymnasium.make(ids[2], resolution=(4, 4)).unwrapped
    assert {"netherite_pickaxe", "smithing_table", "oak_log"} <= set(flat.item_names)
    for name, rest in (("Two", {"count": 2}), ("FromNothing", {"inventory": {}})):
        (poor, *_) = register_task(id=f"OwnUpgrade{name}", **{"inventory": given, **own, **rest})
        with pytest.raises(Unobtainable, match="no source of ancient_debris"):
            gymnasium.make(poor, world="symbolic")


def test_a_task_begins_with_its_inventory():
    """JARVIS-1, Table 8: stone tools are made "given an iron_axe"; an option adds to them."""
    env = make("Optimus-JarvisCraftStoneAxe-v0@symbolic").unwrapped
    env.reset(seed=1)
    assert env._view.runtime.inventory(0) == {"iron_axe": 1}
    env.reset(seed=1, options={"inventory": {"dirt": 2}})
    assert env._view.runtime.inventory(0) == {"iron_axe": 1, "dirt": 2}


def test_only_the_tasks_own_item_counts_as_found():
    """Finding another item does not end the episode."""
    env = make("Optimus-Diamond-v0@symbolic").unwrapped
    env.reset(seed=1)
    runtime = env._view.runtime
    episode = runtime.episode(0)
    episode.task = replace(episode.task, success="declared")
    for subject, over in (("gravel", False), (episode.task.kinds[0], True)):
        episode.events = [Event("found", subject, 1)]
        runtime.judge(0, True, False)
        assert episode.over == over


def test_the_observations_goal_holds_the_tasks_count():
    env = make("OptimusFlat-v0", task=None, suite="jarvis-190", observation="raw").unwrapped
    env.reset(seed=1)
    episode = env._view.runtime.episode(0)
    episode.task = replace(episode.task, count=9)
    assert sorted(env._view.observer.look([0], ["goal"])["goal"][0])[-2:] == [0, 9]


def test_several_tasks_are_chosen_by_option_or_drawn():
    several = make("Optimus-v0", task=("Wood", "Stone", "Diamond"), world="symbolic")
    one = make("Optimus-Diamond-v0", world="symbolic")
    assert several.observation_space == one.observation_space
    for task in ("Stone", "Diamond"):
        _, info = several.reset(seed=3, options={"task": task})
        assert info["task"] == task
    drawn = {several.reset(seed=seed)[1]["task"] for seed in range(20)}
    assert drawn == {"Wood", "Stone", "Diamond"}
    with pytest.raises(UnknownName, match="unknown task of this environment 'Gold'"):
        several.reset(options={"task": "Gold"})
    single = make("Optimus-v0", task=("Wood",), world="symbolic")
    assert single.reset(seed=3, options={"task": "Wood"})[1]["task"] == "Wood"
    for wrong in ((), ("Wood", "Wood")):
        with pytest.raises(BadValue, match="expected ids of tasks, each once"):
            make("Optimus-v0", task=wrong)
    rebuilt = gymnasium.make(several.spec)
    assert rebuilt.reset(seed=3, options={"task": "Wood"})[1]["task"] == "Wood"
