"""A film of the sub-goal view shows every tick, not every step."""

import gc
import pickle
import subprocess
import sys

import av
import gymnasium as gym
import numpy as np
import pytest

from optimus_gym.core.errors import BadValue, UnknownName
from optimus_gym.wrappers import RecordTicks
from optimus_gym.wrappers.video import FRAMES_A_SECOND

HELD = FRAMES_A_SECOND - 1
"""Further pictures of the last moment."""


def make(view="Optimus", **arguments):
    arguments = {"task": {"item": "oak_planks"}, "render_mode": "rgb_array", **arguments}
    return gym.make(f"{view}-v0", resolution=(16, 12), **arguments)


def frames(path):
    with av.open(str(path)) as container:
        return [frame.to_ndarray(format="rgb24") for frame in container.decode(video=0)]


def play(env, seed=0, **options):
    """Follow the plan to the end; return the ticks."""
    env.reset(seed=seed, options=options or None)
    over = False
    while not over:
        *_, terminated, truncated, info = env.step(0)
        over = terminated or truncated
    return info["ticks"]


def pictures_of(ticks, every):
    """Return the number of pictures in a film of an ended episode: its start, each `every` ticks, its end."""
    return 1 + -(-ticks // every) + ((ticks - 1) % every > 0) + HELD


def near(picture, other):
    """Return whether two pictures differ no more than a video's compression makes them."""
    return np.abs(picture.astype(int) - other.astype(int)).mean() < 6


def test_a_copy_films_every_tick_too(tmp_path):
    env = RecordTicks(make(), tmp_path, every=3)
    env.reset(seed=0)
    copy = pickle.loads(pickle.dumps(env))
    env.close()
    (tmp_path / "episode-0.mp4").unlink()
    ticks = play(copy)
    assert len(frames(tmp_path / "episode-0.mp4")) == pictures_of(ticks, 3)


def test_a_film_is_kept_when_its_environment_is_deleted(tmp_path):
    env = RecordTicks(make("OptimusFlat"), tmp_path)
    env.reset(seed=0)
    env.step(env.unwrapped.noop())
    del env
    gc.collect()
    assert [path.name for path in tmp_path.iterdir()] == ["episode-0.mp4"]
    assert len(frames(tmp_path / "episode-0.mp4")) == 2 + HELD


def test_a_film_is_kept_when_python_exits(tmp_path):
    script = (
        "import sys, gymnasium, optimus_gym\n"
        "from optimus_gym.wrappers import RecordTicks\n"
        "env = gymnasium.make('OptimusFlat-Wood-v0', resolution=(16, 12), render_mode='rgb_array')\n"
        "env = RecordTicks(env, sys.argv[1])\n"
        "env.reset(seed=0)"
    )
    subprocess.run([sys.executable, "-c", script, str(tmp_path)], check=True)
    assert len(frames(tmp_path / "episode-0.mp4")) == 1 + HELD
    assert len(list(tmp_path.iterdir())) == 1


@pytest.mark.parametrize("every", [1, 7])
def test_every_tick_is_in_the_film(tmp_path, every):
    env = RecordTicks(make(), tmp_path / "films", every=every)
    shown = []
    env.unwrapped.watch(lambda row: shown.append(env.unwrapped.render()))
    ticks = play(env)
    assert ticks > 20
    assert [path.name for path in (tmp_path / "films").iterdir()] == ["episode-0.mp4"]
    film = frames(tmp_path / "films" / "episode-0.mp4")
    assert len(film) == pictures_of(ticks, every)
    due = shown[::every]
    for picture, seen in zip(film[1 : 1 + len(due)], due, strict=True):
        assert near(picture, seen)
    assert all(near(picture, shown[-1]) for picture in film[-FRAMES_A_SECOND:])
    assert not near(film[0], film[-1])


def test_each_episode_has_a_film_unless_the_trigger_leaves_it_out(tmp_path):
    env = RecordTicks(make(), tmp_path, every=5, episode_trigger=lambda number: number != 1)
    options = {"inventory": {"oak_log": 1}}
    for _ in range(3):
        play(env, **options)
    env.reset(seed=1)
    ended = sorted(path.name for path in tmp_path.glob("*.mp4"))
    assert ended == ["episode-0.mp4", "episode-2.mp4"]
    env.close()
    assert len(frames(tmp_path / "episode-3.mp4")) == 1 + HELD


def test_a_refused_reset_leaves_no_film(tmp_path):
    env = RecordTicks(make(), tmp_path)
    with pytest.raises(UnknownName, match="biome"):
        env.reset(seed=0, options={"biome": "moon"})
    env.close()
    assert list(tmp_path.iterdir()) == []


def test_the_helpers_ticks_in_a_reset_are_filmed(tmp_path):
    """In the control view the helper crafts planks before the first step."""
    env = RecordTicks(make("OptimusControl"), tmp_path)
    _, info = env.reset(seed=0, options={"inventory": {"oak_log": 1}})
    ticks = info["ticks"]
    env.close()
    assert len(frames(tmp_path / "episode-0.mp4")) == ticks + HELD
    assert ticks > 0


@pytest.mark.parametrize(
    ("arguments", "given", "message"),
    [
        ({"render_mode": None}, {}, "expected render_mode='rgb_array', got None"),
        ({"render_mode": "rgb_array_list"}, {}, "expected render_mode='rgb_array', got 'rgb_arr"),
        ({}, {"every": 0}, "every: expected an integer of at least 1, got 0"),
        ({}, {"folder": "a\0b"}, "folder: expected a path"),
        ({}, {"folder": "README.md"}, "cannot make the folder 'README.md'"),
    ],
)
def test_bad_input_is_refused(tmp_path, arguments, given, message):
    with pytest.raises(BadValue, match=f"RecordTicks: {message}"):
        RecordTicks(make(**arguments), **{"folder": tmp_path, **given})


def test_other_environments_are_refused(tmp_path):
    env = gym.make("CartPole-v1")
    env.unwrapped.render_mode = "rgb_array"
    with pytest.raises(BadValue, match="RecordTicks: expected an environment of optimus-gym"):
        RecordTicks(env, tmp_path)


@pytest.mark.parametrize("view", ["Optimus", "OptimusControl", "OptimusFlat"])
def test_render_lists_the_pictures_of_all_ticks_since_the_last_render(view):
    env = make(view, render_mode="rgb_array_list", subgoal_ticks=15)
    other = make(view, subgoal_ticks=15)
    assert env.render_mode == "rgb_array_list"
    shown = []
    other.unwrapped.watch(lambda row: shown.append(other.render()))
    action = env.unwrapped.noop()
    for seed in (0, 1):
        for one in (env, other):
            one.reset(seed=seed)
        (first,) = env.render()
        assert np.array_equal(first, other.render())
        assert env.render() == []
        shown.clear()
        for _ in range(2):
            ticks = env.step(action)[-1]["ticks"]
            other.step(action)
        listed = env.render()
        assert len(listed) == ticks == len(shown)
        assert all(np.array_equal(one, two) for one, two in zip(listed, shown, strict=True))


def test_a_refused_reset_keeps_the_list_of_pictures():
    env = make(render_mode="rgb_array_list")
    env.reset(seed=0)
    with pytest.raises(UnknownName, match="biome"):
        env.reset(seed=0, options={"biome": "moon"})
    assert len(env.render()) == 1
