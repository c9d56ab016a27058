"""A task of Minecraft that is played by calling named tools."""

import inspect
import pickle
import subprocess
import sys
from copy import deepcopy
from functools import partial

import pytest
from gymnasium.error import ResetNeeded

from optimus_gym.core.errors import BadValue, UnknownName
from optimus_gym.seeds import TRAIN
from optimus_gym.wrappers import ToolEnv
from optimus_gym.wrappers.tool_env import tool_names

HUGE = 10**5000
PICKAXE = (
    ("mine", "log", 3),
    ("craft", "planks", 12),
    ("craft", "stick", 4),
    ("craft", "crafting_table", 1),
    ("place", "crafting_table"),
    ("craft", "wooden_pickaxe", 1),
)


def begun(seed=0, **arguments):
    tools = ToolEnv(world="symbolic", **arguments)
    tools.reset(seed=seed)
    return tools


def play(tools, calls=PICKAXE):
    return [getattr(tools, name)(*arguments) for name, *arguments in calls]


def test_calls_with_counts_reach_the_task_and_are_paid_once():
    tools = begun()
    told = play(tools)
    assert told[0] == (
        "mine 3 oak_log: reached after 440 ticks.\n"
        "Gained: 3 oak_log. Used up: nothing. Held: 3 oak_log."
    )
    assert told[1].splitlines()[1].startswith("Gained: 12 oak_planks. Used up: 3 oak_log.")
    assert told[-1].endswith("\nThe episode is over: success.")
    assert tools.state.status == "success"
    assert tools.get_reward() == tools.state.reward == 1.0


def test_rewards_of_subgoals_are_the_environments_own():
    tools = begun(pays="subgoals")
    play(tools, PICKAXE[:2])
    assert tools.get_reward() == 4.0
    tools.craft("diamond_pickaxe")
    assert tools.get_reward() == 4.0
    assert begun().get_reward() == 0.0


@pytest.mark.parametrize(
    ("call", "told"),
    [
        (("mine", "oak_lgo", 2), "expected an item of the game, got 'oak_lgo', near 'oak_log'"),
        (("mine", "log", "many"), "expected a count from 1 to 2304, got 'many'"),
        (("mine", "log", 0), "expected a count from 1 to 2304, got '0'"),
        (("mine", "log", HUGE), "got 'a number with thousands of digits'"),
        (("mine", HUGE), "expected the name of an item, got a number with thousands of digits"),
        (("craft", None), "expected the name of an item, got None"),
        (("craft", ["stick"]), "expected the name of an item, got ['stick']"),
        (("mine", "log", True), "expected a count from 1 to 2304, got 'True'"),
        (("mine", "log", float("nan")), "expected a count from 1 to 2304, got 'nan'"),
        (("mine", "log", float("inf")), "expected a count from 1 to 2304, got 'inf'"),
        (("mine", "x" * 10**6), "expected an item of the game, got 'xxx"),
        (("recover", "boredom"), "expected one of in_water"),
        (("recover", "hungry"), "expected a verb other than 'recover' in world 'symbolic'"),
    ],
)
def test_a_fault_of_the_mind_is_answered_in_words_and_takes_no_ticks(call, told):
    tools = begun()
    (answer,) = play(tools, (call,))
    assert answer.startswith("Not done: ")
    assert told in answer
    assert (tools.state.ticks, tools.state.steps, tools.state.calls) == (0, 0, 1)


def test_a_failed_subgoal_says_what_is_missing_and_takes_ticks():
    tools = begun()
    told = tools.craft("stone_pickaxe")
    assert told.startswith("craft 1 stone_pickaxe: failed, missing station: 1 crafting_table (")
    assert (tools.state.ticks, tools.state.steps) == (1, 1)


def test_numbers_in_digits_and_common_words_are_understood():
    tools = begun()
    assert tools.mine("Oak Logs", "2").startswith("mine 2 oak_log: reached")
    assert tools.craft("wooden planks", 4.0).startswith("craft 4 oak_planks: reached")


