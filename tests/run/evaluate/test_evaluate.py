"""Each episode is played once, even if processes die, and its result does not depend on the others."""

import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from dataclasses import replace
from pathlib import Path
from threading import Thread

import gymnasium as gym
import numpy as np
import pytest

from optimus_gym.core.errors import BadValue, UnknownName
from optimus_gym.run.evaluate import Evaluation, distributing, evaluate
from optimus_gym.run.results.results_folder import read_results
from optimus_gym.seeds import TEST, of_task
from tests.run.evaluate.failing import WHERE

ROOT = Path(__file__).resolve().parents[3]
TASKS = ("CraftWoodenAxe", "CraftBowl", "CraftStoneAxe", "Diamond")
SOME = Evaluation(world="symbolic", tasks=TASKS, episodes=5)
MANY = Evaluation(world="symbolic", episodes=10)


def timeless(rows):
    """Return rows by their keys, without the values that depend on the clock."""
    told = {row.key: replace(row, wall_s=0.0) for row in rows}
    assert len(told) == len(list(rows))
    return told


@pytest.fixture(scope="module")
def undisturbed():
    return timeless(list(evaluate(MANY)))


def children():
    """Return the ids of this process's children."""
    return [
        int(n) for n in Path(f"/proc/{os.getpid()}/task/{os.getpid()}/children").read_text().split()
    ]


def is_running(process):
    """Return whether a process runs; an ended process may still be listed, without a command line."""
    told = Path(f"/proc/{process}/cmdline")
    return told.exists() and told.read_bytes() != b""


def test_episodes_take_turns_by_task_with_each_tasks_test_seeds():
    jobs = SOME.jobs
    assert [job.task for job in jobs[:5]] == [*SOME.tasks, SOME.tasks[0]]
    assert set(SOME.tasks) == set(TASKS)
    assert [job.seed for job in jobs if job.task == "Diamond"] == list(of_task("Diamond")[:5])
    own = Evaluation(tasks=("Wood",), episodes=3, seed=50_000)
    assert [job.seed for job in own.jobs] == [50_000, 50_001, 50_002]


@pytest.mark.parametrize(("workers", "rows"), [(1, 3), (2, 1), (3, 7)])
def test_results_do_not_depend_on_workers_and_rows(workers, rows):
    alone = timeless(list(evaluate(SOME)))
    assert len(alone) == 20
    assert all(row.success for row in alone.values())
    assert timeless(list(evaluate(SOME, workers=workers, rows=rows))) == alone


@pytest.mark.parametrize("world", ["symbolic", "voxel"])
def test_an_evaluated_episode_equals_the_same_episode_of_gym_make(world):
    asked = Evaluation(world=world, tasks=("CraftStick", "CraftWoodenAxe"), episodes=2, seed=50_900)
    for row in evaluate(asked, rows=3):
        env = gym.make(f"Optimus-{row.task}-v0", world=world)
        _, info = env.reset(seed=row.seed)
        over, told = False, []
        while not over:
            before = info["ticks"]
            _, _, terminated, truncated, info = env.step(0)
            over = terminated or truncated
            told.append((info["subgoal"], info["ticks"] - before, info["ticks"]))
        assert (row.ticks, row.status, row.success) == (
            info["ticks"],
            info["status"],
            info["is_success"],
        )
        assert [(one.subgoal, one.ticks, one.tick) for one in row.subgoals] == told
        assert (
            row.milestones[{"CraftStick": "stick", "CraftWoodenAxe": "wooden_axe"}[row.task]]
            == row.ticks
        )
        assert sorted(row.milestones.values())[0] > 0
        env.close()


def test_start_applies_to_every_episode():
    given = replace(
        SOME, tasks=("CraftStick",), start={"inventory": {"oak_log": 1}, "time": "night"}
    )
    for row in evaluate(given):
        assert row.subgoals[0].subgoal.startswith("craft")
        assert "oak_log" not in row.milestones
    with pytest.raises(UnknownName, match="unknown item 'oak_logs'"):
        replace(SOME, start={"inventory": {"oak_logs": 1}})


