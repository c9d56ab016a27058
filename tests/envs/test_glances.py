"""Agents see the observation's picture: the same bytes, drawn once, and refused when outdated."""

import gymnasium as gym
import numpy as np
import pytest
from gymnasium.envs.registration import EnvSpec

from optimus_gym.agents.optimus1.agent import Optimus1
from optimus_gym.core.errors import BadValue, StalePicture
from optimus_gym.core.squeezing import squeezed


class Glancing(Optimus1):
    """Looks at the observation's picture every tick, and at each sub-goal's end."""

    period = 1

    def __init__(self, looks=True):
        super().__init__(switches={"reflection": False}, eyes="none")
        self.looks = looks
        self.seen = {}
        self.ends = []
        self.unseen = []

    def watch(self, situations):
        for situation in situations:
            if self.looks:
                self.seen[situation.row] = situation.pov.look()
            else:
                self.unseen.append(situation.pov)
        return super().watch(situations)

    def ended(self, outcomes):
        self.ends += [outcome.pov for outcome in outcomes]
        super().ended(outcomes)


def drawing(envs):
    """Return a list that collects the number of rows of each drawing from now on."""
    world = envs.unwrapped._view.runtime.world
    frames, drawn = world.frames, []

    def noting(rows, images):
        drawn.append(len(rows))
        frames(rows, images)

    world.frames = noting
    return drawn


def made(agent, rows=2, **given):
    envs = gym.make_vec("OptimusControl-Wood-v0", num_envs=rows, agent=agent, **given)
    envs.reset(seed=[100_000 + row for row in range(rows)])
    return envs


def still(envs):
    return np.array([[1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 5, 5]] * envs.num_envs)


def test_an_agent_sees_what_the_observation_shows():
    agent = Glancing()
    envs = made(agent)
    for _ in range(3):
        observations, *_ = envs.step(still(envs))
        for row in range(2):
            assert np.array_equal(agent.seen[row], observations["pov"][row])
    envs.close()


def test_all_rows_are_drawn_together_and_once():
    envs = made(Glancing())
    drawn = drawing(envs)
    envs.step(still(envs))
    assert drawn == [2]
    envs.close()


def test_an_unseen_picture_is_not_drawn_and_cannot_be_seen_later():
    agent = Glancing(looks=False)
    envs = made(agent)
    drawn = drawing(envs)
    envs.step(still(envs))
    envs.step(still(envs))
    assert drawn == [2, 2]
    with pytest.raises(StalePicture):
        agent.unseen[0].look()
    envs.close()


def test_a_seen_picture_is_read_only_and_stays_the_same():
    agent = Glancing()
    envs = made(agent, rows=1)
    envs.step(still(envs))
    first = agent.seen[0]
    kept = first.copy()
    with pytest.raises(ValueError, match="read-only"):
        first[0] = 0
    for _ in range(5):
        envs.step(still(envs))
    assert np.array_equal(first, kept)
    envs.close()


def test_the_picture_of_a_subgoals_end_can_be_seen_in_its_tick_only():
    agent = Glancing()
    env = gym.make("Optimus-Wood-v0", agent=agent)
    env.reset(seed=100_000)
    env.step(0)
    observation, *_ = env.step(0)
    assert len(agent.ends) == 2
    assert np.array_equal(agent.ends[-1].look(), observation["pov"])
    with pytest.raises(StalePicture):
        agent.ends[0].look()
    env.close()


def test_a_world_without_pictures_gives_the_agent_no_picture():
    agent = Glancing(looks=False)
    env = gym.make("Optimus-Wood-v0", agent=agent, world="symbolic")
    env.reset(seed=100_000)
    env.step(0)
    assert agent.ends == [None]
    env.close()


@pytest.mark.parametrize("rows", [1, 20])
def test_a_squeezed_pov_is_the_reduced_screen_for_policy_and_agent(rows):
    agent = Glancing()
    envs = made(agent, rows, pov="squeezed", render_mode="rgb_array", resolution=(128, 96))
    observation, *_ = envs.step(still(envs))
    screens = np.stack(envs.render())
    assert np.array_equal(observation["pov"], squeezed(screens, (128, 96)))
    assert all(np.array_equal(agent.seen[row], observation["pov"][row]) for row in range(rows))
    envs.close()


def test_a_specification_keeps_the_squeezed_pov():
    env = gym.make("OptimusFlat-Wood-v0", pov="squeezed", render_mode="rgb_array")
    observation, _ = env.reset(seed=3)
    assert np.array_equal(observation["pov"], squeezed(env.render(), (128, 128)))
    copy = gym.make(EnvSpec.from_json(env.spec.to_json()))
    assert np.array_equal(copy.reset(seed=3)[0]["pov"], observation["pov"])
    env.close()
    copy.close()


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"pov": "small"}, "pov: expected 'drawn' or 'squeezed', got 'small'"),
        ({"pov": None}, "pov: expected 'drawn' or 'squeezed', got None"),
        (
            {"pov": "squeezed", "resolution": (641, 360)},
            r"resolution: expected at most \(640, 360\) with pov='squeezed', got \(641, 360\)",
        ),
    ],
)
def test_bad_values_of_pov_are_refused(given, said):
    for make in (gym.make, gym.make_vec):
        with pytest.raises(BadValue, match=said):
            make("OptimusFlat-Wood-v0", **given)


class Reading(Optimus1):
    """Keeps its setting and the situations."""

    def attach(self, setting):
        super().attach(setting)
        self.setting = setting

    def decide(self, situations):
        self.situations = situations
        return super().decide(situations)


def test_an_agent_gets_the_overlay_of_its_world():
    agent = Reading(switches={"reflection": False})
    env = gym.make("Optimus-Wood-v0", agent=agent, resolution=(16, 12))
    env.reset(seed=5)
    handed, drawn = agent.setting.overlay(), env.unwrapped._view.runtime.world.overlay()
    assert handed is drawn
    assert agent.eyes.look(agent.situations)[0].words["health"] == "20 of 20"


def test_an_agent_gets_no_overlay_from_a_world_without_overlay():
    agent = Reading(switches={"reflection": False})
    gym.make("Optimus-Wood-v0", agent=agent, world="symbolic")
    assert agent.setting.overlay is None