def test_after_the_end_no_tool_acts():
    tools = begun()
    play(tools)
    before = tools.state
    assert tools.mine("log") == ("Not done: the episode is over (success); no tool acts any more.")
    assert tools.look().startswith("Equipment: ")
    assert (tools.state.ticks, tools.state.steps) == (before.ticks, before.steps)
    assert tools.reset(seed=1).startswith("Status: running\n")
    assert tools.get_reward() == 0.0


def test_the_environments_budget_ends_the_episode():
    tools = begun(ticks=100)
    told = tools.mine("log", 64)
    assert "failed, timeout" in told
    assert told.endswith("The episode is over: budget.")
    assert tools.get_reward() == 0.0


def test_the_agent_inside_never_ends_the_episode():
    tools = begun(task="Diamond")
    for _ in range(40):
        tools.craft("diamond_pickaxe")
    assert tools.state.status == "running"
    assert "Plan: " not in tools.status()


@pytest.mark.parametrize(
    ("item", "inventory", "began"),
    [
        ("leather", {}, "kill 2 leather"),
        ("cow", {}, "kill 2 beef"),
        ("white_wool", {}, "kill 2 white_wool"),
        ("white_wool", {"shears": 1}, "shear 2 white_wool"),
        ("milk_bucket", {"bucket": 2}, "milk 2 milk_bucket"),
    ],
)
def test_collect_chooses_the_verb_by_what_is_held(item, inventory, began):
    tools = begun(start={"inventory": inventory})
    assert tools.collect(item, 2).startswith(f"{began}: ")


def test_looking_and_status_take_no_ticks_and_say_the_situation():
    tools = begun(start={"inventory": {"stone_pickaxe": 1}})
    tools.equip("stone_pickaxe")
    ticks = tools.state.ticks
    assert tools.look().splitlines()[0] == "Equipment: hand stone_pickaxe"
    assert "Held: 1 stone_pickaxe\n" in tools.status()
    assert tools.state.ticks == ticks
    assert tools.state.calls == 3


def test_look_returns_the_screen_of_the_embedded_world():
    with ToolEnv(task={"item": "oak_planks"}, resolution=(16, 12)) as tools:
        tools.reset(seed=1)
        text, picture = tools.look()
        assert text["text"].splitlines()[-1].startswith("Place: height ")
        assert picture["image"].size == (640, 360)
        assert len(picture["image"].getcolors(1 << 18)) > 100
        assert tools.mine("log", 2).startswith("mine 2 oak_log: reached after ")
        assert sum(n for name, n in tools.state.inventory if name.endswith("_log")) == 2
    with ToolEnv(task={"item": "oak_planks"}, resolution=(16, 12), pictures=False) as tools:
        tools.reset(seed=1)
        assert isinstance(tools.look(), str)


def test_without_a_seed_every_tool_environment_draws_the_same_training_seeds():
    seeds = []
    for _ in range(2):
        tools = begun(seed=None)
        first = tools.state.seed
        tools.reset()
        seeds.append((first, tools.state.seed))
    assert seeds[0] == seeds[1]
    assert seeds[0][0] != seeds[0][1]
    assert all(seed in TRAIN for seed in seeds[0])


def test_a_row_of_a_data_set_may_name_the_task():
    tools = begun()
    assert "Task: Craft a stone pickaxe" in tools.reset(seed=3, task="Stone", prompt=[], answer=1)
    assert tools.state.task == "Stone"
    assert tools.spec.arguments["task"] == "Wood"
    tools.reset(seed=3)
    assert tools.state.task == "Wood"  # the next row names none
    assert begun(seed=3).state == tools.state


