"""A recorded dataset equals the environment's answers to its seeds and actions, to the last pixel."""

import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from optimus_gym.core.errors import BadValue, MissingExtra, UnknownName
from optimus_gym.run.record.command import record
from optimus_gym.run.record.recording_setup import Recording
from optimus_gym.seeds import TRAIN

minari = pytest.importorskip("minari")
pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")
ROOT = Path(__file__).resolve().parents[3]
SMALL = {"resolution": [64, 64]}
VIEWS = ("Optimus", "OptimusControl", "OptimusFlat")


@pytest.fixture(autouse=True)
def root(tmp_path, monkeypatch):
    folder = tmp_path / "datasets"
    monkeypatch.setenv("MINARI_DATASETS_PATH", str(folder))
    return folder


def recording(view="OptimusFlat", task="CraftWoodenAxe", **other):
    return Recording(id=f"{view}-{task}-v0", **{"settings": SMALL, "episodes": 2, **other})


def loaded(name):
    return list(minari.load_dataset(name).iterate_episodes())


def equal(one, other):
    return (
        all(
            np.array_equal(one.observations[key], other.observations[key])
            for key in other.observations
        )
        and np.array_equal(one.actions, other.actions)
        and np.array_equal(one.rewards, other.rewards)
    )


@pytest.mark.parametrize("view", VIEWS)
def test_a_dataset_equals_the_replay_of_its_actions(view):
    list(record(recording(view), "optimus/axe-v0"))
    dataset = minari.load_dataset("optimus/axe-v0")
    assert dataset.total_episodes == 2
    env = dataset.recover_environment()
    assert env.spec.id == f"{view}-CraftWoodenAxe-v0"
    told = list(dataset.storage.get_episode_metadata([0, 1]))
    assert [one["seed"] for one in told] == [TRAIN.start, TRAIN.start + 1]
    for one, episode in zip(told, dataset.iterate_episodes(), strict=True):
        observation, info = env.reset(seed=one["seed"])
        assert len(episode.actions) == one["total_steps"] == len(episode.rewards)
        for k, action in enumerate(episode.actions):
            for key, value in observation.items():
                assert np.array_equal(episode.observations[key][k], value), (key, k)
            observation, reward, terminated, truncated, info = env.step(action)
            assert (reward, terminated, truncated) == (
                episode.rewards[k],
                episode.terminations[k],
                episode.truncations[k],
            )
        assert np.array_equal(episode.observations["pov"][-1], observation["pov"])
        assert info["is_success"]
    assert dataset.total_steps == sum(one["total_steps"] for one in told)
    env.close()


def test_all_views_record_the_same_episode():
    seen = {}
    for view in VIEWS:
        rows = [one for one in record(recording(view, episodes=1), f"{view.lower()}-v0") if one]
        seen[view] = rows[0]
    assert len({one.ticks for one in seen.values()}) <= 2  # helper and oracle may craft otherwise
    assert len(seen["OptimusFlat"].actions) == seen["OptimusFlat"].ticks
    assert len(seen["OptimusControl"].actions) < seen["OptimusControl"].ticks
    assert len(seen["Optimus"].actions) < 20
    assert [one.actions.shape[1:] for one in seen.values()] == [(), (13,), (15,)]


def test_only_successful_episodes_are_kept_on_request():
    short = recording(settings={**SMALL, "ticks": 245}, episodes=4, successes=True)
    told = list(record(short, "optimus/short-v0"))
    kept = [one for one in told if one.kept]
    assert 0 < len(kept) < 4
    assert all(one.success for one in kept)
    assert len(loaded("optimus/short-v0")) == len(kept)


def test_a_recording_without_kept_episodes_makes_no_dataset(root):
    short = recording(settings={**SMALL, "ticks": 20}, successes=True)
    with pytest.raises(BadValue, match="expected an episode to keep, got none"):
        list(record(short, "optimus/none-v0"))
    assert not root.exists()


