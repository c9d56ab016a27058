"""A film shows dark frames as with night vision, labels them, and changes no state."""

import gymnasium as gym
import numpy as np
import pytest

from optimus_gym.core.errors import BadValue
from optimus_gym.wrappers import RecordTicks
from optimus_gym.wrappers.exposure import (
    DARK,
    STAY,
    WELL_LIT,
    Exposure,
    exposure_of,
    labelled,
    luminance,
)
from optimus_gym.wrappers.video import FRAMES_A_SECOND
from tests.wrappers.test_record_ticks import frames, near

UNDERGROUND = {"position": (8.5, 30.0, 8.5), "inventory": {"wooden_pickaxe": 1}}
"""A start in stone; two blocks of cobblestone take seconds."""
LABEL = slice(0, 24)
"""Rows of a picture in which its label stands."""


def grey(level):
    return np.full((36, 64, 3), level, np.uint8)


def shown(levels):
    """Return whether each picture of a film is brightened, given the luminances of its frames."""
    now = iter(levels)
    exposure = Exposure(lambda: grey(next(now)), lambda: grey(200))
    told = []
    for level in levels:
        picture = exposure.draw()
        assert picture[0, 0, 0] == (200 if exposure.is_brightened else level)
        told.append(exposure.is_brightened)
    return told


def test_luminance_weighs_the_colours():
    assert luminance(grey(77)) == pytest.approx(77)
    green = np.zeros((36, 64, 3), np.uint8)
    green[..., 1] = 100
    assert luminance(green) == pytest.approx(58.7)


def test_dark_frames_are_brightened_and_lit_ones_are_not():
    below, above = int(DARK) - 1, int(DARK) + 1
    assert shown([above] * 5 + [below] * 3) == [False] * 5 + [True] * 3


def test_brightening_does_not_change_between_the_thresholds():
    between = (int(DARK) + int(WELL_LIT)) // 2
    assert shown([between] * 50) == [False] * 50
    assert shown([0] + [between] * 50) == [True] * 51


def test_a_second_of_light_ends_the_brightening():
    bright = int(WELL_LIT) + 1
    assert shown([0] + [bright] * 30) == [True] * STAY + [False] * (31 - STAY)
    assert shown([0, bright] * 20) == [True] * 40
    assert STAY == FRAMES_A_SECOND


def test_no_picture_is_brightened_without_night_vision():
    exposure = Exposure(lambda: grey(0))
    assert exposure.draw().max() == 0
    assert not exposure.is_brightened


def test_an_unchanged_picture_is_not_called_brightened():
    exposure = Exposure(lambda: grey(9), lambda: grey(9))
    exposure.draw()
    assert not exposure.is_brightened


def make(**arguments):
    arguments = {"task": {"item": "cobblestone", "count": 2}, "resolution": (32, 24), **arguments}
    return gym.make("Optimus-v0", **arguments)


def played(env, observe):
    """Follow the plan to the end; return observations, infos and the last snapshot."""
    told = []
    env.unwrapped.watch(lambda row: observe(env.unwrapped))
    told.append(env.reset(seed=0, options=UNDERGROUND))
    over = False
    while not over:
        observation, reward, terminated, truncated, info = env.step(0)
        told.append((observation, reward, info))
        over = terminated or truncated
    return told, env.unwrapped.snapshot()


@pytest.fixture(scope="module")
def films(tmp_path_factory):
    """Return pictures and step results of a bright film and of a true one, and the player's frames."""
    folder = tmp_path_factory.mktemp("films")
    made, own = {}, []
    for name, true_light in (("bright", False), ("true", True)):
        env = make(render_mode="rgb_array")
        env = RecordTicks(env, folder / name, true_light=true_light)
        own.clear()
        told = played(env, lambda inside: own.append(inside.render()))
        env.close()
        made[name] = frames(folder / name / "episode-0.mp4"), told
    return made, [*own]


def test_a_film_of_a_dark_place_is_bright_and_labelled(films):
    made, own = films
    pictures, _ = made["bright"]
    assert len(pictures) == 1 + len(own) + FRAMES_A_SECOND - 1
    assert max(luminance(frame) for frame in own) < DARK
    assert min(luminance(picture) for picture in pictures) > WELL_LIT
    for picture in pictures:
        assert (picture[LABEL, :120] > 220).all(axis=-1).sum() > 100
        assert (picture[LABEL, 200:] > 220).all(axis=-1).sum() == 0


