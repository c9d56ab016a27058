"""Acts end when the world shows their success: finds, fights, walks, shafts and uses."""

import numpy as np
import pytest

from optimus_gym.core.deliberation import Decision, Verdict
from optimus_gym.core.errors import BadValue
from optimus_gym.core.types import Event, SubGoal
from optimus_gym.core.witness import LOOK_PERIOD
from optimus_gym.envs.context import lacking
from optimus_gym.envs.courses import Course, Pursuit
from optimus_gym.envs.reaching import (
    evidence_of,
    kills_made,
    share_reached,
    waits_for_word,
)
from tests.envs.conftest import make
from tests.envs.test_loop import Judge

NO_IDS = np.zeros(0, np.int64)
COW = {"item": "cow", "success": "declared"}


def pursuing(subgoal, *verdicts, judge="inventory", task="Wood", seed=1, **arguments):
    """Return an environment whose agent pursues one sub-goal, and the agent."""
    agent = Judge(*verdicts)
    agent.judge = judge
    agent.decide = lambda situations: [Decision(subgoal) for _ in situations]
    arguments = {"controller": "random", "subgoal_ticks": 30, "info": "full", **arguments}
    env = make("Optimus-v0", task=task, agent=agent, **arguments).unwrapped
    env.reset(seed=seed)
    return env, agent


def share(env, subgoal, **pursuit):
    """Return the share of a sub-goal that the environment's world shows now."""
    course = Course(pursuit=Pursuit(subgoal, False, NO_IDS, **pursuit))
    course.stood_then = env._view.runtime.world.poses([0])[0, :3]
    return share_reached(env._view.runtime, course, 0)


@pytest.fixture(scope="module")
def env():
    return pursuing(SubGoal("mine", "dirt"))[0]


def test_a_find_is_reached_when_a_look_shows_the_thing(env):
    assert share(env, SubGoal("find", "grass_block"), ticks=LOOK_PERIOD) == 1.0
    assert share(env, SubGoal("find", "grass_block"), ticks=LOOK_PERIOD + 1) == 0.0
    assert share(env, SubGoal("find", "diamond_ore"), ticks=LOOK_PERIOD) == 0.0


def test_an_item_that_creatures_leave_behind_is_found_when_it_is_held(env):
    runtime = env._view.runtime
    egg = Course(pursuit=Pursuit(SubGoal("find", "egg", 2), False, NO_IDS, ticks=LOOK_PERIOD))
    egg.held_then = runtime.counts[0].copy()
    assert share_reached(runtime, egg, 0) == 0.0


def test_a_fight_counts_the_kills_of_its_creature(env):
    cows = SubGoal("fight", "cow", 4)
    env._view.runtime.happened[0] = (Event("killed", "cow", 2), Event("killed", "pig", 1))
    assert kills_made(env._view.runtime, cows, 0) == 2
    assert kills_made(env._view.runtime, SubGoal("kill", "beef"), 0) == 0
    assert share(env, cows, kills=2) == 0.5
    assert share(env, cows, kills=5) == 1.0


def test_a_walk_is_reached_when_the_thing_is_in_reach(env):
    assert share(env, SubGoal("move", "grass_block")) == 1.0
    assert share(env, SubGoal("move", "diamond_ore")) == 0.0


def test_a_shaft_down_counts_the_blocks_on_the_way_to_its_height(env):
    runtime = env._view.runtime
    pursuit = Pursuit(SubGoal("dig_down", "height", 40), False, NO_IDS)
    player = runtime.world.worlds.players[0]
    stood = runtime.world.poses([0])[0, :3]
    course = Course(pursuit=pursuit, stood_then=np.array([stood[0], 60.0, stood[2]]))
    shares = []
    for height in (60.0, 50.0, 41.0, 40.9, 30.0):
        player["y"] = height
        shares.append(share_reached(runtime, course, 0))
    player["y"] = stood[1]
    assert shares == [0.0, 0.5, 0.95, 1.0, 1.0]


def test_a_shaft_up_is_reached_under_the_sky(env):
    player = env._view.runtime.world.worlds.players[0]
    height = float(player["y"])
    assert share(env, SubGoal("dig_up", "sky")) == 1.0
    player["y"] = 20.0
    assert share(env, SubGoal("dig_up", "sky")) == 0.0
    player["y"] = height


def test_a_use_is_reached_by_its_own_item(env):
    env._view.runtime.happened[0] = (Event("used", "bucket", 1),)
    assert share(env, SubGoal("use", "bucket")) == 1.0
    assert share(env, SubGoal("use", "shears")) == 0.0


