"""A controller is loaded only in environments where it acts; each test starts a fresh process."""

import json
import subprocess
import sys

LISTED = """
import json, sys
import gymnasium, optimus_gym
env = gymnasium.make(sys.argv[1], resolution=(16, 12), **json.loads(sys.argv[2]))
env.reset(seed=0)
env.step(env.unwrapped.noop())
print(json.dumps([name for name in sys.modules if name.startswith("optimus_gym.controllers.")]))
"""


def loaded(env_id, **arguments):
    """Return the modules of controllers that a reset and a step load, without the package's name."""
    command = [sys.executable, "-c", LISTED, env_id, json.dumps(arguments)]
    ran = subprocess.run(command, capture_output=True, text=True, check=True)
    return {name.removeprefix("optimus_gym.controllers.") for name in json.loads(ran.stdout)}


UNUSED = {"verbs", "script", "helper", "helper.helper"}
"""The modules that name the helper and make it without its scripts."""


def of_the_oracle(names):
    return {name for name in names if name.split(".")[0] in ("oracle", "compile_oracle")}


def test_no_script_is_loaded_for_an_agent_that_leaves_all_to_the_policy():
    assert loaded("OptimusControl-JarvisMineOakLog-v0", agent="none") == UNUSED


def test_the_helpers_subgoals_do_not_load_the_oracle():
    """Without a planner the helper tries the task's own sub-goal: to craft a wooden pickaxe."""
    names = loaded("OptimusControl-Wood-v0", agent="none")
    assert "helper.scripts" in names
    assert not of_the_oracle(names)


def test_the_flat_view_loads_no_controller():
    assert not loaded("OptimusFlat-Wood-v0") - UNUSED


def test_a_random_controller_loads_no_helper_before_a_craft_verb():
    arguments = {"agent": "none", "controller": "random", "subgoal_ticks": 1}
    assert loaded("Optimus-JarvisMineOakLog-v0", **arguments) == UNUSED | {"random"}


def test_the_oracle_is_loaded_where_it_acts():
    assert of_the_oracle(loaded("Optimus-Wood-v0", agent="none", subgoal_ticks=1))
