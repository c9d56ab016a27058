"""The key of machine code changes with every source and data file of the code."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from optimus_gym.worlds.voxel import tick, warmup
from optimus_gym.worlds.voxel.compiling import code_keys
from optimus_gym.worlds.voxel.land import field
from optimus_gym.worlds.voxel.screen import painter as screen

ASKED = (
    "from optimus_gym.worlds.voxel.compiling.code_keys import source_key; print(source_key({!r}))"
)


@pytest.fixture
def changed(monkeypatch):
    """Pretend that a file of the package has other content."""

    def change(name):
        real = code_keys._file_key
        monkeypatch.setattr(
            code_keys, "_file_key", lambda path: b"other" if path.endswith(name) else real(path)
        )

    return change


def test_the_key_changes_only_with_imported_files(changed):
    rules, sight = code_keys.source_key(tick.__file__), code_keys.source_key(field.__file__)
    changed("voxel/player/vitals.py")
    assert code_keys.source_key(tick.__file__) != rules
    assert code_keys.source_key(field.__file__) == sight


def test_the_key_changes_with_indirect_imports(changed):
    rules = code_keys.source_key(tick.__file__)
    changed("voxel/compiling/kernels.py")
    assert code_keys.source_key(tick.__file__) != rules


def test_the_key_does_not_depend_on_earlier_imports():
    alone = subprocess.run(
        [sys.executable, "-c", ASKED.format(screen.__file__)],
        capture_output=True,
        check=True,
        text=True,
    )
    assert alone.stdout.strip() == code_keys.source_key(screen.__file__)


@pytest.mark.parametrize("setting", ["BOUNDSCHECK", "OPT"])
def test_the_key_changes_with_compiler_settings(monkeypatch, setting):
    rules = code_keys.source_key(tick.__file__)
    monkeypatch.setattr(code_keys.numba.config, setting, 7)
    code_keys._compilers.cache_clear()
    assert code_keys.source_key(tick.__file__) != rules
    monkeypatch.undo()
    code_keys._compilers.cache_clear()


def test_the_key_names_the_versions_of_the_compilers():
    told = code_keys._compilers()
    for module in (code_keys.numba, code_keys.llvmlite, code_keys.np):
        assert module.__version__ in told
    assert sys.version in told


@pytest.fixture(scope="module")
def copied(tmp_path_factory):
    """Copy the package into a folder where tests may change it."""
    place = tmp_path_factory.mktemp("copy")
    shutil.copytree(
        code_keys.PACKAGE, place / "optimus_gym", ignore=shutil.ignore_patterns("__pycache__")
    )
    return place


@pytest.mark.parametrize(
    "name", ["game/data/ways/creatures.json", "game/data/loot.json", "worlds/voxel/tables/new.json"]
)
def test_the_key_changes_with_each_data_file(copied, name):
    def key():
        asked = ASKED.format(str(copied / "optimus_gym/worlds/voxel/tick.py"))
        done = subprocess.run(
            [sys.executable, "-c", asked],
            env={**os.environ, "PYTHONPATH": str(copied)},
            cwd=copied,
            capture_output=True,
            check=True,
            text=True,
        )
        return done.stdout

    path = copied / "optimus_gym" / name
    path = path if path.exists() else path.parent / "data" / path.name
    before = key()
    content = path.read_bytes() if path.exists() else b""
    path.write_bytes(content.replace(b"beef", b"diamond") + b"\n")
    assert key() != before
    path.write_bytes(content)


PLAYED = """
import sys
opened = set()
sys.addaudithook(lambda event, told: opened.add(str(told[0])) if event == "open" else None)
import numpy
from optimus_gym.core.actions import noop
from optimus_gym.core.types import Setup
from optimus_gym.worlds.voxel.render import look
from optimus_gym.worlds.voxel.world import VoxelWorld
world = VoxelWorld(1, view_distance=16)
world.reset(0, Setup(seed=0, creatures=True, difficulty="normal", time=14_000))
world.tick([0], noop()[None])
world.frames([0], numpy.zeros((1, 32, 32, 3), "u1"))
look._draw_look()
print("\\n".join(opened))
"""


def test_a_world_reads_only_data_files_of_the_key():
    done = subprocess.run(
        [sys.executable, "-c", PLAYED], capture_output=True, check=True, text=True
    )
    read = {Path(line).resolve() for line in done.stdout.splitlines()}
    read = {path for path in read if path.is_relative_to(code_keys.PACKAGE)}
    data = {str(path) for path in read if path.suffix not in (".py", ".pyc")}
    assert len(data) > 20
    assert data <= set(code_keys.source_files(warmup.__file__))