def test_a_row_may_name_the_task_of_an_environment_with_a_suite():
    tools = ToolEnv(world="symbolic", suite="optimus-67")
    assert "Task: Craft a stone pickaxe" in tools.reset(seed=3, task="Stone")
    tools.reset(seed=3)
    again = ToolEnv(world="symbolic", suite="optimus-67")
    again.reset(seed=3)
    assert tools.state.task == again.state.task


def test_an_environment_that_cannot_begin_is_closed(monkeypatch):
    tools = begun()
    made = []

    def broken(task):
        made.append(Broken())
        return made[0]

    monkeypatch.setattr(tools, "_made", broken)
    with pytest.raises(BadValue, match="no world"):
        tools.reset(seed=3, task="Stone")
    assert made[0].closed
    assert tools.mine("log").startswith("mine 1 oak_log: reached")


class Broken:
    closed = False

    def reset(self, seed):
        raise BadValue("no world")

    def close(self):
        self.closed = True


@pytest.mark.parametrize("row", [{"seed": -1}, {"seed": "x"}, {"task": "Ston"}])
def test_a_wrong_row_is_refused_and_the_episode_goes_on(row):
    tools = begun()
    play(tools, PICKAXE[:1])
    before = tools.state
    with pytest.raises((BadValue, UnknownName)):
        tools.reset(**row)
    assert tools.state == before
    assert tools.craft("planks").startswith("craft 1 oak_planks: reached")


def test_the_state_has_no_transcript_and_depends_on_spec_seed_and_calls_alone():
    one, other = begun(seed=7), begun(seed=7)
    for tools in (one, other):
        play(tools, PICKAXE[:3])
    assert one.state == other.state
    assert pickle.loads(pickle.dumps(one.state)) == one.state
    assert begun(seed=8).state != begun(seed=7).state
    program = (
        "from tests.wrappers.test_tool_env import *; t = begun(seed=7); play(t, PICKAXE[:3]); "
        "import sys; sys.stdout.buffer.write(pickle.dumps(t.state))"
    )
    made = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True)
    assert pickle.loads(made.stdout) == one.state


@pytest.mark.parametrize("copied", [lambda one: pickle.loads(pickle.dumps(one)), deepcopy])
def test_a_copy_is_made_from_the_specification_and_awaits_its_reset(copied):
    tools = begun(task={"item": "stick", "count": 2}, pays="subgoals", pictures=False)
    play(tools, PICKAXE[:2])
    copy = copied(tools)
    assert copy.spec == tools.spec == pickle.loads(pickle.dumps(tools.spec)).make().spec
    assert copy.state.status == "abandoned"
    with pytest.raises(ResetNeeded):
        copy.mine("log")
    copy.reset(seed=0)
    play(copy, PICKAXE[:2])
    assert copy.state == tools.state


def test_arguments_are_checked_when_it_is_made():
    with pytest.raises(BadValue, match="pictures: expected True or False"):
        ToolEnv(pictures="no")
    with pytest.raises(BadValue, match="info: expected another argument"):
        ToolEnv(info="numbers")
    with pytest.raises(UnknownName, match="'success'"):
        ToolEnv(pays="succes")
    with pytest.raises(UnknownName):
        ToolEnv(world="symbolic", task="Wod")


def test_every_public_method_is_a_tool_as_trl_lists_them():
    listed = {
        name
        for name, _ in inspect.getmembers(ToolEnv, predicate=inspect.isfunction)
        if name[0] != "_"
    }
    assert listed == {*tool_names(), "reset", "get_reward"}
    assert {"mine", "craft", "smelt", "equip", "place", "find", "look", "status"} < listed


@pytest.mark.slow
def test_transformers_makes_a_schema_of_every_tool():
    utils = pytest.importorskip("transformers.utils.chat_template_utils")
    tools = partial(ToolEnv, world="symbolic")()
    for name in tool_names():
        function = utils.get_json_schema(getattr(tools, name))["function"]
        assert function["name"] == name
        counts = function["parameters"]["properties"].get("count", {"type": "integer"})
        assert counts["type"] == "integer"
