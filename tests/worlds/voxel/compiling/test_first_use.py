"""First use: one process compiles and others wait; a later start checks that all files are whole."""

import os
import subprocess
import sys

import pytest

from optimus_gym.worlds.voxel import warmup
from optimus_gym.worlds.voxel.compiling import first_use, sealed
from optimus_gym.worlds.voxel.compiling.folder import cache_root

COMPILE = """
import sys
from pathlib import Path
from optimus_gym.worlds.voxel.compiling import sealed
from optimus_gym.worlds.voxel.compiling.first_use import compile_with_progress
from optimus_gym.worlds.voxel.compiling.folder import cache_root
from optimus_gym.worlds.voxel.tables import trigonometry

def work(advance):
    print("compiles", flush=True)
    assert sys.stdin.readline() == "go on\\n"
    assert 0.49 < trigonometry.sine(30.0) < 0.51

compile_with_progress(trigonometry.__file__, "optimus_gym.worlds", "an angle", work)
print("done")
"""


@pytest.fixture
def start(tmp_path):
    """Return a function that starts a process, which compiles after it reads "go on"."""
    processes = []

    def begin(**variables):
        process = subprocess.Popen(
            [sys.executable, "-c", COMPILE],
            env={**os.environ, "OPTIMUS_GYM_CACHE": str(tmp_path), **variables},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        processes.append(process)
        return process

    yield begin
    for process in processes:
        process.kill()
        process.wait()


def ended(process, said=""):
    """Return the rest of a process's stdout and stderr."""
    told = process.communicate(said, timeout=300)
    assert process.returncode == 0, told
    return told


def test_one_process_compiles_while_others_wait_and_say_so(start):
    first = start()
    assert first.stdout.readline() == "compiles\n"
    others = [start() for _ in range(2)]
    for other in others:
        assert "Another process compiles: an angle waits for it" in other.stderr.readline()
    assert "an angle" in ended(first, "go on\n")[1]
    for other in others:
        assert ended(other) == ("done\n", "")


def test_the_next_process_compiles_when_the_first_is_killed(start):
    first = start()
    assert first.stdout.readline() == "compiles\n"
    second = start()
    assert "waits" in second.stderr.readline()
    first.kill()
    assert ended(second, "go on\n")[0] == "compiles\ndone\n"


def test_only_damaged_or_missing_files_are_compiled_again(start, tmp_path):
    assert ended(start(), "go on\n")[0] == "compiles\ndone\n"
    assert ended(start()) == ("done\n", "")
    for path in sorted(tmp_path.rglob("*.*")):
        if path.is_file() and path.stat().st_size:
            content = path.read_bytes()
            path.write_bytes(content[:-1] + bytes([content[-1] ^ 1]))
            assert ended(start(), "go on\n")[0] == "compiles\ndone\n", path
            path.unlink()
            assert ended(start(), "go on\n")[0] == "compiles\ndone\n", path
    assert ended(start()) == ("done\n", "")


def test_another_processor_compiles_its_own_code(start):
    ended(start(), "go on\n")
    assert ended(start(NUMBA_CPU_NAME="generic"), "go on\n")[0] == "compiles\ndone\n"


def test_an_error_says_that_numbas_compiler_is_off():
    played = "from optimus_gym.worlds.voxel.world import VoxelWorld; VoxelWorld()"
    done = subprocess.run(
        [sys.executable, "-c", played],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert "BadValue: NUMBA_DISABLE_JIT: expected Numba's compiler to be on" in done.stderr


def test_no_code_of_the_current_folder_runs_in_the_second_process(tmp_path, monkeypatch):
    for name in ("numpy", "numba", "gc", "optimus_gym", "sitecustomize"):
        (tmp_path / f"{name}.py").write_text("open('ran', 'w').close(); raise SystemExit(1)")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend("")  # which means the current folder
    second = warmup.second_process()
    second.communicate(timeout=600)
    assert second.returncode == 0
    assert not (tmp_path / "ran").exists()


def test_the_second_process_uses_the_same_cache_folder(monkeypatch):
    monkeypatch.setenv("OPTIMUS_GYM_CACHE", "/somewhere/else")
    started = {}
    monkeypatch.setattr(warmup.subprocess, "Popen", lambda _, env, **__: started.update(env))
    warmup.second_process()
    assert started["OPTIMUS_GYM_CACHE"] == str(cache_root().parent)


def test_a_list_with_a_missing_file_is_not_whole(tmp_path, monkeypatch):
    monkeypatch.setattr(first_use, "cache_root", lambda: tmp_path)
    monkeypatch.setattr(sealed, "TOUCHED", set())
    made = tmp_path / "key/it.made"
    sealed.store(made, b"key/one.code")
    assert not first_use._are_whole(made)
    sealed.store(tmp_path / "key/one.code", b"code")
    assert first_use._are_whole(made)
