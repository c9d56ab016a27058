from itertools import islice

import numpy as np
import pytest
import torch
from gymnasium.spaces import Discrete, MultiDiscrete
from hypothesis import example, given
from hypothesis import strategies as st

from optimus_gym.baselines.behaviour_cloning import begun, train
from optimus_gym.baselines.recorded_episodes import (
    goals_of,
    labels_of,
    pieces,
    relabelled,
)
from optimus_gym.core.actions import (
    ATTACK,
    FORWARD,
    FUNCTION,
    INVENTORY,
    Function,
    noop,
)
from optimus_gym.core.errors import BadValue
from optimus_gym.core.rng import generator
from optimus_gym.run.record.command import record
from optimus_gym.run.record.recording_setup import Recording
from optimus_gym.vision.mineclip_aligner import MineClipAligner
from tests.baselines.cloning import (
    MEAN,
    episodes_of,
    given_to,
    graded,
    rows_of,
    write,
)
from tests.controllers.vpt.files import SMALL_CLIP, write_steve1
from tests.controllers.vpt.filling import picture

pytest.importorskip("minari")
pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")


def test_labels_leave_out_idle_ticks_and_function_calls():
    actions = np.tile(noop(15), (5, 1))
    actions[1, FORWARD] = 1
    actions[2, FUNCTION] = actions[3, FUNCTION] = Function.CRAFT
    actions[3, ATTACK] = 1
    actions[4, INVENTORY] = 1
    assert [part.tolist() for part in labels_of(actions, False)] == [[1, 4], [288, 8640], [60, 60]]
    assert labels_of(actions, True).ticks.tolist() == [0, 1, 4]
    assert labels_of(actions[:, :13], True).ticks.tolist() == [0, 1, 2, 3, 4]


@example(3, 0)
@example(14, 0)
@example(15, 0)
@given(st.integers(0, 1500), st.integers(0, 2**32))
def test_goals_lie_15_to_200_ticks_ahead_and_stay_until_they_are_reached(last, seed):
    ends = relabelled(last, np.random.default_rng(seed))
    if last < 15:
        assert ends.tolist() == [-1] * last
        return
    tick = 0
    while tick < last:
        end = int(ends[tick])
        assert 15 <= end - tick <= 200 or (end == last and end - tick < 15)
        assert (ends[tick:end] == end).all()
        tick = end
    assert tick == last


def test_distances_of_goals_are_uniformly_distributed():
    draws, found = np.random.default_rng(5), []
    for _ in range(40):
        starts = np.flatnonzero(np.diff(relabelled(20_000, draws), prepend=0))
        found += np.diff(starts).tolist()
    counts = np.bincount(found, minlength=201)
    assert counts[:15].tolist() == [0] * 15
    assert counts[15:201].all()
    assert counts[201:].tolist() == []
    assert abs(counts[15:].reshape(6, 31).sum(1) / counts.sum() * 6 - 1).max() < 0.12
    assert abs(np.mean(found) - 107.5) < 2


def test_a_goal_is_the_vector_of_the_16_frames_that_end_with_it(tmp_path, root):
    write(root, lengths=(300, 20), change=lambda pov, done: (graded(pov), done))
    episodes = episodes_of(tmp_path, MEAN)
    visit = episodes.visit(0, generator(3, "goals"))
    ends = relabelled(300, generator(3, "goals"))
    assert visit.goals.shape == (300, 512)
    wanted = [(np.arange(end - 15, end + 1) % 256).mean() for end in ends]
    assert visit.goals[:, 0].numpy() == pytest.approx(wanted, abs=1e-3)
    assert len(set(ends.tolist())) > 1


def test_dropped_idle_ticks_do_not_shift_goals(tmp_path, root):
    def every_third(pov, done):
        done[np.arange(len(done)) % 3 > 0] = noop(13)
        return graded(pov), done

    write(root, lengths=(600, 20), change=every_third)
    some = episodes_of(tmp_path, MEAN).visit(0, generator(3, "goals"))
    whole = episodes_of(tmp_path, MEAN, keep_null=True).visit(0, generator(3, "goals"))
    assert some.frames[:, 0, 0, 0].tolist() == [tick % 256 for tick in range(0, 600, 3)]
    assert torch.equal(some.goals, whole.goals[::3])
    assert len(some.goals[:, 0].unique()) > 3
    assert torch.equal(some.buttons, whole.buttons[::3])
    assert len(whole.buttons) == 600


def test_whole_stretches_lose_their_goals_with_the_given_probability(tmp_path, root):
    write(root, lengths=(400, 20))
    episodes, shares = episodes_of(tmp_path, MEAN), []
    for seed in range(20):
        goals = episodes.visit(0, generator(seed, "goals"), 8, 0.25).goals
        blank = (goals == 0).all(1).view(-1, 8)
        assert (blank.all(1) == blank.any(1)).all()
        shares.append(blank.float().mean().item())
    assert 0.18 < np.mean(shares) < 0.32
    assert not (episodes.visit(0, generator(0, "goals"), 8, 0.0).goals == 0).all(1).any()


