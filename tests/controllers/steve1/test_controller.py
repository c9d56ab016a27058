"""STEVE-1 works as a controller: goals, guidance, videos, files and independent rows."""

import os
import socket
from pathlib import Path

import av
import numpy as np
import pytest
import torch

from optimus_gym.controllers.steve1 import goal_videos as steve1_video
from optimus_gym.controllers.steve1.prior import load_prior
from optimus_gym.controllers.steve1.steve1 import Steve1Controller
from optimus_gym.controllers.vpt.acting import squeezed_on_device
from optimus_gym.core import squeezing
from optimus_gym.core.actions import KEYS, noop
from optimus_gym.core.errors import BadValue, UnknownName
from optimus_gym.core.rng import generator
from optimus_gym.core.types import SubGoal
from optimus_gym.vision.mineclip_checkpoint import load_mineclip, load_text_tower
from tests.controllers.play import setting_of
from tests.controllers.vpt.files import write_steve1
from tests.controllers.vpt.filling import picture

CHOP, STONE = SubGoal("mine", "oak_log"), SubGoal("mine", "cobblestone", text="dig for stone")


SEED = 50
"""Seed of row 0's episode; the other rows have the following seeds."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return write_steve1(tmp_path_factory.mktemp("steve"))


def attached(folder, rows=2, **options):
    controller = Steve1Controller(str(folder), **options)
    controller.attach(setting_of(rows=rows, resolution=(128, 128)))
    controller.begin_episodes(range(rows), [SEED + row for row in range(rows)])
    return controller


def aims(controller):
    """Return goals and strengths by row, as the network will see them."""
    stepper = controller._stepper
    return stepper._goals.clone(), stepper._strengths[:, 0].tolist()


def test_a_goal_is_the_prior_of_the_prompt_and_the_rows_own_latent(folder):
    controller = attached(folder)
    controller.begin_subgoals([0, 1], [CHOP, CHOP])
    (goals, strengths) = aims(controller)
    assert strengths == [6.0, 6.0]
    from optimus_gym.vision.clip_tokens import tokens_of

    text = load_text_tower(folder / "attn.pth")(torch.from_numpy(tokens_of(["chop a tree"])))
    prior = load_prior(folder / "steve1_prior.pt")
    for row in (0, 1):
        latent = generator(SEED + row, "steve-1 prior").standard_normal((1, 512)).astype(np.float32)
        with torch.no_grad():
            wanted = prior(text, torch.from_numpy(latent))[0]
        assert torch.allclose(goals[row], wanted, atol=1e-5)


def test_a_goal_is_made_once_per_sub_goal(folder):
    controller = attached(folder)
    controller.begin_subgoals([0, 1], [CHOP, CHOP])
    before, _ = aims(controller)
    controller.act([0, 1], {"pov": frames(0)}, np.ones(2, np.bool_))
    assert torch.equal(aims(controller)[0], before)
    controller.begin_subgoals([1], [CHOP])
    after, _ = aims(controller)
    assert torch.equal(after[0], before[0])
    assert not torch.equal(after[1], before[1])


def test_a_goal_can_be_drawn_again_each_tick(folder):
    """Only rows that act and follow a text draw a new latent, from the row's own generator."""
    controller = attached(
        folder, latent="tick", visual={"dig down and mine stone": features(folder)}
    )
    controller.begin_subgoals([0, 1], [CHOP, CHOP])
    seen = []
    for acts in ([True, True], [True, False], [True, True]):
        controller.act([0, 1], {"pov": frames(0)}, np.array(acts))
        seen.append(aims(controller)[0])
    assert not torch.equal(seen[0][0], seen[1][0])
    assert torch.equal(seen[0][1], seen[1][1])
    assert not torch.equal(seen[1][1], seen[2][1])
    once = attached(folder)
    for goals, row, draws in ((seen[0], 0, 1), (seen[2], 0, 3), (seen[2], 1, 2)):
        once.begin_episodes([0, 1], [SEED, SEED + 1])
        for _ in range(draws):
            once.begin_subgoals([row], [CHOP])
        assert torch.equal(aims(once)[0][row], goals[row])
    controller.begin_subgoals([0], [STONE])
    before = aims(controller)[0][0]
    controller.act([0, 1], {"pov": frames(0)}, np.ones(2, np.bool_))
    assert torch.equal(aims(controller)[0][0], before)