def test_rows_are_kept_in_order_and_not_played_again(tmp_path, monkeypatch):
    first = list(evaluate(SOME, tmp_path / "out", workers=2, rows=2))
    kept = read_results(tmp_path / "out")
    assert timeless(kept.rows) == timeless(first)
    assert [row.key for row in kept.rows] == [(job.task, job.episode) for job in SOME.jobs]
    assert not kept.cut
    (run,) = kept.runs
    assert (run["workers"], run["rows"], run["episodes"]) == (2, 2, 20)
    assert run["seconds"] > 0
    monkeypatch.setattr(distributing.WorkerPool, "worker", lambda *_: pytest.fail("played again"))
    assert list(evaluate(SOME, tmp_path / "out")) == list(kept.rows)


def test_a_folder_grows_by_tasks_and_episodes(tmp_path):
    kept = []
    list(evaluate(replace(SOME, tasks=("Diamond",), episodes=2), tmp_path, tell_kept=kept.append))
    before = timeless(read_results(tmp_path).rows)
    assert all(row.success for row in before.values())
    list(evaluate(SOME, tmp_path, tell_kept=kept.append))
    assert kept == [0, 2]
    after = timeless(read_results(tmp_path).rows)
    assert len(after) == 20
    assert {key: after[key] for key in before} == before


def test_an_interrupted_evaluation_is_resumed(tmp_path, undisturbed):
    for _ in range(3):
        source = evaluate(MANY, tmp_path, workers=2, rows=4)
        had = len(read_results(tmp_path).rows) if (tmp_path / "rows.jsonl").exists() else 0
        for _ in range(had + 40):
            next(source)
        source.close()
        assert len(read_results(tmp_path).rows) == had + 40
        assert children() == []
    assert timeless(list(evaluate(MANY, tmp_path, workers=2, rows=4))) == undisturbed


@pytest.mark.parametrize("cut", [1, 100, 700])
def test_a_row_that_is_cut_in_half_is_played_again(tmp_path, cut):
    list(evaluate(SOME, tmp_path))
    whole = (tmp_path / "rows.jsonl").read_bytes()
    (tmp_path / "rows.jsonl").write_bytes(whole[:-cut])
    assert read_results(tmp_path).cut
    assert (tmp_path / "rows.jsonl").read_bytes() == whole[:-cut]
    list(evaluate(SOME, tmp_path))
    after = read_results(tmp_path)
    assert not after.cut
    assert len(timeless(after.rows)) == 20


@pytest.mark.slow
def test_results_do_not_change_when_ten_workers_are_killed(tmp_path, undisturbed):
    rows, killed = [], 0
    for row in evaluate(MANY, tmp_path, workers=2, rows=4):
        rows.append(row)
        if len(rows) % 60 == 0 and killed < 10:
            os.kill(children()[killed % len(children())], signal.SIGKILL)
            killed += 1
    assert killed == 10
    assert timeless(rows) == undisturbed
    assert timeless(read_results(tmp_path).rows) == undisturbed


DRIVER = """
import sys
from optimus_gym.run.evaluate import Evaluation, evaluate
for row in evaluate(Evaluation(world="symbolic", episodes=10), sys.argv[1], workers=2, rows=4):
    print("row", flush=True)
"""


@pytest.mark.slow
def test_a_driver_killed_ten_times_leaves_every_episode_once(tmp_path, undisturbed):
    for kill in range(10):
        done = len(read_results(tmp_path).rows) if (tmp_path / "evaluation.json").exists() else 0
        driver = subprocess.Popen(
            [sys.executable, "-c", DRIVER, tmp_path], cwd=ROOT, stdout=subprocess.PIPE
        )
        for _ in range(done + 1 + 7 * kill):
            assert driver.stdout.readline() == b"row\n"
        driver.kill()
        driver.communicate()
        assert len(timeless(read_results(tmp_path).rows)) >= done + 1 + 7 * kill
    assert timeless(list(evaluate(MANY, tmp_path, workers=2, rows=4))) == undisturbed
    assert timeless(read_results(tmp_path).rows) == undisturbed


