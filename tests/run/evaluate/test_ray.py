"""A Ray cluster of two nodes on this machine plays the same episodes as processes do."""

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from optimus_gym.core.errors import BadValue, MissingExtra
from optimus_gym.knowledge.graph_folder import write_knowledge
from optimus_gym.knowledge.knowledge_graph import full_graph
from optimus_gym.run.evaluate import Evaluation, Pictures, evaluate
from optimus_gym.run.evaluate.identity import identity_of
from optimus_gym.run.evaluate.ray_node import Node, read_files
from optimus_gym.run.evaluate.ray_pool import RayPool, termination_kept
from optimus_gym.run.learn.epochs import learned
from optimus_gym.run.results.results_folder import read_results
from optimus_gym.run.results.row import row_of
from tests.run.learn.test_epochs import content, learning

ray = pytest.importorskip("ray")
from ray.cluster_utils import Cluster  # noqa: E402

ROOT = Path(__file__).resolve().parents[3]
NODE = {"num_cpus": 1, "object_store_memory": 100 * 2**20}
WATCHFUL = {"health_check_period_ms": 1000, "health_check_failure_threshold": 10}
"""A dead node is noticed after ten seconds, and a busy one is not taken for dead."""
MANY = Evaluation(world="symbolic", episodes=2)
SEEN = Evaluation(tasks=("CraftStick", "CraftWoodenAxe"), episodes=1, seed=50_900)
QUIET = Pictures(frames=False)


def timeless(rows):
    rows = list(rows)
    assert len({row.key for row in rows}) == len(rows)
    return {row.key: replace(row, wall_s=0.0) for row in rows}


def node_of(worker):
    return ray.get(
        worker._actor.__ray_call__.remote(lambda _: ray.get_runtime_context().get_node_id())
    )


def files_in(folder):
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for name in ("frames", "videos")
        for path in (folder / name).rglob("*")
    }


@pytest.fixture(scope="module")
def cluster():
    head = {**NODE, "include_dashboard": False, "_system_config": WATCHFUL}
    with termination_kept():  # each node that a process adds replaces its handling of SIGTERM
        made = Cluster(initialize_head=True, head_node_args=head)
        made.add_node(**NODE)
        yield made
        made.shutdown()


@pytest.fixture
def pool(cluster):
    with closing(RayPool(cluster.address)) as made:
        yield made


def test_two_nodes_give_the_rows_of_processes(pool, tmp_path):
    expected = timeless(evaluate(MANY, rows=4))
    played = evaluate(MANY, tmp_path, workers=2, rows=4, pictures=QUIET, pool=pool)
    assert timeless(played) == expected
    assert timeless(read_results(tmp_path).rows) == expected
    assert len({node_of(worker) for worker in pool._idle}) == 2
    again = replace(MANY, tasks=("Stone", "Wood"), agent="none")
    assert timeless(evaluate(again, pool=pool)) == timeless(evaluate(again))


def test_a_process_on_a_cluster_keeps_its_handling_of_signals(cluster):
    got = []
    former = signal.signal(signal.SIGTERM, lambda number, _: got.append(number))
    try:
        with closing(RayPool(cluster.address)):
            signal.raise_signal(signal.SIGTERM)
        signal.raise_signal(signal.SIGTERM)
    finally:
        signal.signal(signal.SIGTERM, former)
    assert got == [signal.SIGTERM, signal.SIGTERM]


def test_a_node_plays_without_the_callers_disk(told, memory):
    shutil.rmtree(memory[0])
    with closing(Node()) as node:
        node.begin(told, memory[1])
        assert node.hear()[:2] == (1, "ready")
        node.say("job", {"task": "Wood", "episode": 0, "seed": 10_000})
        _, kind, line, files = node.hear()
        assert (kind, row_of(line, "test").success) == ("row", True)
        assert [name.split("/")[:2] for name in files] == [["brought", "Wood"]] * len(files)
        assert "brought/Wood/experience.sqlite" in files
        place = Path(node._scratch.name)
        assert not list(place.rglob("brought/Wood"))
    assert not place.exists()


@pytest.mark.parametrize("field", ["code", "memory", "versions"])
def test_a_node_refuses_what_is_not_the_same_there(told, memory, field):
    told["identity"][field] = {"python": "2.7"} if field == "versions" else "other"
    with closing(Node()) as node:
        node.begin(told, memory[1])
        _, kind, why, _ = node.hear()
    assert kind == "refused"
    assert f"{field}" in why.splitlines()[1]