def test_an_interrupted_recording_is_resumed(root):
    list(record(recording(), "optimus/whole-v0"))
    source = record(recording(), "optimus/parts-v0")
    next(source)
    source.close()
    assert not (root / "optimus" / "parts-v0").exists()
    assert "optimus/parts-v0" not in minari.list_local_datasets()
    more = replace(recording(), episodes=3)
    kept = []
    told = list(record(more, "optimus/parts-v0", kept.append))
    assert told[0] is None
    assert None not in told[1:]
    assert kept == [1]
    whole, parts = loaded("optimus/whole-v0"), loaded("optimus/parts-v0")
    assert len(parts) == 3
    assert all(equal(a, b) for a, b in zip(whole, parts, strict=False))
    assert [p.name for p in (root / "optimus").iterdir() if p.name.startswith(".")] == []


def test_an_episode_missing_in_the_progress_file_counts_once(root):
    source = record(recording(), "optimus/half-v0")
    next(source)
    place = root / "optimus" / ".half-v0.part"
    before = (place / "progress.json").read_bytes()
    next(source)
    source.close()
    (place / "progress.json").write_bytes(before)
    list(record(recording(), "optimus/half-v0"))
    dataset = minari.load_dataset("optimus/half-v0")
    assert dataset.total_episodes == 2
    assert dataset.total_steps == sum(len(one.rewards) for one in dataset.iterate_episodes())


def test_a_killed_recording_loses_an_episode_at_most(root):
    command = [
        sys.executable,
        "-m",
        "optimus_gym.run.cli",
        "record",
        "OptimusFlat-CraftWoodenAxe-v0",
    ]
    arguments = ["optimus/killed-v0", "--set", "resolution=[64,64]", "--episodes"]
    process = subprocess.Popen([*command, *arguments, "40"], cwd=ROOT, stderr=subprocess.DEVNULL)
    place = root / "optimus" / ".killed-v0.part" / "progress.json"
    limit = time.monotonic() + 120
    while not place.exists():
        assert time.monotonic() < limit
        time.sleep(0.01)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    run = subprocess.run(
        [*command, *arguments, "2"], cwd=ROOT, capture_output=True, text=True, timeout=120
    )
    assert run.returncode == 0, run.stderr
    assert "read back and compared" in run.stdout
    list(record(recording(), "optimus/whole-v0"))
    killed, whole = loaded("optimus/killed-v0"), loaded("optimus/whole-v0")
    assert all(equal(a, b) for a, b in zip(killed, whole, strict=False))
    assert len(killed) >= 2


def test_a_recording_with_other_settings_does_not_resume():
    source = record(recording(), "optimus/mine-v0")
    next(source)
    source.close()
    with pytest.raises(BadValue, match=r"protocol: there 'vanilla', asked for 'deps-paper'"):
        next(record(recording(protocol="deps-paper"), "optimus/mine-v0"))


def test_an_episode_ends_truncated_where_the_controller_gives_up():
    tiring = "tests.run.record.players:Tiring"
    (cut,) = record(recording("OptimusControl", controller=tiring, episodes=1), "optimus/cut-v0")
    assert cut.cut.startswith("give up: not_found")
    assert cut.truncated[-1]
    assert not cut.success
    (whole,) = record(recording("OptimusControl", episodes=1), "optimus/uncut-v0")
    assert len(cut.actions) == 60 < len(whole.actions)
    assert np.array_equal(cut.actions, whole.actions[:60])


def test_an_action_outside_the_views_action_space_truncates_the_episode():
    """In one tick the oracle places a block below itself and changes its tool."""
    diamond = recording("OptimusControl", "Diamond", episodes=1)
    (control,) = record(diamond, "optimus/control-v0")
    assert control.cut.split()[0] in ("place", "equip")
    assert control.truncated[-1]
    (flat,) = record(replace(diamond, id="OptimusFlat-Diamond-v0"), "optimus/flat-v0")
    assert flat.cut == "place dirt"
    assert (
        "dirt"
        not in minari.load_dataset("optimus/flat-v0").recover_environment().unwrapped.item_names
    )
    every = replace(diamond, id="OptimusFlat-Diamond-v0", settings={**SMALL, "vocabulary": "all"})
    (whole,) = record(every, "optimus/whole-v0")
    assert whole.cut == ""
    assert whole.success
    assert np.array_equal(whole.actions[: len(flat.actions), :13], flat.actions[:, :13])