@pytest.mark.parametrize(
    ("subgoal", "evidence"),
    [
        (SubGoal("fight", "cow", 2), "2 events killed of cow (`events`)"),
        (SubGoal("move", "cow"), "cow in reach (`in_reach`)"),
        (SubGoal("dig_up", "sky"), "the sky in sight (`under_sky`)"),
        (SubGoal("dig_down", "height", 11), "y 11 (`poses`)"),
        (SubGoal("use", "bucket"), "the event used of bucket (`events`)"),
    ],
)
def test_an_error_about_an_act_names_the_evidence(subgoal, evidence):
    assert evidence_of(subgoal) == evidence


@pytest.mark.parametrize(
    ("subgoal", "told"),
    [
        (SubGoal("dig_down", "height", 256), "height .decide.: expected an integer from 1 to 255"),
        (SubGoal("dig_down", "stone", 11), "expected the item 'height' of dig_down, got 'stone'"),
        (SubGoal("dig_up", "stone"), "expected the item 'sky' of dig_up, got 'stone'"),
        (SubGoal("fight", "cwo"), "expected an item or thing of the game, got 'cwo'"),
    ],
)
def test_an_act_without_an_end_is_refused(subgoal, told):
    with pytest.raises(BadValue, match=told):
        pursuing(subgoal)


COW_AHEAD = ("tp @s ~ ~ ~ 0 10", "summon cow ~ ~1 ~4")
GRASS = SubGoal("find", "grass_block")
TO_GRASS = {"item": "grass_block", "success": "declared"}
ORE = SubGoal("find", "diamond_ore")


def test_the_world_declares_a_found_thing_for_an_agent_that_leaves_it_the_word():
    env, agent = pursuing(GRASS, task=TO_GRASS)
    *_, info = env.step(0)
    assert agent.outcomes[0].end == "reached"
    assert info["is_success"]
    assert ("found", "grass_block", 1) in info["events"]


def test_a_found_thing_awaits_the_word_of_an_agent_that_judges():
    env, agent = pursuing(GRASS, Verdict("COMPLETE"), judge="reflector", task=TO_GRASS)
    *_, terminated, _, info = env.step(0)
    assert (info["status"], terminated, agent.outcomes[0].ticks) == ("success", True, 10)


def test_an_agent_that_goes_on_past_the_thing_has_missed_it():
    env, agent = pursuing(GRASS, Verdict(), judge="reflector", task=TO_GRASS)
    *_, terminated, _, info = env.step(0)
    assert (info["status"], terminated) == ("missed", True)
    assert info["reason"] == "the view showed grass_block as the task asks for"
    assert agent.outcomes[0].over


def test_an_agent_that_declares_what_is_not_in_view_is_mistaken():
    to_ore = {"item": "diamond_ore", "success": "declared"}
    env, _ = pursuing(ORE, Verdict("COMPLETE"), judge="reflector", task=to_ore)
    *_, terminated, _, info = env.step(0)
    assert (info["status"], terminated) == ("mistaken", True)
    assert info["reason"] == "the view lacks diamond_ore"


CONTEXT = {"id": "Dusk", "item": "grass_block", "verb": "find", "success": "declared",
           "instruction": "Find grass", "budget": 600}  # fmt: skip


@pytest.mark.parametrize(
    ("context", "start", "missing"),
    [
        ({"time": "day"}, {}, ""),
        ({"time": "night"}, {}, "time night"),
        ({"time": "night"}, {"time": 14_000}, ""),
        ({"weather": "rain"}, {}, "weather rain"),
        ({"weather": "rain", "light": "bright"}, {"weather": "rain", "time": 6000}, ""),
        ({"light": "bright"}, {"time": 18_000}, "light bright"),
        ({"biome": "plains"}, {"biomes": ["plains"]}, ""),
        ({"biome": "desert"}, {"biomes": ["plains"]}, "biome desert"),
        ({"near": "stone"}, {}, "near stone"),
        ({"near": "cow"}, {"commands": COW_AHEAD}, ""),
    ],
)
def test_a_context_must_hold_when_the_thing_is_declared(context, start, missing):
    task = {**CONTEXT, "context": context, **start}
    env, _ = pursuing(GRASS, Verdict("COMPLETE"), judge="both", task=task, seed=4, subgoal_ticks=12)
    *_, info = env.step(0)
    assert info["status"] == ("mistaken" if missing else "success")
    assert info["reason"] == (f"the view lacks {missing}" if missing else "")
    assert ("commands" in info["assists"]) == ("commands" in start)