@pytest.fixture
def memory(tmp_path):
    """Return a memory's folder, and the files in it."""
    folder = tmp_path / "memory"
    write_knowledge(folder, full_graph())
    return folder, read_files(folder)


@pytest.fixture
def told(tmp_path, memory):
    """Return what a pool tells a worker about an evaluation that learns."""
    asked = replace(MANY, tasks=("Wood",), episodes=1, seed=10_000, memory=memory[0])
    asked = replace(asked, learn=True, learn_into=tmp_path / "brought")
    identity = dict(identity_of(asked))
    plain = {"turn": 1, "path": [], "evaluation": asked.plain(), "rows": 1, "pictures": None}
    return {**plain, "identity": identity}


def test_pictures_come_to_the_folder_that_asks(pool, tmp_path):
    asked = Pictures(videos="first", every=100)
    expected = timeless(evaluate(SEEN, tmp_path / "here", pictures=asked))
    there = tmp_path / "there"
    assert timeless(evaluate(SEEN, there, pictures=asked, pool=pool)) == expected
    names = set(files_in(there))
    assert names == set(files_in(tmp_path / "here"))
    assert len(names) == 4
    sheets = {name for name in names if name.endswith(".webp")}
    assert all(files_in(there)[name] == files_in(tmp_path / "here")[name] for name in sheets)


def test_learning_on_two_nodes_fills_the_same_memory(pool, tmp_path):
    here = list(learned(learning(), tmp_path / "here", 1))
    there = list(learned(learning(), tmp_path / "there", 1, workers=2, rows=2, pool=pool))
    assert content(tmp_path / "there") == content(tmp_path / "here")
    assert [timeless(one.results.rows) for one in (there[0], there[-1])] == [
        timeless(one.results.rows) for one in (here[0], here[-1])
    ]
    assert not list(tmp_path.rglob("*.part"))


def test_a_node_killed_amid_a_run_loses_no_episode(cluster, tmp_path):
    node = cluster.add_node(**{**NODE, "num_cpus": 2})
    rows = []
    with closing(RayPool(cluster.address)) as pool:
        source = evaluate(MANY, tmp_path, workers=4, rows=2, pictures=QUIET, pool=pool)
        for row in source:
            rows.append(row)
            if len(rows) == 30:
                kill(node)
    assert timeless(rows) == timeless(evaluate(MANY, rows=4))
    cluster.remove_node(node)


def kill(node):
    """Kill a node's processes, as a machine's end does: its raylet, and all that it started."""
    (raylet,) = node.all_processes["raylet"]
    for child in children_of(raylet.process.pid):
        os.kill(child, signal.SIGKILL)
    raylet.process.kill()


def children_of(pid):
    listed = subprocess.run(["ps", "-o", "pid=", "--ppid", str(pid)], capture_output=True)
    return [int(word) for word in listed.stdout.split()]


def test_a_row_has_the_error_of_a_part_that_fails_on_a_node(pool):
    odd = replace(MANY, tasks=("CraftBowl",), agent="tests.run.evaluate.failing:Raising")
    (row, *_) = evaluate(odd, pool=pool)
    assert row.status == "crashed"
    assert "no bowls here" in row.reason
    unmakable = replace(MANY, agent="tests.run.evaluate.failing:Unmakable")
    with pytest.raises(BadValue, match="no weights"):
        list(evaluate(unmakable, pool=pool))


def test_the_command_plays_on_a_cluster(cluster, tmp_path):
    played = run("--ray", cluster.address, "--out", tmp_path)
    assert played.returncode == 0, played.stderr
    assert "2 episodes" in played.stdout
    assert len(read_results(tmp_path).rows) == 2


def command(*given):
    line = ["evaluate", "--world", "symbolic", *given]
    return [sys.executable, "-m", "optimus_gym.run.cli", *map(str, line)]


def run(*given, cwd=ROOT):
    line = command("--tasks", "Wood", "--episodes", "2", *given)
    return subprocess.run(line, cwd=cwd, capture_output=True, text=True)


def playing():
    """Return the processes of Ray's nodes that play episodes."""
    found = []
    for place in Path("/proc").glob("[0-9]*"):
        try:
            told = (place / "cmdline").read_bytes(), (place / "environ").read_bytes()
        except OSError:  # it has ended since
            continue
        if b"optimus_gym.run.evaluate.worker" in told[0] and b"RAY_RAYLET_PID" in told[1]:
            found.append(place.name)
    return found


@pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="looks at Linux's processes")
def test_a_killed_command_leaves_no_process_and_is_resumed(cluster, tmp_path):
    asked = command(
        *("--episodes", "2", "--workers", "2", "--rows", "2", "--no-frames"),
        *("--ray", cluster.address, "--out", tmp_path),
    )
    driver = subprocess.Popen(asked, cwd=ROOT, stdout=subprocess.DEVNULL)
    rows = tmp_path / "rows.jsonl"
    while not rows.exists() or rows.read_bytes().count(b"\n") < 5:
        assert driver.poll() is None
        time.sleep(0.05)
    assert playing()
    driver.kill()
    driver.wait()
    until = time.monotonic() + 30
    while playing() and time.monotonic() < until:
        time.sleep(0.1)
    assert not playing()
    assert len(read_results(tmp_path).rows) < len(MANY.jobs)
    assert subprocess.run(asked, cwd=ROOT, stdout=subprocess.DEVNULL).returncode == 0
    assert timeless(read_results(tmp_path).rows) == timeless(evaluate(MANY, rows=4))


def test_a_server_that_is_no_cluster_is_refused():
    with socket.create_server(("127.0.0.1", 0)) as server:
        address = f"127.0.0.1:{server.getsockname()[1]}"

        def answer():
            connection, _ = server.accept()
            with connection:
                connection.recv(100)
                connection.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n")

        with ThreadPoolExecutor(1) as pool:
            pool.submit(answer)
            with pytest.raises(BadValue, match="what answers there is no Ray cluster"):
                RayPool(address)


@pytest.mark.parametrize("address", ["127.0.0.1:9", "ray://127.0.0.1:9", "nowhere", ""])
def test_an_address_that_does_not_answer_is_refused_at_once(address, tmp_path):
    begun = time.monotonic()
    with pytest.raises(BadValue, match="expected the address of a Ray cluster that runs"):
        RayPool(address)
    assert time.monotonic() - begun < 15


def test_the_command_says_that_no_cluster_answers(tmp_path):
    refused = run("--ray", "127.0.0.1:9", "--out", tmp_path / "out")
    assert refused.returncode == 2
    assert "127.0.0.1:9" in refused.stderr
    assert not (tmp_path / "out").exists()


def test_gpus_without_a_cluster_are_refused(tmp_path):
    refused = run("--ray-gpus", 1, "--out", tmp_path / "out")
    assert refused.returncode == 2
    assert "ray_gpus: expected --ray with it, got 1 alone" in refused.stderr


def test_the_extra_is_named_where_ray_is_not_installed(monkeypatch):
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(MissingExtra, match=r"\[ray\]"):
        RayPool("auto")


def test_gpus_that_no_node_has_are_refused(cluster):
    with pytest.raises(BadValue, match="a CPU and 1 GPUs"):
        RayPool(cluster.address, gpus=1)
    with pytest.raises(BadValue, match="ray_gpus: expected a number, 0 or more, got -1"):
        RayPool(cluster.address, gpus=-1)


@pytest.mark.parametrize(
    ("content", "why"),
    [("raise ImportError('another machine')", "another machine"), (None, "code: on the node")],
)
def test_a_node_without_this_package_is_refused(cluster, content, why, tmp_path):
    other = tmp_path / "other"
    if content is None:
        copy_package(other)
    else:
        (other / "optimus_gym").mkdir(parents=True)
        (other / "optimus_gym" / "__init__.py").write_text(content)
    node = cluster.add_node(**NODE, env_vars={"PYTHONPATH": str(other)})
    refused = run("--ray", cluster.address, "--out", tmp_path / "out", cwd=tmp_path)
    cluster.remove_node(node)
    assert refused.returncode == 2
    assert why in refused.stderr
    assert not (tmp_path / "out").exists()
    RayPool(cluster.address).close()


def copy_package(place):
    """Copy the package as an installed one of another version."""
    shutil.copytree(ROOT / "optimus_gym", place / "optimus_gym")
    for name in ("envs", "wrappers", "baselines"):
        shutil.copytree(ROOT / name, place / "optimus_gym" / name)
    (place / "optimus_gym" / "newer.json").write_text(json.dumps({}))
