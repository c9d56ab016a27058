"""The memory folder's graph is written whole or not at all; processes lose nothing."""

import subprocess
import sys
from pathlib import Path

import pytest

from optimus_gym.core import files
from optimus_gym.core.errors import BadValue
from optimus_gym.knowledge import graph_folder as folders
from optimus_gym.knowledge.graph_folder import GRAPH_FILE, read_knowledge, write_knowledge
from optimus_gym.knowledge.knowledge_graph import KnowledgeGraph
from optimus_gym.knowledge.learning import SeenWay

ROOT = Path(__file__).resolve().parents[2]


def knowing(*items):
    graph = KnowledgeGraph.empty()
    for item in items:
        graph.learn(SeenWay("mine", item))
    return graph


def products(graph):
    return [source.product for source in graph.sources]


def test_a_missing_folder_is_created_and_its_graph_read_again(tmp_path):
    folder = tmp_path / "deep" / "memory"
    assert products(read_knowledge(folder)) == []
    written = write_knowledge(folder, knowing("dirt", "sand"))
    assert products(written) == products(read_knowledge(folder)) == ["dirt", "sand"]
    assert products(write_knowledge(folder, knowing("clay_ball", "sand"))) == [
        "dirt", "sand", "clay_ball"
    ]  # fmt: skip


def test_an_interrupted_write_leaves_the_previous_file(tmp_path, monkeypatch):
    write_knowledge(tmp_path, knowing("dirt"))

    def cut_off(_):
        raise OSError("no space left")

    monkeypatch.setattr(files.os, "fsync", cut_off)
    with pytest.raises(BadValue, match=f"cannot write into '{tmp_path}': no space left"):
        write_knowledge(tmp_path, knowing("sand"))
    assert products(read_knowledge(tmp_path)) == ["dirt"]
    assert sorted(path.name for path in tmp_path.iterdir()) == [GRAPH_FILE, folders.GRAPH_LOCK]


def test_a_file_that_is_no_graph_is_rejected_by_its_path_and_kept(tmp_path):
    path = tmp_path / GRAPH_FILE
    path.write_text("[]")
    for use in (read_knowledge, lambda folder: write_knowledge(folder, knowing("dirt"))):
        with pytest.raises(BadValue, match=str(path)):
            use(tmp_path)
    assert path.read_text() == "[]"
    path.write_bytes(b"\xff\xfe\xff")
    with pytest.raises(BadValue, match=f"cannot read '{path}'"):
        read_knowledge(tmp_path)


def test_a_file_in_place_of_the_folder_is_rejected_by_its_path(tmp_path):
    path = tmp_path / "memory"
    path.write_text("")
    with pytest.raises(BadValue, match=f"cannot read '{path / GRAPH_FILE}'"):
        read_knowledge(path)
    with pytest.raises(BadValue, match=f"cannot write into '{path}'"):
        write_knowledge(path, knowing("dirt"))


def test_processes_that_write_at_once_lose_nothing(tmp_path):
    code = (
        "import sys\n"
        "from pathlib import Path\n"
        "from optimus_gym.knowledge.graph_folder import write_knowledge\n"
        "from optimus_gym.knowledge.knowledge_graph import KnowledgeGraph\n"
        "from optimus_gym.knowledge.learning import SeenWay\n"
        "for item in sys.argv[2:]:\n"
        "    graph = KnowledgeGraph.empty()\n"
        "    graph.learn(SeenWay('mine', item))\n"
        "    write_knowledge(Path(sys.argv[1]), graph)\n"
    )
    colours = ("white", "red", "blue", "green", "black", "pink", "lime", "gray")
    mine = [f"{colour}_wool" for colour in colours], [f"{colour}_bed" for colour in colours]
    env = {"PYTHONPATH": ":".join((str(ROOT), *sys.path))}
    runs = [
        subprocess.Popen([sys.executable, "-c", code, str(tmp_path), *items], env=env)
        for items in mine
    ]
    assert [run.wait(timeout=60) for run in runs] == [0, 0]
    assert set(products(read_knowledge(tmp_path))) == {*mine[0], *mine[1]}