@pytest.mark.parametrize(
    ("view", "crafting", "places"),
    [(VIEWS[1], "functional", 13), (VIEWS[2], "functional", 15), (VIEWS[2], "gui", 13)],
)
def test_a_random_controllers_actions_are_recorded_as_played(view, crafting, places):
    """The view replays the kept actions; the recorder does not ask the controller again."""
    fickle = "tests.run.record.players:Fickle"
    settings = {**SMALL, "ticks": 60, "crafting": crafting}
    short = recording(view, controller=fickle, episodes=1, settings=settings)
    (one,) = record(short, "optimus/fickle-v0")
    assert len(set(one.actions[:, 0].tolist())) == 3
    assert one.actions.shape == (60, places)
    again = minari.load_dataset("optimus/fickle-v0").recover_environment()
    assert again.action_space.shape == (places,)


def test_an_existing_dataset_is_not_overwritten(root):
    list(record(recording("Optimus", "CraftStick"), "optimus/stick-v0"))
    before = {file: file.read_bytes() for file in root.rglob("*") if file.is_file()}
    with pytest.raises(BadValue, match="expected a new name, got 'optimus/stick-v0', which exists"):
        next(record(recording("Optimus", "CraftStick"), "optimus/stick-v0"))
    assert {file: file.read_bytes() for file in root.rglob("*") if file.is_file()} == before


@pytest.mark.parametrize(
    ("other", "name", "error", "message"),
    [
        (
            {"task": "CraftWoodenAxes"},
            "a-v0",
            UnknownName,
            "did you mean 'OptimusFlat-CraftWoodenAxe-v0'",
        ),
        ({"episodes": 0}, "a-v0", BadValue, "episodes: expected an integer of at least 1"),
        ({"seed": 9_999}, "a-v0", BadValue, "seed 9999 is a test seed"),
        (
            {"settings": {"learn": True}},
            "a-v0",
            BadValue,
            "learn: a recording does not take this argument",
        ),
        ({"start": {"time": "teatime"}}, "a-v0", BadValue, "option time"),
        ({"world": "symbolic"}, "a-v0", BadValue, "world: expected the powers keys"),
        ({}, "an axe", BadValue, "expected a name such as 'optimus/wood-v0', got 'an axe'"),
    ],
)
def test_bad_input_is_refused(root, other, name, error, message):
    with pytest.raises(error, match=message):
        next(record(recording(**other), name))
    assert not root.exists()


def test_a_failed_episode_leaves_no_files(root, monkeypatch):
    def broken(*_):
        raise BadValue("no room")
        yield

    monkeypatch.setattr("optimus_gym.run.record.command.played", broken)
    with pytest.raises(BadValue, match="no room"):
        next(record(recording(), "optimus/axe-v0"))
    assert not root.exists()
    (root / "mine").mkdir(parents=True)
    (root / "mine" / "notes.txt").write_text("kept")
    with pytest.raises(BadValue, match="no room"):
        next(record(recording(), "mine/axe-v0"))
    assert sorted(root.rglob("*")) == [root / "mine", root / "mine" / "notes.txt"]


def test_a_relative_root_lies_in_the_current_folder(tmp_path):
    command = [sys.executable, "-m", "optimus_gym.run.cli", "record", "Optimus-CraftStick-v0"]
    arguments = ["optimus/stick-v0", "--root", "mine", "--set", "resolution=[64,64]"]
    run = subprocess.run(
        [*command, *arguments, "--episodes", "1"], cwd=tmp_path, capture_output=True, text=True,
        timeout=300, env={**os.environ, "PYTHONPATH": str(ROOT)},
    )  # fmt: skip
    assert run.returncode == 0, run.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["mine"]
    assert sorted(path.name for path in (tmp_path / "mine" / "optimus").iterdir()) == [
        "namespace_metadata.json",
        "stick-v0",
    ]


def test_without_minari_the_error_names_the_extra(monkeypatch):
    for name in [name for name in sys.modules if name.partition(".")[0] == "minari"]:
        monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(MissingExtra, match=r'pip install -e "\.\[record\]"'):
        next(record(recording(), "optimus/axe-v0"))
