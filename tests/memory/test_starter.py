"""Agents read the memory that comes with the package, and no agent or command writes into this memory."""

import shutil
from pathlib import Path

import gymnasium as gym
import pytest

from optimus_gym.core.errors import BadValue
from optimus_gym.knowledge.graph_folder import read_knowledge
from optimus_gym.memory.compaction import counts
from optimus_gym.memory.database import MEMORY_FILE
from optimus_gym.memory.memory_folders import STARTER, STARTER_FOLDER, memory_folder, own_memory
from optimus_gym.memory.pool import ExperiencePool
from optimus_gym.memory.store import ExperienceStore
from optimus_gym.run.cli import main
from optimus_gym.run.evaluate import Evaluation, evaluate
from optimus_gym.run.evaluate.identity import memory_hash
from optimus_gym.run.learn.epochs import learned
from optimus_gym.run.learn.learning_setup import Learning
from optimus_gym.vision.mini_aligner import MiniAligner
from tools import starter
from tools.starter import MOST_BYTES, MOST_PICTURES, bytes_in_a_wheel, pack

SYMBOLIC = Evaluation(
    suite="optimus-ablation-18",
    tasks=("CraftCraftingTable",),
    world="symbolic",
    episodes=1,
    seed=40_000,
)


@pytest.fixture
def unchanged():
    """Check that the package's memory has the same files after the test."""
    before = {path.name: path.read_bytes() for path in STARTER_FOLDER.iterdir()}
    yield
    assert {path.name: path.read_bytes() for path in STARTER_FOLDER.iterdir()} == before


def test_it_fits_into_the_wheel():
    assert bytes_in_a_wheel(STARTER_FOLDER) <= MOST_BYTES


def test_it_has_each_goal_and_outcome_once_with_few_pictures():
    with ExperienceStore(STARTER_FOLDER, None, writes=False) as store:
        found = [store.get(number) for number in store.numbers()]
    assert len({(one.goal, one.outcome) for one in found}) == len(found) > 100
    assert {one.outcome for one in found} == {"success", "failure"}
    for one in found:
        pictures = {image.tick for case in one.cases for image in (case.before, case.present)}
        assert one.first is not None
        assert len(pictures | {one.first.tick}) <= MOST_PICTURES
    assert any(one.cases for one in found)


def test_its_agent_reaches_what_an_agent_without_knowledge_does_not(tmp_path, unchanged):
    (taught,) = evaluate(Evaluation(**{**SYMBOLIC.plain(), "memory": STARTER}))
    (empty,) = evaluate(Evaluation(**{**SYMBOLIC.plain(), "memory": tmp_path}))
    assert (taught.success, empty.success) == (True, False)
    assert taught.memory != empty.memory


def test_an_environment_reads_it(unchanged):
    with gym.make("Optimus-Stone-v0", world="symbolic", memory=STARTER) as env:
        env.reset(seed=40_000)
        ended = False
        while not ended:
            _, _, terminated, truncated, info = env.step(0)
            ended = terminated or truncated
    assert info["is_success"]


def test_no_agent_learns_into_it(tmp_path, unchanged):
    with pytest.raises(BadValue, match="got 'starter', which is only read"):
        gym.make("Optimus-Stone-v0", world="symbolic", memory=STARTER, learn=True)
    with gym.make(
        "Optimus-Wood-v0", world="symbolic", memory=STARTER, learn=True, learn_into=tmp_path
    ) as env:
        env.reset(seed=100_000)
        while not any(env.step(0)[2:4]):
            pass
    assert list(tmp_path.rglob(MEMORY_FILE))


@pytest.mark.parametrize(
    "given", [("teach", STARTER), ("compact", STARTER), ("merge", STARTER, STARTER)]
)
def test_the_command_does_not_write_into_it(given, unchanged, capsys):
    assert main(["memory", *given]) == 2
    assert "which is only read" in capsys.readouterr().err


def test_the_command_reads_and_copies_it(tmp_path, unchanged, capsys):
    assert main(["memory", "info", STARTER]) == 0
    assert main(["memory", "search", STARTER, "craft a stone pickaxe"]) == 0
    capsys.readouterr()
    assert main(["memory", "merge", str(tmp_path / "own"), STARTER]) == 0
    with (
        ExperienceStore(STARTER_FOLDER, None, writes=False) as ours,
        ExperienceStore(tmp_path / "own", None, writes=False) as copy,
    ):
        assert counts(copy.database) == counts(ours.database)
    assert read_knowledge(tmp_path / "own").sources == read_knowledge(STARTER_FOLDER).sources


def test_learning_begins_with_a_copy_of_it(tmp_path, unchanged):
    learning = Learning(
        evaluation=Evaluation(**{**SYMBOLIC.plain(), "memory": STARTER}),
        explore=1,
        teach=0,
        round=1,
    )
    (done,) = learned(learning, tmp_path / "run", 1, evaluates=False)
    assert done.ways >= len(read_knowledge(STARTER_FOLDER).sources)


def test_a_folder_of_the_same_name_is_given_by_its_path(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("starter").mkdir()
    assert memory_folder("./starter") == memory_folder(Path("starter")) == Path("starter")
    assert own_memory("./starter") == Path("starter")
    for given in ("./starter", Path("starter")):
        asked = Evaluation(**{**SYMBOLIC.plain(), "memory": given})
        assert memory_folder(asked.memory) == Path("starter")


def test_packing_what_is_packed_changes_nothing(tmp_path):
    copy = tmp_path / "copy"
    shutil.copytree(STARTER_FOLDER, copy)
    pack(copy, tmp_path / "packed")
    with (
        ExperiencePool(copy, MiniAligner(), writes=False) as before,
        ExperiencePool(tmp_path / "packed", MiniAligner(), writes=False) as after,
    ):
        for number, other in zip(before.store.numbers(), after.store.numbers(), strict=True):
            one, again = before.get(number), after.get(other)
            assert (one.key, one.plan, len(one.cases)) == (again.key, again.plan, len(again.cases))
    assert sorted(path.name for path in (tmp_path / "packed").iterdir()) == [
        "experience.sqlite", "hdkg.json",
    ]  # fmt: skip


def test_the_tool_learns_and_packs(tmp_path, monkeypatch, capsys):
    small = "--world symbolic --epochs 1 --explore 2 --teach 1 --episodes 0"
    monkeypatch.setattr(starter, "LEARN", f"learn {{}} {small}")
    monkeypatch.setattr(starter, "STARTER_FOLDER", tmp_path / "packed")
    monkeypatch.setattr("sys.argv", ["starter", str(tmp_path / "whole")])
    starter.main()
    assert "bytes in a wheel" in capsys.readouterr().out
    with ExperienceStore(tmp_path / "packed", None, writes=False) as store:
        assert 1 <= len(store.numbers()) <= 3
    assert read_knowledge(tmp_path / "packed").sources


def test_its_content_is_part_of_an_evaluations_identity(tmp_path):
    shutil.copytree(STARTER_FOLDER, tmp_path / "copy")
    named, copied = (
        Evaluation(**{**SYMBOLIC.plain(), "memory": memory})
        for memory in (STARTER, tmp_path / "copy")
    )
    assert memory_hash(named.memory) == memory_hash(copied.memory) != ""
