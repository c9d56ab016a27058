"""A bad memory is reported; the agent stops or goes on without experience, as the user chose."""

import json
import shutil
import subprocess
import sys
import warnings

import gymnasium
import numpy as np
import pytest

from optimus_gym.agents.optimus1.agent import Optimus1
from optimus_gym.backbones.rules import RulesBackbone
from optimus_gym.core.errors import BadMemory, BadValue, UnknownName
from optimus_gym.core.parts import part_of
from optimus_gym.core.requests import Reply
from optimus_gym.core.types import SubGoal
from optimus_gym.knowledge.graph_folder import write_knowledge
from optimus_gym.knowledge.knowledge_graph import KnowledgeGraph, full_graph
from optimus_gym.memory.database import MEMORY_FILE
from optimus_gym.memory.pool import ExperiencePool
from optimus_gym.memory.schema import SCHEMA_VERSION
from optimus_gym.minds.custody import Custody
from optimus_gym.minds.durations import Durations
from optimus_gym.minds.eyes import Seen
from optimus_gym.minds.recall import Recall
from optimus_gym.run.cli import main
from optimus_gym.testing.situations import situation
from tests.envs.conftest import make

SEED = 700_000


def agent(choice, **given):
    return {"name": "optimus-1", "on_bad_memory": choice, **given}


def made(folder, choice="go_on", task="Wood", **given):
    arguments = {"world": "symbolic", "memory": folder, "agent": agent(choice), **given}
    return make("Optimus-v0", task=task, **arguments)


def played(env, seed=SEED, between=lambda: None):
    """Play an episode, and call `between` after its first sub-goal."""
    _, info = env.reset(seed=seed)
    steps, over = 0, False
    while not over:
        *_, ended, cut, info = env.step(0)
        over, steps = ended or cut, steps + 1
        if steps == 1:
            between()
    return info


@pytest.fixture(scope="module")
def remembered(tmp_path_factory):
    folder = tmp_path_factory.mktemp("remembered")
    write_knowledge(folder, full_graph())
    env = made(folder, task="Iron", learn=True)
    for k in range(3):
        played(env, SEED + k)
    env.close()
    return folder


@pytest.fixture
def folder(remembered, tmp_path):
    shutil.copytree(remembered, tmp_path / "memory")
    return tmp_path / "memory"


class Wishing:
    """Answers with a plan that is too short first, then like the rules."""

    name, takes_pictures = "wishing", False

    def __init__(self):
        self._rules, self._asked = RulesBackbone(), 0

    def complete(self, requests):
        self._asked += 1
        if self._asked > 1:
            return self._rules.complete(requests)
        return [Reply('{"steps": ["mine 1 dirt", "mine 1 dirt"]}') for _ in requests]


def wishing(folder, choice):
    """Return an environment whose agent needs a second plan."""
    trusting = agent(choice, switches={"checks": False})
    return made(folder, agent=trusting, backbone="tests.agents.optimus1.test_bad_memory:Wishing")


def elsewhere(folder, code):
    """Run code in another process, with the memory's file as `path`."""
    whole = f"import os, sqlite3, shutil\npath = {str(folder / MEMORY_FILE)!r}\n{code}"
    subprocess.run([sys.executable, "-c", whole], check=True)


def sql(*statements):
    lines = [f"c.execute({one!r})" for one in statements]
    return "\n".join(["c = sqlite3.connect(path)", *lines, "c.commit()", "c.close()"])


TABLES = ("replan", "reflection", "pursuit", "image", "experience", "words")
BEFORE = {
    "another aligner": (
        sql("UPDATE aligner SET name = 'other'"),
        "expected vectors of aligner 'mini",
    ),
    "a later version": (sql(f"PRAGMA user_version = {SCHEMA_VERSION + 1}"), "a newer version of"),
    "an older version": (
        sql("DROP TABLE replan", "PRAGMA user_version = 1"),
        "older ones or none; `optimus-gym memory compact DIR`",
    ),
    "damaged": ("f = open(path, 'r+b'); f.write(b'x' * 5000); f.close()", "cannot be used"),
    "no database": ("f = open(path, 'w'); f.write('hello'); f.close()", "cannot be used"),
    "emptied": ("os.truncate(path, 0)", "older ones or none"),
}
MEANWHILE = {
    "emptied": ("os.truncate(path, 0)", "got an empty file"),
    "cut": ("os.truncate(path, 8192)", "damaged|malformed|cannot be used|expected"),
    "deleted": ("os.remove(path)", "got none"),
    "folder deleted": ("shutil.rmtree(os.path.dirname(path))", "got none"),
    "replaced": ("shutil.copy(path, path + '2'); os.replace(path + '2', path)", "another file"),
    "overwritten": ("f = open(path, 'r+b'); f.write(b'x' * 5000); f.close()", "cannot be used"),
    "tables emptied": (sql(*(f"DELETE FROM {one}" for one in TABLES)), "experiences before, and now holds"),
}  # fmt: skip


