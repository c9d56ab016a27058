"""The situation as a text and the inventory by name, for players outside the package."""

import re
from pathlib import Path

import gymnasium
import numpy as np
import pytest
from gymnasium.error import ResetNeeded

from optimus_gym.core.errors import BadValue
from tests.envs.conftest import make

PAGE = Path(__file__).resolve().parents[2] / "docs" / "environments.md"
HELD = {"oak_log": 2, "stick": 1}


def line(text, name):
    (told,) = re.findall(rf"^{name}: (.*)$", text, re.MULTILINE)
    return told


def symbolic(task="Wood", **arguments):
    return make(f"Optimus-{task}-v0@symbolic", **arguments)


def actions(text):
    return {int(k): name for k, name in re.findall(r"^(\d+) (.+)$", text, re.MULTILINE)}


def test_the_pages_example_reaches_its_task_from_the_text(capsys):
    blocks = re.findall(r"```python\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
    (example,) = (block for block in blocks if "def choose(situation)" in block)
    names = {}
    exec(example, names)
    assert names["info"]["is_success"]
    told = capsys.readouterr().out
    assert told.startswith("success {")
    assert "'wooden_pickaxe': 1" in told


def test_the_text_has_status_task_goal_inventory_and_vitals():
    env = symbolic()
    _, info = env.reset(seed=0, options={"inventory": HELD})
    text = info["situation"]
    assert line(text, "Status") == "running"
    assert line(text, "Task") == "Craft a wooden pickaxe"
    assert line(text, "Goal") == "craft 1 wooden_pickaxe"
    assert line(text, "Held") == "2 oak_log, 1 stick"
    assert line(text, "Vitals").startswith("health 20 of 20, food 20 of 20")
    assert line(text, "Last sub-goal") == "nothing"
    assert line(text, "Plan") == "; ".join(info["plan"])
    *_, info = env.step(env.unwrapped.skill_names.index("craft oak_planks"))
    assert line(info["situation"], "Last sub-goal") == "craft 1 oak_planks (reached)"
    assert line(info["situation"], "Held") == "1 oak_log, 4 oak_planks, 1 stick"
    assert env.unwrapped.situation() == info["situation"]


def test_the_text_lists_the_actions_of_the_mask():
    env = symbolic()
    _, info = env.reset(seed=0, options={"inventory": HELD})
    told, names = actions(info["situation"]), env.unwrapped.skill_names
    assert list(told) == np.flatnonzero(info["action_mask"]).tolist()
    assert all(names[k] == name for k, name in told.items())
    assert "craft oak_planks" in told.values()
    assert "craft wooden_pickaxe" not in told.values()


def test_the_text_names_equipment_and_stations_in_reach():
    env = symbolic(task="JarvisEquipIronBoots")
    env.reset(seed=0, options={"inventory": {"iron_boots": 1, "crafting_table": 1}})
    names = env.unwrapped.skill_names
    *_, info = env.step(names.index("place crafting_table"))
    assert line(info["situation"], "In reach") == "crafting_table"
    assert line(info["situation"], "Equipment") == "nothing"
    *_, info = env.step(names.index("equip iron_boots"))
    assert "feet iron_boots" in line(info["situation"], "Equipment")
    assert line(info["situation"], "Status") == "success"
    assert actions(info["situation"]) == {}


@pytest.mark.parametrize(
    ("protocol", "biome", "position"),
    [
        ("vanilla", True, False),
        ("optimus-1-paper", False, False),
        ("mp5-paper", False, True),
        ("deps-paper", True, True),
    ],
)
def test_the_text_gives_biome_and_position_if_the_protocol_shows_them(protocol, biome, position):
    _, info = symbolic(protocol=protocol).reset(seed=0)
    place = line(info["situation"], "Place")
    assert ("biome" in place, "position" in place) == (biome, position)


@pytest.mark.parametrize("env_id", ["Optimus-Wood-v0", "OptimusFlat-Wood-v0"])
def test_the_embedded_worlds_views_have_the_text_too(env_id):
    env = make(env_id, info="full")
    _, info = env.reset(seed=1, options={"inventory": HELD})
    assert dict(info["inventory"]) == env.unwrapped.inventory() == HELD
    assert info["situation"] == env.unwrapped.situation()
    assert line(info["situation"], "Held") == "2 oak_log, 1 stick"
    assert bool(actions(info["situation"])) == env_id.startswith("Optimus-")
    assert ("\nPlan: " in info["situation"]) == env_id.startswith("Optimus-")


def test_a_batch_has_a_text_for_each_rows_present_episode():
    env = gymnasium.make_vec(
        "Optimus-Wood-v0", 2, world="symbolic", resolution=(1, 1), autoreset_mode="SameStep"
    )
    _, infos = env.reset(seed=0)
    inside = env.unwrapped
    ended = np.zeros(2, np.bool_)
    while not ended.any():
        *_, terminated, truncated, infos = env.step(np.zeros(2, np.int64))
        ended = terminated | truncated
    for row in range(2):
        assert infos["_inventory"][row]
        assert dict(infos["inventory"][row]) == inside.inventory(row)
        assert infos["situation"][row] == inside.situation(row)
    row = int(np.flatnonzero(ended)[0])
    assert dict(infos["inventory"][row]) == {}
    assert dict(infos["final_info"]["inventory"][row])["wooden_pickaxe"] == 1
    assert line(infos["final_info"]["situation"][row], "Status") == "success"


def test_gymnasiums_batch_has_the_same_texts():
    kwargs = {"world": "symbolic", "resolution": (1, 1)}
    ours = gymnasium.make_vec("Optimus-Wood-v0", 2, **kwargs)
    theirs = gymnasium.make_vec("Optimus-Wood-v0", 2, vectorization_mode="sync", **kwargs)
    for env in (ours, theirs):
        env.reset(seed=0)
    told, expected = (env.step(np.zeros(2, np.int64))[-1] for env in (ours, theirs))
    for key in ("inventory", "situation"):
        assert told[key].tolist() == expected[key].tolist()


def test_the_text_of_a_failed_world_is_its_status():
    env = symbolic()
    env.reset(seed=0)
    env.unwrapped._view.runtime.end(0, "world_failed", "it broke")
    assert env.unwrapped.situation() == "Status: world_failed (it broke)"


def test_info_in_numbers_has_no_text():
    _, info = symbolic(info="numbers").reset(seed=0)
    assert not {"inventory", "situation"} & set(info)


@pytest.mark.parametrize("method", ["inventory", "situation"])
def test_a_reset_and_a_known_row_are_needed(method):
    env = symbolic().unwrapped
    with pytest.raises(ResetNeeded):
        getattr(env, method)()
    env.reset(seed=0)
    with pytest.raises(BadValue, match="row"):
        getattr(env, method)(1)