def test_a_film_in_true_light_shows_the_players_frames(films):
    made, own = films
    pictures, _ = made["true"]
    assert len(pictures) == 1 + len(own) + FRAMES_A_SECOND - 1
    for picture, frame in zip(pictures[1:], own, strict=False):
        assert near(picture, frame)
        assert abs(luminance(picture) - luminance(frame)) < 3


def test_the_last_picture_stays_for_a_second(films):
    made, own = films
    for name, (pictures, _) in made.items():
        last = pictures[-FRAMES_A_SECOND:]
        assert all(near(picture, last[0]) for picture in last), name
        assert any(not near(picture, last[0]) for picture in pictures), name
    assert near(made["true"][0][-1], own[-1])


def test_filming_changes_no_observation_info_or_state(films):
    made, _ = films
    unseen, state = played(make(), lambda _: None)
    for told, snapshot in (made["bright"][1], made["true"][1]):
        assert snapshot == state
        assert len(told) == len(unseen)
        for one, other in zip(told, unseen, strict=True):
            assert repr(one[1:]) == repr(other[1:])
            assert one[0].keys() == other[0].keys()
            assert all(np.array_equal(one[0][key], other[0][key]) for key in one[0])


def test_a_film_shows_the_last_tick_even_between_its_pictures(tmp_path):
    env = RecordTicks(make(render_mode="rgb_array"), tmp_path, every=1000)
    played(env, lambda _: None)
    with env.unwrapped.bright_render():
        end = env.unwrapped.render()
    env.close()
    pictures = frames(tmp_path / "episode-0.mp4")
    assert len(pictures) == 1 + 1 + FRAMES_A_SECOND
    assert near(pictures[-1], end)
    assert not near(pictures[0], end)


def test_a_player_with_night_vision_is_filmed_without_change(tmp_path):
    env = RecordTicks(make(render_mode="rgb_array", protocol="optimus-1-paper"), tmp_path)
    env.reset(seed=0, options=UNDERGROUND)
    frame = env.unwrapped.render()
    with env.unwrapped.bright_render():
        assert np.array_equal(env.unwrapped.render(), frame)
    env.close()
    assert near(frames(tmp_path / "episode-0.mp4")[0], frame)


class Framed(gym.Wrapper):
    """Halves the pictures and marks them."""

    def render(self):
        picture = self.env.render()[::2, ::2].copy()
        picture[-20:] = (0, 0, 255)
        return picture


def test_inner_wrappers_change_brightened_pictures_too():
    env = Framed(make(render_mode="rgb_array"))
    env.reset(seed=0, options=UNDERGROUND)
    exposure = exposure_of(env)
    picture = exposure.draw()
    assert exposure.is_brightened
    assert picture.shape == (180, 320, 3)
    assert (picture[-1] == (0, 0, 255)).all()
    assert np.array_equal(exposure_of(env, true_light=True).draw(), env.render())
    env.close()


def test_a_render_after_an_interrupted_bright_render_shows_the_players_frame():
    env = make(render_mode="rgb_array")
    env.reset(seed=0, options=UNDERGROUND)
    frame = env.render()
    with pytest.raises(KeyboardInterrupt), env.unwrapped.bright_render():
        raise KeyboardInterrupt
    assert np.array_equal(env.render(), frame)
    env.close()


def test_a_world_without_night_vision_is_filmed_without_brightening(tmp_path):
    env = make(render_mode="rgb_array", world="symbolic")
    assert "night_vision" not in env.unwrapped.powers
    env = RecordTicks(env, tmp_path)
    env.reset(seed=0)
    over = False
    while not over:
        *_, terminated, truncated, _ = env.step(0)
        over = terminated or truncated
    with (
        env.unwrapped.bright_render(),
        pytest.raises(BadValue, match="lacks the power 'night_vision'"),
    ):
        env.render()
    env.close()
    assert max(picture.max() for picture in frames(tmp_path / "episode-0.mp4")) == 0


def test_a_label_changes_a_copy_and_only_its_top():
    picture = grey(100).repeat(10, 0).repeat(10, 1)
    written = labelled(picture)
    assert (written[LABEL] > 220).any()
    assert (written[24:] == 100).all()
    assert (picture == 100).all()