SEEN = Evaluation(tasks=("CraftBowl", "CraftStick", "CraftWoodenAxe"), episodes=20, seed=50_800)
"""Short episodes of the embedded world."""
SEEN_DRIVER = """
import sys
from tests.run.evaluate.test_evaluate import SEEN
from optimus_gym.run.evaluate import evaluate
for row in evaluate(SEEN, sys.argv[1], workers=2, rows=4):
    pass
"""


@pytest.fixture(scope="module")
def seen():
    return timeless(list(evaluate(SEEN, rows=8)))


def check_seen(folder, seen):
    """Check that every episode is there once, with whole key frames."""
    assert timeless(read_results(folder).rows) == seen
    sheets = {f"{task}_{episode}.webp" for task, episode in seen}
    assert {file.name for file in (folder / "frames").iterdir()} == sheets


@pytest.mark.slow
def test_a_driver_killed_at_random_moments_leaves_every_episode_once(tmp_path, seen):
    moments, alive = np.random.default_rng(0).uniform(0.5, 6.0, 10), 0
    for moment in moments:
        driver = subprocess.Popen([sys.executable, "-c", SEEN_DRIVER, tmp_path], cwd=ROOT)
        time.sleep(moment)
        alive += driver.poll() is None
        driver.kill()
        driver.wait()
        if (tmp_path / "evaluation.json").exists():
            done = timeless(read_results(tmp_path).rows)
            assert {key: seen[key] for key in done} == done
    assert alive >= 5  # fast machines end the evaluation before the last moments
    assert timeless(list(evaluate(SEEN, tmp_path, workers=2, rows=4))) == seen
    check_seen(tmp_path, seen)


@pytest.mark.slow
def test_workers_killed_at_random_moments_leave_every_episode_once(tmp_path, seen):
    """Between two kills some episodes end: one whose worker is killed three times counts as crashed."""
    killed, rows = [], []

    def kill():
        random = np.random.default_rng(1)
        while len(killed) < 10:
            done = len(rows)
            time.sleep(random.uniform(0.5, 2.5))
            while len(rows) < done + 4:
                time.sleep(0.05)
            running = children()
            if running:
                killed.append(running[random.integers(len(running))])
                os.kill(killed[-1], signal.SIGKILL)

    killer = Thread(target=kill, daemon=True)
    killer.start()
    for row in evaluate(SEEN, tmp_path, workers=2, rows=4):
        rows.append(row)
    assert len(killed) == 10
    assert timeless(rows) == seen
    check_seen(tmp_path, seen)


def test_workers_end_with_their_driver(tmp_path):
    driver = subprocess.Popen(
        [sys.executable, "-c", DRIVER, tmp_path], cwd=ROOT, stdout=subprocess.PIPE
    )
    driver.stdout.readline()
    listed = Path(f"/proc/{driver.pid}/task/{driver.pid}/children").read_text().split()
    assert len(listed) == 2
    driver.kill()
    driver.communicate()
    limit = time.monotonic() + 20
    while any(is_running(worker) for worker in listed):
        assert time.monotonic() < limit
        time.sleep(0.05)


@pytest.mark.parametrize(
    ("agent", "told"),
    [
        ("Raising", "RuntimeError: no bowls here"),
        ("Dying", "its process was ended by SIGKILL, 3 times"),
        ("Exiting", "SystemExit: no bowls today"),
        ("Interrupting", "KeyboardInterrupt: not here"),
    ],
)
def test_a_crash_is_reported_and_other_episodes_go_on(agent, told):
    broken = replace(SOME, episodes=2, agent=f"tests.run.evaluate.failing:{agent}")
    rows = timeless(list(evaluate(broken, workers=2, rows=3)))
    assert len(rows) == 8
    for (task, _), row in rows.items():
        assert (row.status == "crashed") == (task == WHERE)
        assert row.success == (task != WHERE)
        assert (told in row.reason) == (task == WHERE)
    assert {row.seed for row in rows.values() if row.status == "crashed"} == set(of_task(WHERE)[:2])


