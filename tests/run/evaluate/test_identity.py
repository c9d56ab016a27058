"""The identity of an evaluation hashes the code, the files that parts name and the memory's content."""

import subprocess
import sys

import pytest

from optimus_gym.core.errors import BadValue
from optimus_gym.knowledge.graph_folder import write_knowledge
from optimus_gym.knowledge.knowledge_graph import full_graph
from optimus_gym.run.evaluate import Evaluation, evaluate
from optimus_gym.run.evaluate.identity import (
    code_files,
    code_hash,
    configuration_hash,
    identity_of,
    memory_hash,
)

TELL = "from optimus_gym.run.evaluate.identity import code_hash; print(code_hash())"


def hash_from(place):
    """Return the hash of the code that a process finds in a folder."""
    done = subprocess.run(
        [sys.executable, "-P", "-c", f"import sys; sys.path.insert(0, {str(place)!r}); {TELL}"],
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.strip()


def merged(place):
    """Build the package in one folder of links, laid out like a wheel."""
    for name, file in code_files().items():
        (place / name).parent.mkdir(parents=True, exist_ok=True)
        (place / name).symlink_to(file)
    return place


def test_code_files_have_the_names_of_an_installed_package():
    names = set(code_files())
    assert {"optimus_gym/envs/loop.py", "optimus_gym/game/data/loot.json"} <= names
    assert all(name.startswith("optimus_gym/") and "__pycache__" not in name for name in names)
    assert not any("/." in name or "/tests/" in name for name in names)
    assert len({file.resolve() for file in code_files().values()}) == len(names)


def test_another_installation_of_the_same_code_has_the_same_hash(tmp_path):
    place = merged(tmp_path)
    first = hash_from(place)
    file = place / "optimus_gym/envs/loop.py"
    content = file.read_bytes()
    file.unlink()
    file.write_bytes(content)
    assert hash_from(place) == first == code_hash()
    file.write_bytes(content + b"\n")
    assert hash_from(place) != first


@pytest.mark.parametrize("named", ["{}/policy.zip", "~/policy.zip"])
def test_weights_and_outside_modules_count_for_the_identity(tmp_path, monkeypatch, named):
    monkeypatch.setenv("HOME", str(tmp_path))
    weights = tmp_path / "policy.zip"
    weights.write_bytes(b"first")
    asked = Evaluation(
        agent="tests.run.evaluate.failing:Printing",
        controller=f"sb3:{named.format(tmp_path)}",
        episodes=1,
    )
    files = identity_of(asked)["files"]
    assert set(files) == {"agent tests.run.evaluate.failing:Printing", "controller.source"}
    before = configuration_hash(identity_of(asked))
    weights.write_bytes(b"second")
    assert configuration_hash(identity_of(asked)) != before


def test_files_in_nested_options_count_for_the_identity(tmp_path):
    """A video that serves as a prompt counts like weights, and so do weights of an inner controller."""
    for name in ("clip.mp4", "inner.zip"):
        (tmp_path / name).write_bytes(b"first")
    steve = {"name": "steve-1", "source": str(tmp_path), "visual": {"dig": f"{tmp_path}/clip.mp4"}}
    outer = {"name": "unreliable", "controller": {"name": "sb3", "source": f"{tmp_path}/inner.zip"}}
    found = [
        set(identity_of(Evaluation(controller=one, episodes=1))["files"]) for one in (steve, outer)
    ]
    assert found == [
        {"controller.source", "controller.visual.dig"},
        {"controller.controller.source"},
    ]


@pytest.mark.parametrize("short", [True, False])
def test_the_weights_of_an_agents_aligner_count_for_the_identity(tmp_path, short):
    weights = tmp_path / "attn.pth"
    weights.write_bytes(b"first")
    aligner = f"mineclip:{weights}" if short else {"name": "mineclip", "source": str(weights)}
    files = identity_of(Evaluation(agent={"name": "optimus-1", "aligner": aligner}))["files"]
    assert "agent.aligner.source" in files


def test_files_in_a_list_count_for_the_identity(tmp_path):
    (tmp_path / "one").write_bytes(b"first")
    asked = Evaluation(controller={"name": "steve-1", "source": ["a", str(tmp_path / "one")]})
    assert set(identity_of(asked)["files"]) == {"controller.source.1"}


@pytest.mark.parametrize("named", ["~nobody-of-this-name/a", "a" * 5000, "a\0b"])
def test_texts_other_than_paths_add_no_files(named):
    asked = Evaluation(controller={"name": "steve-1", "source": named}, episodes=1)
    assert identity_of(asked)["files"] == {}


def test_a_memory_counts_by_its_content(tmp_path):
    asked = []
    for name in ("one", "other"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "hdkg.json").write_text("{}")
        asked.append(Evaluation(world="symbolic", memory=tmp_path / name))
    assert memory_hash(asked[0].memory) == memory_hash(asked[1].memory) != ""
    assert identity_of(asked[0]) == identity_of(asked[1])
    log = tmp_path / "other" / "experience.sqlite-wal"
    log.touch()
    assert memory_hash(asked[0].memory) == memory_hash(asked[1].memory)
    log.write_bytes(b"\0")
    assert memory_hash(asked[0].memory) != memory_hash(asked[1].memory)
    log.unlink()
    (tmp_path / "other" / "experience.sqlite").write_bytes(b"\0")
    assert memory_hash(asked[0].memory) != memory_hash(asked[1].memory)


def test_a_memory_that_changes_during_its_evaluation_is_refused(tmp_path):
    """The rows stay the same; the folder's next evaluation reports that the memory differs."""
    memory, out = tmp_path / "memory", tmp_path / "out"
    memory.mkdir()
    write_knowledge(memory, full_graph())
    asked = Evaluation(world="symbolic", tasks=("CraftStick",), episodes=1, memory=memory)
    rows = evaluate(asked, out)
    assert next(rows).key == ("CraftStick", 0)
    (memory / "notes.txt").write_text("learned meanwhile")
    with pytest.raises(BadValue, match="changed during the evaluation"):
        next(rows)
    with pytest.raises(BadValue, match=r"memory: there '[0-9a-f]+', asked for '"):
        list(evaluate(asked, out))
