"""Key frames and films show their own episode and do not change it."""

from dataclasses import replace

import av
import gymnasium as gym
import numpy as np
import pytest
from PIL import Image

from optimus_gym.core.errors import BadValue
from optimus_gym.run.evaluate import Evaluation, Pictures, evaluate
from optimus_gym.run.evaluate.key_frames import camera_of
from optimus_gym.run.results.results_folder import read_results
from optimus_gym.run.results.sheets import DRAWN, Sheet, moments_kept, sheet_name
from optimus_gym.wrappers.exposure import DARK, WELL_LIT, luminance

SOME = Evaluation(tasks=("CraftStick", "CraftWoodenAxe"), episodes=2, seed=50_900)
NONE = Pictures(frames=False)
BLUR = 12
"""Mean difference that WebP may make, of 255."""


def read_sheet(path, count):
    """Return the key frames (uint8[90, 160, 3] each), eight side by side, of a picture file with `count`."""
    with Image.open(path, formats=("WEBP",)) as opened:
        assert opened.size == (min(count, 8) * 160, -(-count // 8) * 90)
        whole = np.asarray(opened.convert("RGB"))
    return tuple(whole[k // 8 * 90 :, k % 8 * 160 :][:90, :160] for k in range(count))


def frames_of(folder, row):
    moments = moments_kept(len(row.subgoals))
    return read_sheet(folder / "frames" / sheet_name(row.task, row.episode), len(moments))


def difference(one, other):
    return np.abs(one.astype(int) - other.astype(int)).mean()


@pytest.fixture(scope="module")
def filmed(tmp_path_factory):
    folder = tmp_path_factory.mktemp("filmed")
    rows = list(evaluate(SOME, folder, rows=3, pictures=Pictures(videos="first", every=10)))
    return folder, {row.key: row for row in rows}


def test_a_key_frame_shows_the_players_frame_at_a_subgoals_end(filmed):
    folder, rows = filmed
    for row in rows.values():
        env = gym.make(f"Optimus-{row.task}-v0")
        env.reset(seed=row.seed)
        frames = frames_of(folder, row)
        assert len(frames) == len(row.subgoals) + 1
        for k, frame in enumerate(frames):
            seen = env.unwrapped._view.runtime.frame(0, DRAWN)
            assert difference(frame, np.asarray(Image.fromarray(seen).reduce(2))) < BLUR
            if k < len(row.subgoals):
                env.step(0)
        assert difference(frames[0], frames[-1]) > 2 * BLUR
        env.close()


def test_a_film_has_every_nth_tick_of_its_episode(filmed):
    folder, rows = filmed
    assert sorted(file.name for file in (folder / "videos").iterdir()) == [
        "CraftStick_0.mp4",
        "CraftWoodenAxe_0.mp4",
    ]
    for task in SOME.tasks:
        with av.open(str(folder / "videos" / f"{task}_0.mp4")) as container:
            pictures = [f.to_ndarray(format="rgb24") for f in container.decode(video=0)]
        assert len(pictures) == 1 + -(-rows[task, 0].ticks // 10) + 20
        assert pictures[0].shape == (360, 960, 3)
        small = np.asarray(Image.fromarray(pictures[-1][:, :640]).reduce(4))
        assert difference(small, frames_of(folder, rows[task, 0])[-1]) < BLUR


def test_films_of_dark_places_are_bright_without_true_light(tmp_path):
    """Two cameras film one episode."""
    (job,) = replace(SOME, tasks=("CraftFurnace",), episodes=1).jobs
    env = gym.make("Optimus-CraftFurnace-v0", ticks=60).unwrapped
    env.reset(seed=0, options={"position": (8.5, 30.0, 8.5), "inventory": {"wooden_pickaxe": 1}})
    cameras = {}
    for light in ("bright", "true"):
        pictures = Pictures(frames=False, videos="all", true_light=light == "true")
        (tmp_path / light).mkdir()
        told = {"pictures": pictures.plain(), "folder": str(tmp_path / light)}
        cameras[light] = camera_of(told, env._view)
        cameras[light].begin(0, job)
        env.watch(cameras[light].tick)
    env.step(0)
    films = {}
    for light, camera in cameras.items():
        camera.finish(0, job, "budget")
        with av.open(str(tmp_path / light / "videos" / "CraftFurnace_0.mp4")) as container:
            films[light] = [f.to_ndarray(format="rgb24") for f in container.decode(video=0)]
    env.close()
    for bright, true in zip(films["bright"], films["true"], strict=True):
        assert luminance(true[:, :640]) < DARK
        assert luminance(bright[:, :640]) > WELL_LIT
        assert difference(true[:36, 840:], bright[:36, 840:]) > 2  # the label next to the title
        assert difference(true[36:, 640:], bright[36:, 640:]) < 2


def test_pictures_change_no_row(filmed):
    _, rows = filmed
    unseen = {row.key: row for row in evaluate(SOME, pictures=Pictures(frames=False))}
    assert {key: replace(row, wall_s=0.0) for key, row in unseen.items()} == {
        key: replace(row, wall_s=0.0) for key, row in rows.items()
    }


def test_only_films_of_failures_are_kept_on_request(tmp_path):
    asked = replace(SOME, tasks=("CraftStick", "Diamond"), episodes=1, settings={"ticks": 400})
    rows = list(evaluate(asked, tmp_path, pictures=Pictures(frames=False, videos="failed")))
    assert {row.task: row.success for row in rows} == {"CraftStick": True, "Diamond": False}
    assert [file.name for file in (tmp_path / "videos").iterdir()] == ["Diamond_0.mp4"]
    assert not (tmp_path / "frames").exists()


def test_an_interrupted_episode_leaves_no_picture(tmp_path):
    asked = replace(SOME, tasks=("CraftStick", "Diamond"), episodes=1)
    source = evaluate(asked, tmp_path, rows=2, pictures=Pictures(videos="all"))
    assert next(source).task == "CraftStick"
    source.close()
    assert [row.task for row in read_results(tmp_path).rows] == ["CraftStick"]
    assert [file.name for file in (tmp_path / "frames").iterdir()] == ["CraftStick_0.webp"]
    assert [file.name for file in (tmp_path / "videos").iterdir()] == ["CraftStick_0.mp4"]


def test_a_sheet_keeps_the_first_and_the_last_of_many_frames(tmp_path):
    sheet, shade = Sheet(), np.ones((*DRAWN[::-1], 3), np.uint8)
    for k in range(101):
        sheet.add(shade * (k + 100))
    sheet.write(tmp_path / "a.webp")
    kept = moments_kept(100)
    frames = read_sheet(tmp_path / "a.webp", len(kept))
    assert [round(float(frame.mean())) - 100 for frame in frames] == pytest.approx(kept, abs=2)


@pytest.mark.parametrize(
    ("world", "pictures", "message"),
    [
        ("voxel", {"videos": "some"}, "videos: expected 'none', 'first', 'failed', 'all' or TASK"),
        ("voxel", {"videos": "Diamond:x"}, "TASK:EPISODE"),
        ("voxel", {"videos": "Diamond:0"}, "an episode that is evaluated, got Diamond:0"),
        ("voxel", {"every": 0}, "every: expected an integer of at least 1"),
        ("symbolic", {"videos": "all"}, "a world that draws pictures, got 'symbolic'"),
    ],
)
def test_options_of_pictures_that_do_not_fit_are_refused(tmp_path, world, pictures, message):
    with pytest.raises(BadValue, match=message):
        evaluate(replace(SOME, world=world), tmp_path / "out", pictures=Pictures(**pictures))
    assert not (tmp_path / "out").exists()


def test_films_need_a_folder():
    with pytest.raises(BadValue, match="`out`, a folder"):
        evaluate(SOME, pictures=Pictures(videos="all"))


def test_a_world_without_pictures_has_no_frames(tmp_path):
    list(evaluate(replace(SOME, world="symbolic"), tmp_path))
    assert not (tmp_path / "frames").exists()


@pytest.mark.parametrize(("name", "videos"), [("frames", "none"), ("videos", "all")])
def test_a_picture_that_cannot_be_written_adds_no_failed_row(tmp_path, name, videos):
    (tmp_path / "out").mkdir()
    list(
        evaluate(replace(SOME, tasks=("CraftStick",), episodes=1), tmp_path / "out", pictures=NONE)
    )
    before = read_results(tmp_path / "out").rows
    (tmp_path / "out" / name).write_text("in the way")
    with pytest.raises(BadValue, match="pictures cannot be written"):
        list(evaluate(SOME, tmp_path / "out", pictures=Pictures(videos=videos)))
    assert read_results(tmp_path / "out").rows[: len(before)] == before
    assert {row.status for row in read_results(tmp_path / "out").rows} == {"success"}
