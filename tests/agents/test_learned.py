"""A policy that chooses sub-goals plays as an agent, exactly as in the environment of its training."""

from functools import partial

import gymnasium as gym
import numpy as np
import pytest

import optimus_gym  # noqa: F401
from optimus_gym.agents.learned import LearnedAgent
from optimus_gym.core.errors import BadValue, UnknownName
from optimus_gym.minds.skills import skill_names
from optimus_gym.seeds import VALIDATION
from optimus_gym.testing import agent_rules
from optimus_gym.testing.situations import attached

pytest.importorskip("sb3_contrib")
from tests.agents.choosers import KEYS, MAKERS, chooser_of, saved_chooser

SYMBOLIC = {"world": "symbolic", "resolution": (36, 36), "ticks": 6000}
WOODEN = ["mine oak_log", "craft oak_planks", "craft stick", "follow the plan"]


@pytest.fixture(scope="module")
def source(tmp_path_factory):
    return saved_chooser(tmp_path_factory.mktemp("choosers"))


def told(info, reward):
    return info["subgoal"], info["outcome"], reward, int(info["ticks"])


def played(env, choose, most=12):
    """Return what an episode tells after each of at most `most` steps."""
    seen, info = env.reset(seed=VALIDATION[0])
    steps, over = [], False
    while not over and len(steps) < most:
        seen, reward, terminated, truncated, info = env.step(choose(seen, info))
        over = terminated or truncated
        steps.append(told(info, reward))
    env.close()
    return steps


@pytest.mark.parametrize("rule", agent_rules(), ids=str)
def test_the_agent_keeps_the_contract(rule, source):
    assert rule(partial(LearnedAgent, source)) == ""


@pytest.mark.parametrize("algorithm", MAKERS)
def test_the_agent_chooses_as_its_model_does(algorithm, tmp_path):
    model = chooser_of(algorithm)
    model.save(tmp_path / "model.zip")
    memory = {}

    def choose(seen, info):
        seen = {key: seen[key] for key in KEYS}
        masks = info["action_mask"].astype(bool)
        if algorithm == "DQN":
            values = model.q_net(model.policy.obs_to_tensor(seen)[0]).detach().numpy()[0]
            return int(np.where(masks, values, -np.inf).argmax())
        given = {"action_masks": masks} if algorithm == "MaskablePPO" else memory
        action, state = model.predict(seen, deterministic=True, **given)
        memory["state"] = state
        return int(action)

    chosen = played(gym.make("Optimus-Wood-v0", agent="none", **SYMBOLIC), choose)
    agent = {"name": "sb3", "source": str(tmp_path / "model.zip"), "max_repeats": 100}
    followed = played(gym.make("Optimus-Wood-v0", agent=agent, **SYMBOLIC), lambda *_: 0)
    assert followed == chosen
    assert len(chosen) > 1


def test_a_masked_policy_chooses_possible_sub_goals_alone(source):
    agent = {"name": "sb3", "source": source, "deterministic": False, "max_repeats": 100}
    env = gym.make("Optimus-Wood-v0", agent=agent, **SYMBOLIC)
    steps = played(env, lambda *_: 0, most=30)
    assert len({subgoal for subgoal, *_ in steps}) > 5, "actions are drawn"
    assert not any("missing" in outcome for _, outcome, *_ in steps)


def test_a_set_of_sub_goals_is_played_as_its_file_names_it(tmp_path):
    source = saved_chooser(tmp_path, actions=4, told={"subgoals": WOODEN})
    agent = {"name": "sb3", "source": source, "deterministic": False, "max_repeats": 100}
    env = gym.make("Optimus-Wood-v0", agent=agent, **SYMBOLIC)
    names = {subgoal.replace(" 1 ", " ") for subgoal, *_ in played(env, lambda *_: 0, most=30)}
    assert names <= {*WOODEN, "craft wooden_pickaxe"}
    assert "mine oak_log" in names


def test_the_agent_gives_up_after_the_same_failure_again_and_again(tmp_path):
    source = saved_chooser(tmp_path, actions=1, told={"subgoals": ["mine diamond"]})
    agent = {"name": "sb3", "source": source, "max_repeats": 2}
    env = gym.make("Optimus-Wood-v0", agent=agent, **{**SYMBOLIC, "ticks": 36_000})
    env.reset(seed=VALIDATION[0])
    for _ in range(3):
        *_, truncated, info = env.step(0)
    assert truncated
    assert info["status"] == "gave_up"


@pytest.mark.parametrize(
    ("given", "error", "match"),
    [
        (
            {"actions": 5},
            BadValue,
            rf"expected a policy of {len(skill_names())} actions.*got \[5\]",
        ),
        ({"actions": 4, "told": {"subgoals": WOODEN[:3]}}, BadValue, "of 3 actions"),
        ({"actions": 1, "told": {"subgoals": ["mine aok_log"]}}, UnknownName, "mine oak_log"),
        ({"told": {"subgoals": "mine"}}, BadValue, "subgoals: expected a list of names"),
        ({"keys": (*KEYS, "subgoal_text")}, BadValue, "looks at neither of subgoal, subgoal_text"),
        ({"keys": (*KEYS, "pov")}, BadValue, r"resolution: expected \(36, 36\)"),
    ],
)
def test_a_policy_that_does_not_fit_is_refused(given, error, match, tmp_path):
    agent = LearnedAgent(saved_chooser(tmp_path, **given))
    with pytest.raises(error, match=match):
        attached(agent)


def test_a_policy_that_sees_pictures_sees_those_of_its_caller(tmp_path):
    model = chooser_of(keys=(*KEYS, "pov"))
    model.save(tmp_path / "model.zip")

    def choose(seen, info):
        seen = {key: seen[key] for key in (*KEYS, "pov")}
        masks = info["action_mask"].astype(bool)
        return int(model.predict(seen, deterministic=True, action_masks=masks)[0])

    drawn = {"resolution": (36, 36), "ticks": 200, "view_distance": 32}
    chosen = played(gym.make("Optimus-Wood-v0", agent="none", **drawn), choose, most=3)
    agent = {"name": "sb3", "source": str(tmp_path / "model.zip")}
    assert played(gym.make("Optimus-Wood-v0", agent=agent, **drawn), lambda *_: 0, most=3) == chosen


def test_a_masked_policy_is_no_controller(source):
    with pytest.raises(BadValue, match=r"a masked policy \(MaskablePPO\), which an agent plays"):
        gym.make("Optimus-Wood-v0", controller=f"sb3:{source}", resolution=(36, 36)).reset(seed=0)


def test_rows_choose_apart(source):
    batch = gym.make_vec(
        "Optimus-Wood-v0",
        3,
        vectorization_mode="vector_entry_point",
        autoreset_mode="SameStep",
        agent={"name": "sb3", "source": source},
        **SYMBOLIC,
    )
    batch.reset(seed=VALIDATION[0])
    *_, infos = batch.step(np.zeros(3, np.int64))
    alone = played(
        gym.make("Optimus-Wood-v0", agent={"name": "sb3", "source": source}, **SYMBOLIC),
        lambda *_: 0,
        most=1,
    )
    assert infos["subgoal"][0] == alone[0][0]
