"""Whole episodes survive a misbehaving server; all faults are counted and the key stays hidden."""

import itertools
import logging

import gymnasium
import numpy as np
import pytest

from optimus_gym.agents.optimus1.agent import Optimus1
from optimus_gym.backbones import openai_answers
from optimus_gym.backbones.openai_api import OpenAIBackbone
from optimus_gym.backbones.replay import ReplayBackbone
from tests.agents.backbones import ruled
from tests.backbones.openai_server import ALL, KEY, SLOW, begins, serving, set_environment
from tests.envs.conftest import make

pytest.importorskip("openai")

WORLD = {"name": "symbolic", "failures": 0.3}
"""A world in which sub-goals fail often, so that agents ask often."""
ENDS = {"success", "gave_up", "budget"}


@pytest.fixture(autouse=True)
def environment(monkeypatch, caplog):
    set_environment(monkeypatch)
    monkeypatch.setattr(openai_answers, "FIRST_PAUSE", 0.02)  # other tests check the pauses
    caplog.set_level(logging.DEBUG)


class Noting(Optimus1):
    """Keeps the records of its episodes."""

    def __init__(self):
        super().__init__(max_replans=6)
        self.records = []

    def finish(self, records):
        super().finish(records)
        self.records += records


def misbehaving(share, slow=SLOW):
    """A server's plan that deals out all misbehaviours in turn and else answers like the rules."""
    rng = np.random.default_rng(5)
    kinds = [kind for kind in ALL if kind in slow or kind not in SLOW]
    turns = itertools.cycle(rng.permutation(kinds).tolist())
    return lambda text, tries: next(turns) if rng.random() < share else ruled(text, tries)


def shows(text):
    return any(KEY[k : k + 8] in text for k in range(len(KEY) - 7))


def check_hidden(caplog, capfd, folder):
    """Check that the key is in no log, no output and no file."""
    assert {record.name.split(".")[0] for record in caplog.records} >= {"openai"}
    assert not shows(caplog.text)
    assert not any(shows(repr(vars(record))) for record in caplog.records)
    assert not shows("".join(capfd.readouterr()))
    files = [path for path in folder.rglob("*") if path.is_file()]
    assert files
    assert not any(KEY[:8].encode() in path.read_bytes() for path in files)


def test_each_episode_reports_its_faults(tmp_path, caplog, capfd):
    with serving(misbehaving(0.7, slow=("hang",))) as server:
        backbone = OpenAIBackbone("m", server.address, timeout=0.5, retries=1)
        env = make(
            "Optimus-Stone-v0",
            world=WORLD,
            agent=Noting(),
            backbone=ReplayBackbone(tmp_path / "talk.jsonl", backbone),
        )
        for seed in range(6):
            before = server.dealt.total()
            _, info = env.reset(seed=seed)
            over = False
            while not over:
                assert not shows(repr(info))
                _, _, terminated, truncated, info = env.step(0)
                over = terminated or truncated
            assert info["status"] in ENDS
            assert info["backbone"]["faults"] == server.dealt.total() - before
        assert server.dealt.total() > 5
        env.close()
    check_hidden(caplog, capfd, tmp_path)


@pytest.mark.parametrize(
    ("rows", "enough"), [(24, 60), pytest.param(64, 1000, marks=pytest.mark.slow)]
)
def test_every_episode_survives_many_faults_and_all_are_counted(
    rows, enough, tmp_path, caplog, capfd
):
    agent = Noting()
    with serving(misbehaving(0.6)) as server:
        backbone = OpenAIBackbone("m", server.address, timeout=rows / 20, retries=1)
        env = gymnasium.make_vec(
            "Optimus-Wood-v0",
            rows,
            world=WORLD,
            agent=agent,
            backbone=ReplayBackbone(tmp_path / "talk.jsonl", backbone),
            resolution=(16, 12),
        )
        _, infos = env.reset(seed=0)
        for _ in range(enough):
            _, _, _, _, infos = env.step(np.zeros(rows, np.int64))
            assert not shows(repr(infos))
            won = [record for record in agent.records if record.status == "success"]
            if server.dealt.total() >= enough and len(agent.records) >= rows // 4 and won:
                break
        env.close()
    faults = [fault for record in agent.records for one in record.answers for fault in one.faults]
    assert len(faults) == server.dealt.total() >= enough
    for kind in server.dealt:
        assert any(fault.startswith(begins(kind)) for fault in faults), kind
    assert set(server.dealt) == set(ALL)
    assert {record.status for record in agent.records} <= {*ENDS, "abandoned"}
    assert won
    check_hidden(caplog, capfd, tmp_path)
