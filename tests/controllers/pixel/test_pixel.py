"""The controller `pixel` plays its network and refuses what does not fit."""

import json

import gymnasium as gym
import numpy as np
import pytest
import torch

import optimus_gym  # noqa: F401
from optimus_gym.controllers.pixel import stamp as stamps
from optimus_gym.controllers.pixel.pixel import PixelController
from optimus_gym.controllers.pixel.senses import AGES, FACT_COUNT, PICTURE_SIDE
from optimus_gym.core.actions import CONTROL_SIZES
from optimus_gym.core.errors import BadValue
from optimus_gym.core.types import SubGoal
from tests.controllers.pixel.test_senses import seen, setting

DRAWN = {"resolution": (64, 64), "view_distance": 32}


def begun(rows=2, **options):
    controller = PixelController(**options)
    controller.attach(setting())
    controller.begin_episodes(range(rows), range(rows))
    controller.begin_subgoals(range(rows), [SubGoal("mine", "oak_log")] * rows)
    return controller


def inputs(rows):
    draws = np.random.default_rng(1)
    pictures = draws.integers(
        256, size=(rows, len(AGES), PICTURE_SIDE, PICTURE_SIDE, 3), dtype=np.uint8
    )
    return pictures, draws.random((rows, FACT_COUNT), np.float32)


def test_the_network_of_the_package_fits_and_is_small():
    from importlib.resources import files

    content = files("optimus_gym.controllers.pixel.data").joinpath("pixel.onnx").read_bytes()
    assert len(content) < 3e6
    begun()


def test_a_rows_actions_do_not_depend_on_other_rows():
    pictures, facts = inputs(8)
    together = begun(8).decide(range(8), pictures, facts)
    alone = begun(8)
    for row in range(8):
        one = alone.decide([row], pictures[[row]], facts[[row]])
        assert one[0].tolist() == together[row].tolist()


@pytest.mark.parametrize("sharpness", [0, -1.0, float("nan"), 101, "2"])
def test_a_sharpness_out_of_range_is_refused(sharpness):
    with pytest.raises(BadValue, match="sharpness: expected a number above 0"):
        PixelController(sharpness=sharpness)


@pytest.mark.parametrize("sharpness", [1.0, 3.0])
def test_actions_are_drawn_in_proportion_and_deterministic_ones_are_the_likeliest(sharpness):
    pictures, facts = inputs(1)
    controller = begun(1, sharpness=sharpness)
    scores = controller._network.run(None, {"pictures": pictures, "facts": facts})[0][0]
    end = int(np.cumsum(CONTROL_SIZES)[-1])
    yaw = np.exp(sharpness * (scores[end - 11 : end] - scores[end - 11 : end].max()))
    drawn = np.array([controller.decide([0], pictures, facts)[0, 12] for _ in range(2000)])
    shares = np.bincount(drawn, minlength=11) / len(drawn)
    assert np.abs(shares - yaw / yaw.sum()).max() < 0.05
    likeliest = begun(1, deterministic=True)
    assert likeliest.decide([0], pictures, facts)[0, 12] == yaw.argmax()


def test_a_subgoal_that_the_network_does_not_know_fails_at_once():
    controller = begun()
    controller.begin_subgoals([1], [SubGoal("mine", "obsidian", 2)])
    _, failures = controller.act([0, 1], seen(rows=2), np.ones(2, bool))
    assert failures[0] is None
    assert (failures[1].reason, failures[1].item, failures[1].count) == ("no_skill", "obsidian", 2)
    controller.begin_subgoals([1], [SubGoal("mine", "oak_log")])
    assert controller.act([0, 1], seen(rows=2), np.ones(2, bool))[1] == [None, None]


@pytest.mark.parametrize("content", [None, b"", b"no network"])
def test_a_missing_or_damaged_file_is_refused(tmp_path, content):
    file = tmp_path / "pixel.onnx"
    if content is not None:
        file.write_bytes(content)
    with pytest.raises(BadValue, match="source: expected a network's file"):
        begun(source=str(file))


@pytest.mark.parametrize("part", stamps.STAMPED)
def test_a_network_for_other_looks_keys_or_senses_is_refused(tmp_path, part):
    from importlib.resources import files

    import onnx

    content = files("optimus_gym.controllers.pixel.data").joinpath("pixel.onnx").read_bytes()
    model = onnx.load_from_string(content)
    told = {**json.loads(stamps.own_stamp()), part: "other"}
    del model.metadata_props[:]
    model.metadata_props.add(key="stamp", value=json.dumps(told))
    file = tmp_path / "other.onnx"
    file.write_bytes(model.SerializeToString())
    with pytest.raises(BadValue, match=f"expected the {part} .*got 'other'"):
        begun(source=str(file))


def test_a_network_without_a_stamp_is_refused(tmp_path):
    from importlib.resources import files

    import onnx

    content = files("optimus_gym.controllers.pixel.data").joinpath("pixel.onnx").read_bytes()
    model = onnx.load_from_string(content)
    del model.metadata_props[:]
    (tmp_path / "bare.onnx").write_bytes(model.SerializeToString())
    with pytest.raises(BadValue, match="expected a stamp"):
        begun(source=str(tmp_path / "bare.onnx"))


def test_an_environment_plays_pixel_without_a_word_of_privilege(recwarn):
    env = gym.make("Optimus-v0", subgoal="SkillMineLog", controller="pixel", ticks=20, **DRAWN)
    env.reset(seed=90_020)
    env.step(0)
    env.close()
    assert not [one for one in recwarn if "privileged" in str(one.message)]


def test_a_file_that_was_written_again_is_read_again(tmp_path):
    from optimus_gym.baselines.imitate.network import Network, write_network

    file = tmp_path / "pixel.onnx"
    given = dict(zip(("pictures", "facts"), inputs(1), strict=True))
    scores = []
    for seed in (0, 1):
        torch.manual_seed(seed)
        write_network(Network(), file)
        scores.append(begun(1, source=str(file))._network.run(None, given)[0])
    assert not np.allclose(*scores)
