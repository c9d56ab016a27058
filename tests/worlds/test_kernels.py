import os
import subprocess
import sys
from pathlib import Path

import pytest

from optimus_gym.worlds.voxel import tick
from optimus_gym.worlds.voxel.compiling import kernels
from optimus_gym.worlds.voxel.land import field
from optimus_gym.worlds.voxel.screen import screens as screen

ONE_KERNEL = """
from optimus_gym.worlds.voxel.compiling import pipeline
compiled = []
pipeline.LISTENERS.append(compiled.append)
from optimus_gym.worlds.voxel.tables.trigonometry import cosine, sine
assert sine(30.0) ** 2 + cosine(30.0) ** 2 > 0.999
print(len(compiled))
"""


def start(cache, before=""):
    return subprocess.Popen(
        [sys.executable, "-c", before + ONE_KERNEL],
        env={**os.environ, "OPTIMUS_GYM_CACHE": str(cache)},
        stdout=subprocess.PIPE,
        text=True,
    )


def compiled_in(process):
    output, _ = process.communicate(timeout=120)
    assert process.returncode == 0
    return int(output)


def test_parallel_processes_fill_one_cache_and_later_ones_compile_nothing(tmp_path):
    first = [start(tmp_path) for _ in range(3)]
    assert all(compiled_in(process) in (0, 1, 2) for process in first)
    assert compiled_in(start(tmp_path)) == 0


def test_who_used_numba_before_makes_the_same_machine_code(tmp_path):
    used = "import numba; numba.njit(lambda: 1)()"
    assert compiled_in(start(tmp_path, before=used)) > 0
    assert compiled_in(start(tmp_path)) == 0


@pytest.fixture
def changed(monkeypatch):
    """Pretend that a source file of the world has other content."""

    def change(name):
        real = kernels._file_key
        monkeypatch.setattr(
            kernels, "_file_key", lambda path: b"other" if path.endswith(name) else real(path)
        )

    return change


def test_the_key_follows_what_a_file_imports_and_no_more(changed):
    rules, sight = kernels.source_key(tick.__file__), kernels.source_key(field.__file__)
    changed("voxel/player/vitals.py")
    assert kernels.source_key(tick.__file__) != rules
    assert kernels.source_key(field.__file__) == sight


def test_the_key_follows_what_an_import_imports(changed):
    rules = kernels.source_key(tick.__file__)
    changed("voxel/compiling/kernels.py")
    assert kernels.source_key(tick.__file__) != rules


def test_the_key_is_the_same_whatever_was_imported_before():
    asked = (
        "from optimus_gym.worlds.voxel.compiling.kernels import source_key as k; "
        f"print(k({screen.__file__!r}))"
    )
    alone = subprocess.run(
        [sys.executable, "-c", asked], capture_output=True, check=True, text=True
    )
    assert alone.stdout.strip() == kernels.source_key(screen.__file__)


def test_the_key_follows_the_data(monkeypatch):
    rules = kernels.source_key(tick.__file__)
    monkeypatch.setattr(kernels, "_data_key", lambda: b"other")
    assert kernels.source_key(tick.__file__) != rules


def test_an_unwritable_folder_is_replaced_by_a_temporary_one(tmp_path, monkeypatch):
    taken = tmp_path / "file"
    taken.write_text("no folder")
    monkeypatch.setenv(kernels.CACHE_VARIABLE, str(taken))
    monkeypatch.setattr(kernels.tempfile, "gettempdir", lambda: str(tmp_path))
    root = kernels.cache_root.__wrapped__()
    assert tmp_path in root.parents
    assert Path(root).is_dir()


def test_no_writable_folder_at_all_is_said(tmp_path, monkeypatch):
    taken = tmp_path / "file"
    taken.write_text("no folder")
    monkeypatch.setenv(kernels.CACHE_VARIABLE, str(taken))
    monkeypatch.setattr(kernels.tempfile, "gettempdir", lambda: str(taken))
    with pytest.raises(OSError, match="no folder for compiled kernels can be written"):
        kernels.cache_root.__wrapped__()