def told(caught):
    return [str(one.message) for one in caught if "goes on without" in str(one.message)]


@pytest.mark.parametrize(("code", "reason"), BEFORE.values(), ids=BEFORE)
@pytest.mark.parametrize("learn", [False, True])
def test_a_bad_memory_is_noticed_when_the_environment_is_made(folder, code, reason, learn):
    older = "user_version = 1" in code or "truncate" in code
    elsewhere(folder, code)
    if learn and older:
        pytest.skip("a writer brings older tables up to date, and fills an empty file")
    with pytest.raises(BadMemory, match=reason):
        made(folder, "stop", learn=learn)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        env = made(folder, learn=learn)
        info = played(env)
        again = played(env, SEED + 1)
        env.close()
    (warning,) = told(caught)
    assert str(folder) in warning
    assert info["is_success"]
    for one in (info, again):
        assert one["memory"]["lost"] == 1
        assert one["memory"]["fault"] in warning


@pytest.mark.parametrize(("code", "reason"), MEANWHILE.values(), ids=MEANWHILE)
def test_a_memory_that_goes_bad_between_episodes_is_noticed_at_the_next_plan(folder, code, reason):
    stopping, going = made(folder, "stop"), made(folder)
    assert [played(env)["memory"] for env in (stopping, going)] == [{"lost": 0, "fault": ""}] * 2
    elsewhere(folder, code)
    with pytest.raises(BadMemory, match=reason):
        stopping.reset(seed=SEED + 1)
    with pytest.warns(RuntimeWarning, match="goes on without"):
        info = played(going, SEED + 1)
    assert (info["is_success"], info["memory"]["lost"]) == (True, 1)
    for env in (stopping, going):
        env.close()


@pytest.mark.parametrize(("code", "reason"), MEANWHILE.values(), ids=MEANWHILE)
def test_a_memory_that_goes_bad_within_an_episode_is_noticed_at_the_replan(folder, code, reason):
    env = wishing(folder, "stop")
    with pytest.raises(BadMemory, match=reason):
        played(env, between=lambda: elsewhere(folder, code))
    env.close()


@pytest.mark.parametrize(("code", "reason"), MEANWHILE.values(), ids=MEANWHILE)
def test_an_agent_that_goes_on_replans_without_experience(folder, code, reason):
    env = wishing(folder, "go_on")
    with pytest.warns(RuntimeWarning, match=reason):
        info = played(env, between=lambda: elsewhere(folder, code))
    env.close()
    assert info["is_success"]
    assert info["memory"]["lost"] == 1
    assert info["replans"] == 1


def test_a_plan_after_the_loss_of_memory_has_no_experience(folder):
    switches = {"knowledge": False, "experience": True}
    env = made(folder, task="Iron", agent=agent("go_on", switches=switches))
    _, info = env.reset(seed=SEED)
    assert len(info["plan"]) > 5
    elsewhere(folder, "os.remove(path)")
    with pytest.warns(RuntimeWarning, match="goes on without"):
        _, info = env.reset(seed=SEED + 1)
    env.close()
    assert len(info["plan"]) == 1
    assert info["memory"]["lost"] == 1


def test_all_rows_go_on_with_a_single_warning(folder):
    env = gymnasium.make_vec(
        "Optimus-v0", num_envs=3, task="Wood", world="symbolic", memory=folder, agent=agent("go_on")
    )
    elsewhere(folder, "os.truncate(path, 0)")
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        _, infos = env.reset(seed=SEED)
        env.close()
    assert len(told(caught)) == 1
    assert infos["memory"]["lost"].tolist() == [1, 1, 1]


def test_durations_come_from_the_graph_if_the_memory_cannot_be_read(folder):
    aligner = part_of("aligner", "mini").build()
    subgoal = SubGoal("mine", "oak_log", 3, text="mine 3 log")
    expected = Durations(None, full_graph()).usual(subgoal)
    with ExperiencePool(folder, aligner, writes=False) as pool:
        going = Durations(pool, full_graph(), Custody("go_on", folder))
        stopping = Durations(pool, full_graph())
        assert going.usual(subgoal) == stopping.usual(subgoal)
        assert len(pool) == 3
        elsewhere(folder, sql(*(f"DELETE FROM {one}" for one in TABLES)))
        with pytest.raises(BadMemory, match=r"held .* experiences before, and now holds none"):
            stopping.usual(subgoal)
    with ExperiencePool(folder, aligner, writes=False) as pool:
        elsewhere(folder, "os.remove(path)")
        going = Durations(pool, full_graph(), Custody("go_on", folder))
        with pytest.warns(RuntimeWarning, match="got none"):
            assert going.usual(subgoal) == expected


