"""A fallible backbone makes the same errors in episodes with the same seed."""

import pickle
from copy import deepcopy

import pytest

from optimus_gym.backbones.fallible import FallibleBackbone
from optimus_gym.backbones.rules import RulesBackbone
from optimus_gym.testing.situations import CountingBackbone
from tests.envs.conftest import make

WORLD = {"name": "symbolic", "failures": 0.4}


def played(env, seed):
    """Return the infos of an episode without the latencies of the answers."""
    _, info = env.reset(seed=seed)
    told, over = [], False
    while not over:
        _, reward, terminated, truncated, info = env.step(0)
        over = terminated or truncated
        info["backbone"].pop("latency_s")
        told.append((reward, info["plan"], info["problems"], info["outcome"], info["backbone"]))
    return [*told, info["status"], info["ticks"]]


def erring(backbone):
    return make("Optimus-Iron-v0", world=WORLD, backbone=backbone)


def test_episodes_with_the_same_seed_meet_the_same_errors():
    env = erring({"name": "fallible", "scale": 3})
    first = [played(env, seed) for seed in (3, 4, 5)]
    assert [played(env, seed) for seed in (5, 3, 4)] == [first[2], first[0], first[1]]
    assert [played(erring({"name": "fallible", "scale": 3}), seed) for seed in (3, 4, 5)] == first
    assert [played(erring("rules"), seed) for seed in (3, 4, 5)] != first
    assert any(problems for one in first for _, _, problems, _, _ in one[:-2])


def test_an_interrupted_episode_does_not_change_the_next_one():
    env = erring({"name": "fallible", "scale": 3})
    whole = played(env, 3)
    env.reset(seed=3)
    env.step(0)
    env.reset(seed=3)
    assert played(env, 3) == whole


@pytest.mark.parametrize("copied", [deepcopy, lambda one: pickle.loads(pickle.dumps(one))])
def test_earlier_requests_do_not_change_a_copys_errors(copied):
    used = FallibleBackbone("rules", 3)
    whole = played(erring(used), 7)
    assert played(erring(copied(used)), 7) == whole


def test_every_request_has_the_tick_at_which_it_is_asked():
    counting = CountingBackbone(RulesBackbone())
    env = make("Optimus-Iron-v0", world=WORLD, backbone=counting)
    _, info = env.reset(seed=3)
    asked, over = [0], False
    while not over:
        assert [request.tick for call in counting.calls for request in call] == asked
        _, _, terminated, truncated, info = env.step(0)
        over = terminated or truncated
        asked += [info["ticks"]] * (len(counting.calls) - len(asked))
    assert len(set(asked)) == len(asked) > 2