def test_a_prompt_has_one_goal_without_a_drawn_latent(folder):
    controller = attached(folder, latent="zeros", guidance=2.5)
    controller.begin_subgoals([0, 1], [CHOP, CHOP])
    goals, strengths = aims(controller)
    assert torch.equal(goals[0], goals[1])
    assert strengths == [2.5, 2.5]
    controller.begin_subgoals([1], [STONE])
    assert not torch.equal(aims(controller)[0][1], goals[1])


def test_the_sub_goals_own_text_is_the_prompt_on_request(folder):
    assert attached(folder).prompt_of(STONE) == "dig down and mine stone"
    assert attached(folder, prompts="text").prompt_of(STONE) == "dig for stone"
    assert attached(folder, prompts="text").prompt_of(CHOP) == "chop a tree"


def frames(tick, rows=2):
    return np.stack([picture(100 * row + tick).numpy() for row in range(rows)])


def features(folder):
    path = folder / "features.npy"
    np.save(path, np.arange(512, dtype=np.float32)[None])
    return str(path)


def write_video(path, count):
    with av.open(str(path), "w") as video:
        stream = video.add_stream("mpeg4", 20)
        stream.width, stream.height, stream.pix_fmt = 64, 48, "yuv420p"
        for k in range(count):
            image = np.full((48, 64, 3), 10 * k % 256, np.uint8)
            video.mux(stream.encode(av.VideoFrame.from_ndarray(image, format="rgb24")))
        video.mux(stream.encode(None))
    return str(path)


def test_a_video_replaces_a_text_with_its_own_guidance(folder, tmp_path):
    path = write_video(tmp_path / "a.mp4", 20)
    held = np.arange(512, dtype=np.float32)[None]
    np.save(tmp_path / "b.npy", held)
    visual = {"chop a tree": path, "dig down and mine stone": str(tmp_path / "b.npy")}
    controller = attached(folder, visual=visual)
    controller.begin_subgoals([0, 1], [CHOP, STONE])
    goals, strengths = aims(controller)
    assert strengths == [7.0, 7.0]
    assert torch.equal(goals[1], torch.from_numpy(held[0]))
    with av.open(path) as video:
        seen = np.stack([frame.to_ndarray(format="rgb24") for frame in video.decode(video=0)])[-16:]
    wide = torch.nn.functional.interpolate(
        torch.from_numpy(seen).permute(0, 3, 1, 2).float(), (160, 256), mode="bilinear"
    )
    with torch.no_grad():
        wanted = load_mineclip(folder / "attn.pth").encode_video(wide.round().byte()[None])[0]
    assert torch.allclose(goals[0], wanted, atol=1e-4)


def test_only_the_end_of_a_long_video_is_decoded(tmp_path, monkeypatch):
    path = write_video(tmp_path / "a.mp4", 600)
    with av.open(path) as video:
        wanted = [frame.to_ndarray(format="rgb24") for frame in video.decode(video=0)][-16:]
    looked_at = []
    check = steve1_video._check_size
    monkeypatch.setattr(
        steve1_video, "_check_size", lambda *given: (looked_at.append(1), check(*given))
    )
    assert np.array_equal(steve1_video.last_frames(Path(path)), wanted)
    assert len(looked_at) < 100


