"""The caller of the sub-goal view chooses any sub-goal, with a count, which the next action 0 pursues."""

import gymnasium
import numpy as np
import pytest
from gymnasium.error import ResetNeeded

from optimus_gym.core.errors import BadValue
from optimus_gym.core.types import SubGoal
from tests.envs.conftest import make

LOGS = SubGoal("mine", "oak_log", 3)


def begun(task="Wood", **arguments):
    env = make(f"Optimus-{task}-v0@symbolic", **arguments)
    env.reset(seed=0)
    return env


def test_a_chosen_subgoal_is_pursued_with_its_count_in_one_step():
    env = begun()
    env.unwrapped.choose(SubGoal("mine", "dirt", 5))
    _, reward, _, _, info = env.step(0)
    assert info["subgoal"] == "mine 5 dirt"
    assert (info["outcome"], reward) == ("reached", 2.0)
    assert dict(info["inventory"]) == {"dirt": 5}
    assert info["replans"] == 0


def test_a_chosen_subgoal_holds_for_one_step():
    env = begun()
    plan = env.unwrapped.situation().split("Plan: ")[1].split(";")[0]
    env.unwrapped.choose(SubGoal("mine", "dirt", 2))
    assert env.step(0)[-1]["subgoal"] == "mine 2 dirt"
    assert env.step(0)[-1]["subgoal"] == plan


@pytest.mark.parametrize("forget", ["skill", "reset"])
def test_another_action_and_a_reset_drop_the_choice(forget):
    env = begun()
    env.unwrapped.choose(SubGoal("mine", "dirt", 2))
    if forget == "skill":
        names = env.unwrapped.skill_names
        assert env.step(names.index("mine oak_log"))[-1]["subgoal"] == "mine 1 oak_log"
    else:
        env.reset(seed=0)
    assert env.step(0)[-1]["subgoal"] != "mine 2 dirt"


def test_tool_station_and_text_are_filled_in():
    env = begun()
    seen = []
    env.unwrapped._view.watch_ends(seen.append)
    env.unwrapped.choose(SubGoal("mine", "iron_ore", 2))
    env.step(0)
    assert (seen[0].subgoal.tool, seen[0].subgoal.text) == ("stone_pickaxe", "mine 2 iron ore")
    assert seen[0].chosen


def test_find_stays_find():
    env = begun()
    env.unwrapped.choose(SubGoal("find", "oak_log"))
    assert env.step(0)[-1]["subgoal"] == "find 1 oak_log"


def test_rows_choose_for_themselves():
    env = gymnasium.make_vec("Optimus-Wood-v0", 2, world="symbolic", resolution=(1, 1))
    env.reset(seed=0)
    env.unwrapped.choose(SubGoal("mine", "dirt", 4), row=1)
    *_, infos = env.step(np.zeros(2, np.int64))
    assert infos["subgoal"].tolist() == ["mine 3 oak_log", "mine 4 dirt"]
    with pytest.raises(BadValue, match="row"):
        env.unwrapped.choose(LOGS, row=2)


@pytest.mark.parametrize(
    ("subgoal", "told"),
    [
        ("mine dirt", "expected a SubGoal, got 'mine dirt'"),
        (SubGoal("fly", "dirt"), "expected a verb of mine, .*, got 'fly'"),
        (SubGoal("mine", "unobtainium"), "expected an item or thing of the game"),
        (SubGoal("mine", "dirt", 0), "count .*expected an integer from 1"),
        (SubGoal("recover", "boredom"), "expected a predicament of"),
        (SubGoal("recover", "hungry"), "expected a verb other than 'recover' in world 'symbolic'"),
    ],
)
def test_what_the_game_does_not_know_is_refused(subgoal, told):
    env = begun()
    with pytest.raises(BadValue, match=told):
        env.unwrapped.choose(subgoal)
    assert env.step(0)[-1]["subgoal"] == "mine 3 oak_log"


def test_a_choice_needs_a_running_episode():
    env = make("Optimus-Wood-v0@symbolic")
    with pytest.raises(ResetNeeded, match="before its first choice"):
        env.unwrapped.choose(LOGS)
    env.reset(seed=0, options={"inventory": {"wooden_pickaxe": 1}})
    with pytest.raises(ResetNeeded, match=r"over \(success\)"):
        env.unwrapped.choose(LOGS)


def test_the_situation_without_plan_has_no_line_of_the_agent():
    env = begun()
    told, whole = env.unwrapped.situation(plan=False), env.unwrapped.situation()
    assert whole.startswith(told + "\nLast sub-goal: nothing\nPlan: ")
    assert "follow the plan" not in told