def test_unreadable_cases_are_left_out(folder):
    aligner = part_of("aligner", "mini").build()
    seen = Seen("plains", screen=None)
    with ExperiencePool(folder, aligner, writes=False) as pool:
        custody = Custody("go_on", folder)
        recall = Recall(pool, full_graph(), custody=custody)
        elsewhere(folder, "os.remove(path)")
        with pytest.warns(RuntimeWarning, match="got none"):
            assert custody.use(lambda: pool.cases("mine 3 log", np.zeros(aligner.width)), ()) == ()
        assert recall.cases([situation(SubGoal("mine", "oak_log", 3))], [seen]) == [()]


WRITING = {
    "deleted": ("os.remove(path)", "got none"),
    "emptied": ("os.truncate(path, 0)", "got an empty file"),
    "replaced": ("shutil.copy(path, path + '2'); os.replace(path + '2', path)", "another file"),
    "overwritten": ("f = open(path, 'r+b'); f.write(b'x' * 5000); f.close()", "cannot be used"),
    "another aligner": (sql("UPDATE aligner SET name = 'other'"), "expected vectors of aligner"),
    "graph damaged": (
        "open(os.path.join(os.path.dirname(path), 'hdkg.json'), 'w').write('x')", "knowledge|hdkg"
    ),
}  # fmt: skip


@pytest.mark.parametrize(("code", "reason"), WRITING.values(), ids=WRITING)
@pytest.mark.parametrize("choice", ["stop", "go_on"])
def test_an_episode_that_cannot_be_stored_is_always_reported(folder, code, reason, choice):
    (folder / "hdkg.json").unlink()
    write_knowledge(folder, KnowledgeGraph(full_graph().sources[:1]))
    env = made(folder, choice, task={"item": "oak_planks"}, learn=True)
    start = {"inventory": {"oak_log": 3}}
    _, info = env.reset(seed=SEED, options=start)
    elsewhere(folder, code)
    if choice == "stop":
        with pytest.raises(BadMemory, match=reason):
            env.step(0)
        env.close()
        return
    with pytest.warns(RuntimeWarning, match=reason) as caught:
        *_, info = env.step(0)
    env.close()
    assert info["is_success"]
    assert info["memory"]["lost"] == 1
    (warning,) = told(caught)
    assert ("lost episodes: " in warning) == ("hdkg" not in reason)


def test_the_command_line_and_its_tables_report_a_lost_memory(folder, tmp_path, capsys):
    elsewhere(folder, sql("UPDATE aligner SET name = 'other'"))
    words = ["--world", "symbolic", "--memory", str(folder)]
    chosen = ["--set", "agent.on_bad_memory=go_on"]
    assert main(["run", "Optimus-Wood-v0", *words]) == 2
    assert "expected vectors of aligner" in capsys.readouterr().err
    with pytest.warns(RuntimeWarning, match="goes on without"):
        assert main(["run", "Optimus-Wood-v0", *words, *chosen]) == 0
    said = " ".join(capsys.readouterr().out.split())
    assert 'memory lost in 1 episode: "memory: expected vectors of aligner' in said
    several = ["--tasks", "Wood,Stone", "--episodes", "1", "--seed", str(SEED), "--no-frames"]
    out, whole = str(tmp_path / "out"), str(tmp_path / "whole")
    assert main(["evaluate", *several, *words, "--out", out]) == 2
    capsys.readouterr()
    assert main(["evaluate", *several, *words, *chosen, "--out", out]) == 0
    assert "memory lost in 2 episodes" in capsys.readouterr().out
    rows = [json.loads(line) for line in (tmp_path / "out" / "rows.jsonl").read_text().splitlines()]
    assert ["expected vectors of" in row["memory_lost"] for row in rows] == [True, True]
    assert main(["evaluate", *several, "--world", "symbolic", "--out", whole]) == 0
    assert "memory lost" not in capsys.readouterr().out
    assert main(["compare", whole, out]) == 0
    second = capsys.readouterr().out.split("second:")
    assert "memory lost" not in second[0]
    assert 'memory lost in 2 episodes: "memory: expected' in second[-1]
    assert main(["report", out, whole, "--out", str(tmp_path / "report.html")]) == 0
    made = [one for one in (tmp_path / "report").rglob("*") if one.suffix in (".csv", ".tex")]
    texts = [(tmp_path / "report.html").read_text(), *(one.read_text() for one in made)]
    assert ["memory lost in 2 episodes" in text for text in texts].count(True) >= 2
    assert any("memory_lost" in text for text in texts[1:])


def test_an_unknown_choice_for_a_bad_memory_is_rejected():
    with pytest.raises((BadValue, UnknownName), match="on_bad_memory"):
        Optimus1(on_bad_memory="ignore")