def test_addresses_pipes_and_playlists_are_not_opened_as_videos(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    asked = socket.create_server(("127.0.0.1", 0))
    address = f"http://127.0.0.1:{asked.getsockname()[1]}/a.ts"
    playlist = f"#EXTM3U\n#EXT-X-TARGETDURATION:9\n#EXTINF:9,\n{address}\n#EXT-X-ENDLIST\n"
    (tmp_path / "list.m3u8").write_text(playlist)
    os.mkfifo(tmp_path / "pipe.mp4")
    for given, why in (
        (address, "nothing is there"), ("pipe.mp4", "not a regular file"), ("list.m3u8", "a video"),
    ):  # fmt: skip
        with pytest.raises(BadValue, match=f"visual: expected .*{why}"):
            steve1_video.features_of(given, None)
    asked.setblocking(False)
    with pytest.raises(BlockingIOError):
        asked.accept()


def npy(head):
    """Return the bytes of a numpy file with any header."""
    return b"\x93NUMPY\x01\x00" + len(head).to_bytes(2, "little") + head.encode()


@pytest.mark.parametrize(
    "content",
    [
        b"", b"\x93NUMPY", npy("{'descr': '<f4', 'fortran_order': False, 'shape': (10**12,), }"),
        npy("{'descr': '<f4', 'fortran_order': False, 'shape': (1000000000000,), }"),
        npy("{'descr': '<f4', 'fortran_order': False, 'shape': (-512,), }"), npy("(" * 5000),
        npy("{'descr': 'O', 'fortran_order': False, 'shape': (512,), }") + bytes(4096),
        npy("{'descr': '<f4', 'fortran_order': False, 'shape': (512,), }") + b"\xff" * 2048,
    ],
)  # fmt: skip
def test_damaged_feature_files_give_one_clear_error(tmp_path, content):
    (tmp_path / "a.npy").write_bytes(content)
    with pytest.raises(BadValue, match=r"visual: expected .*a\.npy"):
        steve1_video.features_of(tmp_path / "a.npy", None)


@pytest.mark.parametrize("kind", ["short", "none", "wide", "text"])
def test_unusable_videos_are_rejected(folder, tmp_path, kind):
    (tmp_path / "text.mp4").write_text("no video")
    np.save(tmp_path / "wide.npy", np.zeros((2, 512)))
    paths = {
        "short": write_video(tmp_path / "a.mp4", 15), "none": str(tmp_path / "none.mp4"),
        "wide": str(tmp_path / "wide.npy"), "text": str(tmp_path / "text.mp4"),
    }  # fmt: skip
    with pytest.raises(BadValue, match="visual: expected"):
        attached(folder, visual={"chop a tree": paths[kind]})


def test_files_may_lie_in_the_folders_of_the_download(folder, tmp_path):
    nested = write_steve1(tmp_path / "nested", nested=True)
    controllers = [attached(place, latent="zeros") for place in (folder, nested)]
    made = []
    for controller in controllers:
        controller.begin_subgoals([0, 1], [CHOP, STONE])
        made.append(controller.act([0, 1], {"pov": frames(0)}, np.ones(2, np.bool_))[0])
    assert np.array_equal(*made)


def test_a_policy_file_may_lie_outside_the_folder(folder, tmp_path, monkeypatch):
    for ending in ("model", "weights"):
        name = {"model": "2x.model", "weights": "steve1.weights"}[ending]
        (tmp_path / f"policy.{ending}").write_bytes((folder / name).read_bytes())
    state = torch.load(tmp_path / "policy.weights", weights_only=True)
    bias = next(name for name in state if name.endswith("pi_head.buttons.linear_layer.bias"))
    state[bias][0] = 123
    torch.save(state, tmp_path / "policy.weights")
    monkeypatch.chdir(tmp_path)
    for place in (str(tmp_path), "."):
        given = {ending: f"{place}/policy.{ending}" for ending in ("model", "weights")}
        head = attached(folder, **given)._stepper.policy.pi_head.buttons.linear_layer
        assert head.bias[0] == 123
    head = attached(folder, weights="steve1.weights")._stepper.policy.pi_head.buttons.linear_layer
    assert head.bias[0] != 123
    with pytest.raises(
        BadValue, match=r"missing in '.*': policy\.weights \(see https://.*STEVE-1\)$"
    ):
        Steve1Controller(str(folder), weights="policy.weights")
    with pytest.raises(BadValue, match="model: expected"):
        Steve1Controller(str(folder), model=7)


def test_missing_files_are_each_named_with_their_page(folder, tmp_path):
    for name in ("2x.model", "steve1.weights"):
        (tmp_path / name).write_bytes((folder / name).read_bytes())
    (tmp_path / "attn.pth").mkdir()
    with pytest.raises(BadValue) as told:
        Steve1Controller(str(tmp_path))
    text = str(told.value)
    assert "steve1_prior.pt (see https://github.com/Shalev-Lifshitz/STEVE-1)" in text
    assert "attn.pth (see https://github.com/MineDojo/MineCLIP)" in text
    assert "2x.model" not in text
    with pytest.raises(BadValue, match=r"expected a folder with 2x\.model .see https"):
        Steve1Controller(str(tmp_path / "none"))


@pytest.mark.parametrize(
    ("options", "error", "told"),
    [
        ({"guidance": -1}, BadValue, "guidance: expected a number of at least 0 or None, got -1"),
        ({"guidance": "6"}, BadValue, "guidance"),
        ({"prompts": "mine"}, BadValue, "prompts: expected 'own', 'text' or a .json file, got"),
        ({"latent": "none"}, UnknownName, "latent"),
        ({"visual": ["a"]}, BadValue, "visual: expected a mapping from prompts to files"),
        ({"deterministic": 1}, BadValue, "deterministic: expected True or False, got 1"),
        ({"forgets": "never"}, UnknownName, "forgets"),
        ({"verbs": ["dance"]}, UnknownName, "verb"),
        ({"dtype": "int8"}, UnknownName, "dtype"),
        ({"as_in": "optimus-2"}, UnknownName, "as_in"),
        ({"never": "use"}, BadValue, "never: expected a list of names of keys, got 'use'"),
        ({"never": ["hotbar.1"]}, UnknownName, "never"),
        ({"holds_tool": 1}, BadValue, "holds_tool: expected True or False, got 1"),
    ],
)
def test_bad_arguments_are_rejected(folder, options, error, told):
    with pytest.raises(error, match=told):
        Steve1Controller(str(folder), **options)


def test_unsuitable_settings_are_rejected(folder):
    from dataclasses import replace

    controller = Steve1Controller(str(folder))
    with pytest.raises(BadValue, match=r"resolution: expected \(640, 360\) or \(128, 128\)"):
        controller.attach(setting_of())
    fitting = setting_of(resolution=(128, 128))
    for device in ("warp", "meta:x", *(() if torch.cuda.is_available() else ("cuda:0",))):
        with pytest.raises(BadValue, match="device: expected a device that PyTorch can use here"):
            controller.attach(replace(fitting, device=device))


@pytest.mark.parametrize("rows", [5, pytest.param(64, marks=pytest.mark.slow)])
def test_a_row_in_a_batch_acts_as_it_does_alone(folder, rows):
    """The rows pass through sub-goals, pauses and new episodes."""
    ticks, mine = 60, 3
    many, one = attached(folder, rows), attached(folder, 1)
    one.begin_episodes([0], [SEED + mine])
    plans = {0: CHOP, 20: STONE, 45: CHOP}
    resting = np.random.default_rng(0).random((ticks, rows)) < 0.3
    for tick in range(ticks):
        if tick == 30:
            many.begin_episodes([mine, 1], [77, 78])
            one.begin_episodes([0], [77])
        if tick in plans or tick == 30:
            goal = plans.get(tick, STONE)
            many.begin_subgoals([mine], [goal])
            one.begin_subgoals([0], [goal])
        if tick % 7 == 0:
            many.begin_subgoals([1, 2], [STONE, CHOP])
        seen, mask = frames(tick, rows), ~resting[tick]
        seen[~mask] = 0
        made, _ = many.act(range(rows), {"pov": seen}, mask)
        if mask[mine]:
            alone, _ = one.act([0], {"pov": seen[mine : mine + 1]}, np.ones(1, np.bool_))
            assert np.array_equal(made[mine], alone[0])


def test_rows_draw_by_their_own_seeds(folder):
    controller = attached(folder, latent="zeros")
    controller.begin_subgoals([0, 1], [CHOP, CHOP])
    same = np.repeat(frames(0)[:1], 2, 0)
    for seeds, alike in (((3, 3), True), ((3, 4), False)):
        controller.begin_episodes([0, 1], seeds)
        made = [controller.act([0, 1], {"pov": same}, np.ones(2, np.bool_))[0] for _ in range(6)]
        assert all(np.array_equal(*actions) for actions in made) is alike


def test_screens_are_resized_like_in_opencv():
    screen = np.random.default_rng(0).integers(0, 256, (2, 360, 640, 3)).astype(np.uint8)
    made = squeezed_on_device(screen, torch.device("cpu")).numpy()
    assert np.array_equal(made, squeezing.squeezed(screen, (128, 128)))
    assert np.array_equal(
        squeezed_on_device(screen[:, :128, :128], torch.device("cpu")), screen[:, :128, :128]
    )


def test_opened_screens_are_counted(folder):
    controller = attached(folder)
    controller._stepper.policy.pi_head.buttons.linear_layer.bias.data[8640] += 1e4
    controller.begin_subgoals([0, 1], [CHOP, CHOP])
    for tick in range(3):
        controller.act([0, 1], {"pov": frames(tick)}, np.array([True, tick == 0]))
    assert dict(controller.opened) == {0: 3, 1: 1}
    controller.begin_episodes([0], [1])
    assert dict(controller.opened) == {0: 0, 1: 1}


def test_withheld_keys_are_never_pressed(folder):
    """Without `never`, the policy presses these keys."""
    presses = {}
    for never in ((), ("hotbar", "use", "yaw")):
        controller = attached(folder, never=never)
        controller.begin_subgoals([0, 1], [CHOP, CHOP])
        made = [
            controller.act([0, 1], {"pov": frames(tick)}, np.ones(2, np.bool_))[0]
            for tick in range(30)
        ]
        changed = np.stack(made)[..., : len(KEYS)] != noop(len(KEYS))
        presses[never] = {key: int(changed[..., k].sum()) for k, key in enumerate(KEYS)}
    free, held = presses.values()
    assert min(free[key] for key in ("hotbar", "use", "yaw", "pitch", "jump")) > 0
    assert [held[key] for key in ("hotbar", "use", "yaw")] == [0, 0, 0]
    assert min(held[key] for key in ("pitch", "jump")) > 0


@pytest.mark.parametrize(
    ("name", "never", "latent", "forgets"),
    [
        ("steve-1", (), "sub-goal", "episode"),
        ("optimus-1", ("use", "drop", "inventory", "hotbar"), "tick", "episode"),
        ("jarvis-1", ("inventory", "hotbar"), "sub-goal", "sub-goal"),
    ],
)
def test_a_systems_name_sets_its_options(folder, name, never, latent, forgets):
    """A system's name gives the same actions as its single settings."""
    ways = (
        {"as_in": name},
        {"never": never, "latent": latent, "forgets": forgets, "holds_tool": name != "steve-1"},
        {"as_in": name, "latent": "zeros", "never": ["jump"], "forgets": "episode"},
    )
    made = []
    for options in ways:
        controller = attached(folder, **options)
        seen = {
            "inventory": np.zeros((2, 7), np.float32),
            "equipment": np.zeros((2, 6), np.float32),
        }
        for goal in (CHOP, STONE):
            controller.begin_subgoals([0, 1], [goal, goal])
            for tick in range(6):
                seen["pov"] = frames(tick)
                made.append(controller.act([0, 1], seen, np.ones(2, np.bool_))[0])
    whole, parts, others = np.split(np.stack(made), 3)
    assert np.array_equal(whole, parts)
    assert not np.array_equal(whole, others)


def test_the_memory_can_be_emptied_with_each_sub_goal(folder):
    for forgets, kept in (("episode", 3), ("sub-goal", 0)):
        controller = attached(folder, forgets=forgets)
        controller.begin_subgoals([0, 1], [CHOP, CHOP])
        for tick in range(3):
            controller.act([0, 1], {"pov": frames(tick)}, np.ones(2, np.bool_))
        controller.begin_subgoals([0], [STONE])
        assert controller._stepper._ticks.tolist() == [kept, 3]