def test_a_users_agent_may_print(capfd, monkeypatch):
    monkeypatch.delenv("PYTHONUNBUFFERED", raising=False)
    talking = replace(SOME, agent="tests.run.evaluate.failing:Printing")
    assert all(row.success for row in evaluate(talking))
    said = capfd.readouterr().err
    assert "thinking" in said
    assert "and counting" in said


def test_the_error_of_an_agent_that_cannot_be_made_is_reported():
    with pytest.raises(BadValue, match="RuntimeError: no weights"):
        list(evaluate(replace(SOME, agent="tests.run.evaluate.failing:Unmakable")))


@pytest.mark.parametrize(
    ("changed", "named"),
    [
        ({"protocol": "mp5-paper"}, "evaluation.protocol: there 'vanilla', asked for 'mp5-paper'"),
        (
            {"settings": {"subgoal_ticks": 99}},
            "evaluation.settings.subgoal_ticks: there None, asked for 99",
        ),
        ({"seed": 50_000}, "evaluation.seed: there 'test', asked for 50000"),
    ],
)
def test_a_folder_refuses_rows_of_another_configuration(tmp_path, changed, named):
    list(evaluate(replace(SOME, episodes=1), tmp_path))
    before = {file.name: file.read_bytes() for file in tmp_path.iterdir()}
    with pytest.raises(BadValue, match=named):
        list(evaluate(replace(SOME, **changed), tmp_path))
    assert {file.name: file.read_bytes() for file in tmp_path.iterdir()} == before


def test_a_folder_refuses_rows_of_other_code(tmp_path):
    list(evaluate(replace(SOME, episodes=1), tmp_path))
    file = tmp_path / "evaluation.json"
    file.write_text(file.read_text().replace('"code": "', '"code": "00'))
    with pytest.raises(BadValue, match=r"code: there '00[0-9a-f]+', asked for '"):
        list(evaluate(SOME, tmp_path))


def test_a_second_process_may_not_write_into_a_folder(tmp_path):
    first = evaluate(SOME, tmp_path)
    next(first)
    with pytest.raises(BadValue, match="another process writes into"):
        list(evaluate(SOME, tmp_path))
    first.close()


def test_folders_with_other_files_are_refused(tmp_path):
    (tmp_path / "thesis.tex").write_text("\\begin")
    with pytest.raises(BadValue, match=r"expected a new or empty folder .* with thesis.tex"):
        list(evaluate(SOME, tmp_path))
    with pytest.raises(BadValue, match="expected a folder, got the file"):
        list(evaluate(SOME, tmp_path / "thesis.tex"))
    assert [file.name for file in tmp_path.iterdir()] == ["thesis.tex"]


@pytest.mark.parametrize("at", [1, 9])
def test_a_full_disk_leaves_whole_rows(tmp_path, monkeypatch, at):
    calls = Counter()

    def full(number):
        calls["all"] += 1
        if calls["all"] == at:
            raise OSError(28, "No space left on device")
        return

    source = evaluate(SOME, tmp_path)
    monkeypatch.setattr("optimus_gym.run.results.results_folder.os.fsync", full)
    with pytest.raises(OSError, match="No space left"):
        list(source)
    monkeypatch.undo()
    assert children() == []
    if (tmp_path / "evaluation.json").exists():
        assert not read_results(tmp_path).cut
    assert len(timeless(list(evaluate(SOME, tmp_path)))) == 20