def test_the_reward_sees_a_thing_that_the_agent_declares():
    made = []
    told = {"judge": "reflector", "task": CONTEXT, "seed": 4, "subgoal_ticks": 12}
    env, _ = pursuing(GRASS, Verdict("COMPLETE"), reward="sparse", **told)
    assert env.step(0)[1] == 1.0
    env, _ = pursuing(
        GRASS, Verdict("COMPLETE"), reward=lambda change: made.append(change) or 0.0, **told
    )
    env._view.runtime.world.events = lambda row: (Event("mined", "dirt", 1),)
    *_, info = env.step(0)
    before, last = made[-2:]
    assert before.events == (Event("mined", "dirt", 1),)
    assert last.events == (Event("found", "grass_block", 1),), "no event is told twice"
    assert (last.ticks, last.status, before.status) == (0, "success", "running")
    assert sum(change.ticks for change in made) == info["ticks"]


@pytest.mark.parametrize("name", ["Mp5FindCowInDesert", "Mp5FindCowNearWaterInDesertByDay"])
@pytest.mark.parametrize("seed", [2, 3])
def test_commands_put_a_deserts_context_behind_the_player(name, seed):
    cow = SubGoal("find", "cow")
    env, _ = pursuing(cow, task=name, seed=seed)
    assert lacking(env._view.runtime, 0, cow)[0] == "cow"
    env.command("tp @s ~ ~2 ~ 180 10")
    assert lacking(env._view.runtime, 0, cow) == ()


SPADE = {"inventory": {"wooden_shovel": 9}}  # in each slot that random keys choose
DIG = SubGoal("mine", "dirt")
DUG = "dirt dug as the task asks"


def digging(context, *verdicts, subgoal=DIG, judge="reflector", **start):
    """Play an open-ended task in which each tick breaks dirt; return the last info."""
    task = {**CONTEXT, "item": "dirt", "verb": "mine", "context": context, **start}
    env, _ = pursuing(subgoal, *verdicts, judge=judge, task=task, seed=4, subgoal_ticks=12)
    env._view.runtime.world.events = lambda row: (Event("mined", "dirt", 1),)
    *_, info = env.step(0)
    return info


@pytest.mark.parametrize(
    ("context", "start", "missing"),
    [
        ({"tool": "wooden_shovel"}, SPADE, ""),
        ({"tool": "wooden_shovel"}, {}, DUG),
        ({"tool": "wooden_shovel", "time": "night"}, SPADE, "time night"),
        ({"near": "stone"}, {}, "near stone"),
        ({"in": "water"}, {}, DUG),
        ({"in": "water"}, {"commands": ("setblock ~ ~ ~ water",)}, ""),
    ],
)
def test_a_block_is_dug_in_a_context_and_declared(context, start, missing):
    info = digging(context, Verdict("COMPLETE"), **start)
    assert info["status"] == ("mistaken" if missing else "success")
    assert info["reason"] == (f"the view lacks {missing}" if missing else "")


def test_an_agent_that_goes_on_after_the_digging_has_missed_it():
    info = digging({"tool": "wooden_shovel"}, Verdict(), **SPADE)
    assert info["status"] == "missed"


def test_the_world_declares_a_dug_block_for_an_agent_that_leaves_it_the_word():
    assert digging({"tool": "wooden_shovel"}, judge="inventory", **SPADE)["is_success"]
    assert digging({"tool": "wooden_shovel"}, judge="inventory")["status"] == "running"


def test_a_block_that_is_found_is_not_thereby_declared_as_dug():
    info = digging({"tool": "wooden_shovel"}, Verdict("COMPLETE"), subgoal=GRASS)
    assert info["status"] == "running"


def test_a_context_needs_a_world_that_shows_it():
    task = {**CONTEXT, "context": {"time": "day"}}
    with pytest.raises(BadValue, match="expected a world that shows whether grass_block is found"):
        make("Optimus-v0", task=task, world="symbolic")


def test_a_thing_that_the_world_does_not_show_is_not_found_by_a_word():
    env, agent = pursuing(ORE, Verdict("COMPLETE"), judge="reflector")
    *_, info = env.step(0)
    assert (agent.outcomes[0].end, agent.outcomes[0].contradicted) == ("complete", True)
    assert info["events"] == ()


def test_a_thing_to_find_needs_a_world_that_shows_it():
    with pytest.raises(BadValue, match="expected a world that shows whether cow is found"):
        make("Optimus-v0", task=COW, world="tests.worlds.broken:Blind")


def test_acts_that_a_world_cannot_show_are_not_carried_out():
    env, agent = pursuing(SubGoal("move", "cow"), world="tests.worlds.broken:Lost")
    env.step(0)
    assert agent.outcomes[0].failure.reason == "no_skill"


@pytest.mark.parametrize(
    ("verb", "waits"), [("find", True), ("mine", True), ("fight", False), ("move", False)]
)
def test_acts_end_by_the_world_under_an_agent_that_judges(verb, waits):
    assert waits_for_word("reflector", SubGoal(verb, "cow")) is waits
    assert not waits_for_word("both", SubGoal(verb, "cow"))