def test_goals_of_mineclip_are_its_features_before_the_adapter(tmp_path):
    aligner = MineClipAligner(
        write_steve1(tmp_path, clip=SMALL_CLIP) / "attn.pth", sizes=SMALL_CLIP
    )
    pictures = np.stack([picture(k).numpy() for k in range(18)])
    features = aligner.frames(pictures)
    made = goals_of(aligner, features, np.array([17, 15, -1, 17]))
    with torch.inference_mode():
        wanted = [
            aligner._model.encode_video(aligner._sized(pictures[k : k + 16]))[0].numpy()
            for k in (2, 0)
        ]
    assert made[0] == pytest.approx(wanted[0], abs=1e-4)
    assert made[1] == pytest.approx(wanted[1], abs=1e-4)
    assert (made[3] == made[0]).all()
    assert (made[2] == 0).all()
    assert abs(made[0] - aligner.videos([features[2:]])[0]).max() > 0.1


def test_each_pass_plays_every_episode_once_in_the_lanes():
    lengths, got = [5, 9, 1, 4], {}
    for going in islice(pieces(0, lengths, 2, 4), 40):
        assert len(going) == 2
        for piece in going:
            got.setdefault(piece.visit, []).append(piece)
    whole = [parts for _, parts in sorted(got.items())][:12]
    for parts in whole:
        assert len({piece.episode for piece in parts}) == 1
        assert [piece.start for piece in parts] == list(range(0, lengths[parts[0].episode], 4))
        assert [piece.stop for piece in parts[:-1]] == [piece.start for piece in parts[1:]]
        assert parts[-1].stop == lengths[parts[0].episode]
    passes = [[parts[0].episode for parts in whole[k : k + 4]] for k in (0, 4, 8)]
    assert all(sorted(one) == [0, 1, 2, 3] for one in passes)
    assert passes[0] != passes[1] or passes[1] != passes[2]
    assert list(islice(pieces(1, lengths, 2, 4), 40)) != list(islice(pieces(0, lengths, 2, 4), 40))


@pytest.mark.parametrize(("count", "held_out"), [(2, [1]), (19, [18]), (20, [18, 19])])
def test_the_last_tenth_is_held_out(tmp_path, root, count, held_out):
    write(root, lengths=(2,) * count)
    episodes = episodes_of(tmp_path)
    assert episodes.held_out == held_out
    assert episodes.training == list(range(count - len(held_out)))


def test_a_wide_screen_is_squeezed(tmp_path, root):
    def wide(pov, done):
        return pov.repeat(5, 2).repeat(3, 1)[:, :360], done

    write(root, lengths=(2, 2), change=wide)
    frames = episodes_of(tmp_path).visit(0, generator(0, "x")).frames
    assert frames.shape == (2, 128, 128, 3)
    assert frames.dtype == torch.uint8
    assert sorted(frames.flatten().unique().tolist())[:1] == [30]


def test_a_recorded_dataset_can_be_trained_on(tmp_path):
    whole = Recording(
        id="OptimusFlat-CraftWoodenAxe-v0", episodes=2, settings={"resolution": [128, 128]}
    )
    played = [one for one in record(whole, "optimus/axe-v0") if one is not None]
    args = given_to(tmp_path, dataset="optimus/axe-v0", updates=2, goals=True, aligner=MEAN)
    training = begun(args)
    labels = training._episodes.labels
    for one, known in zip(played, labels, strict=True):
        called = one.actions[:, FUNCTION] > 0
        null = (one.actions[:, :13] == noop(13)).all(1)
        assert called.any()
        assert known.ticks.tolist() == np.flatnonzero(~called & ~null).tolist()
    visit = training._episodes.visit(0, generator(0, "x"))
    assert (visit.frames.numpy() == played[0].observations["pov"][labels[0].ticks]).all()
    train(args)
    assert len(rows_of(args)) == 1


def test_the_error_for_a_missing_dataset_names_it(tmp_path):
    with pytest.raises(
        BadValue, match="expected the name of a recorded dataset, got 'optimus/lit-v0'"
    ):
        train(given_to(tmp_path))
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ({"lengths": (20,)}, "expected two episodes or more in 'optimus/lit-v0', got 1"),
        (
            {"space": Discrete(5), "change": lambda pov, done: (pov, done[:, 0])},
            r"expected actions of the control view or the flat view, .* got Discrete\(5\)",
        ),
        (
            {"space": MultiDiscrete([2] * 13), "change": lambda pov, done: (pov, done * 0)},
            "expected actions of the control view or the flat view",
        ),
        (
            {"change": lambda pov, done: (pov[:, ::2, ::2], done)},
            r"expected a pov of \(128, 128\) or \(640, 360\) pixels, got .*64",
        ),
        (
            {"change": lambda pov, done: (pov, done * 0 + noop(13))},
            r"among the first 3 episodes \(training\) and one among the last 1 \(held out\)",
        ),
    ],
)
def test_a_dataset_that_does_not_fit_is_refused(tmp_path, root, wrong, told):
    write(root, **wrong)
    with pytest.raises(BadValue, match=told):
        train(given_to(tmp_path))
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize(
    ("aligner", "told"),
    [
        ("mini", "expected vectors of 512 numbers, got 256 from mini"),
        ("tests.baselines.cloning:Narrow", "expected vectors of 512 numbers, got 64"),
        ("tests.baselines.cloning:Short", "expected an aligner for videos of 16 frames, got"),
        ("mineclip", "source"),
        ("{", "aligner"),
    ],
)
def test_an_aligner_that_does_not_fit_is_refused(tmp_path, root, aligner, told):
    write(root)
    with pytest.raises(BadValue, match=told):
        train(given_to(tmp_path, goals=True, aligner=aligner))
    assert not (tmp_path / "run").exists()