@pytest.mark.parametrize(
    ("wrong", "error", "message"),
    [
        ({"suite": "optimus-66"}, UnknownName, "did you mean 'optimus-67'"),
        ({"agent": "optimus"}, UnknownName, "unknown agent 'optimus'"),
        ({"tasks": ("Dimond",)}, UnknownName, "did you mean 'Diamond'"),
        ({"tasks": "Diamond"}, BadValue, "expected a tuple of ids"),
        ({"episodes": 31}, BadValue, "episodes: expected an integer from 1 to 30, got 31"),
        ({"episodes": 0}, BadValue, "episodes: expected an integer from 1 to 30, got 0"),
        ({"seed": TEST[-1], "episodes": 2}, BadValue, "seed 9999 is a test seed"),
        ({"seed": "all"}, BadValue, "seed: expected 'test' or a whole number, got 'all'"),
        ({"settings": {"learn": True}}, BadValue, "learn is set by the evaluation itself"),
        (
            {"settings": {"protocol": "vanilla"}},
            BadValue,
            "protocol is a field of Evaluation itself",
        ),
        ({"settings": {"subgoal_tick": 3}}, UnknownName, "did you mean 'subgoal_ticks'"),
        ({"settings": {"vocabulary": "task"}}, BadValue, "expected 'suite' or 'all'"),
        ({"settings": {"resolution": (0, 1)}}, BadValue, "resolution: expected"),
        ({"controller": object()}, BadValue, "controller: expected a specification"),
    ],
)
def test_bad_evaluations_are_refused(wrong, error, message):
    with pytest.raises(error, match=message):
        Evaluation(**wrong)


@pytest.mark.parametrize("wrong", [{"workers": 0}, {"rows": 0}, {"workers": 257}, {"rows": 1.5}])
def test_bad_numbers_of_workers_and_rows_are_refused_at_once(tmp_path, wrong):
    with pytest.raises(BadValue, match=f"{next(iter(wrong))}: expected an integer from 1"):
        evaluate(SOME, tmp_path / "out", **wrong)
    assert not (tmp_path / "out").exists()


def test_the_error_for_an_impossible_task_names_it():
    asked = Evaluation(
        suite="jarvis-190",
        tasks=("JarvisCraftStick", "JarvisEquipLeatherHelmet"),
        controller="tests.run.evaluate.failing:Miner",
        episodes=1,
    )
    with pytest.raises(BadValue, match=r"1 of 2 that cannot\s+task JarvisEquipLeatherHelmet"):
        list(evaluate(asked))


def test_an_evaluation_survives_json():
    asked = replace(
        SOME, settings={"resolution": (64, 48)}, agent={"name": "optimus-1", "sees": False}
    )
    assert Evaluation(**json.loads(json.dumps(asked.plain()))) == asked


def test_impossible_tasks_count_as_not_reached():
    whole = Evaluation(
        suite="deps-50",
        episodes=2,
        seed=50_900,
        settings={"ticks": 1},
        controller="tests.run.evaluate.failing:Miner",
    )
    told = {}
    for row in evaluate(whole, rows=16):
        told.setdefault(row.task, []).append(row)
        assert not row.success
    assert {len(rows) for rows in told.values()} == {2}
    assert len(told) == 50
    beyond = {task for task, rows in told.items() if rows[0].status == "impossible"}
    assert beyond == {task for task in told if "Leather" in task or "Cooked" in task}
    assert len(beyond) == 7
    for task in beyond:
        assert [row.status for row in told[task]] == ["impossible"] * 2
        assert "expected executors that can get" in told[task][0].reason
        assert told[task][0].ticks == 0
    with pytest.raises(BadValue, match="expected executors"):
        list(evaluate(replace(whole, tasks=(*sorted(beyond)[:1], "DepsCraftStick"))))


@pytest.mark.parametrize("is_there", [False, True])
def test_a_refused_evaluation_leaves_no_files(tmp_path, is_there):
    out = tmp_path / "out"
    if is_there:
        out.mkdir()
    refused = replace(SOME, agent="tests.run.evaluate.failing:Unmakable")
    with pytest.raises(BadValue, match="no weights"):
        list(evaluate(refused, out))
    assert out.exists() is is_there
    assert not is_there or list(out.iterdir()) == []
    assert len(list(evaluate(SOME, out))) == 20
