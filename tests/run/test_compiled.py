"""The commands `warmup` and `cache`, through real processes."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from optimus_gym.terminal.running import EXIT_BAD_INPUT

ROOT = Path(__file__).resolve().parents[2]


def python(*arguments, **variables):
    return subprocess.run(
        [sys.executable, *map(str, arguments)],
        cwd=ROOT,
        env={**os.environ, **variables},
        capture_output=True,
        text=True,
        timeout=1200,
    )


def optimus(*arguments, **variables):
    return python("-m", "optimus_gym.run.cli", *arguments, **variables)


ONE_KERNEL = "from optimus_gym.worlds.voxel.tables.trigonometry import sine; sine(30.0)"


def test_cache_prints_its_folder_and_size_and_clears_only_its_own_files(tmp_path):
    cache = {"OPTIMUS_GYM_CACHE": str(tmp_path)}
    folder = tmp_path / "kernels"
    (tmp_path / "notes.txt").write_text("of the user")
    assert optimus("cache", **cache).stdout == f"{folder}: 0 files, 0.0 MB\n"
    python("-c", ONE_KERNEL, **cache)
    (code,) = folder.rglob("*.code")
    size = f"1 files, {code.stat().st_size / 1e6:.1f} MB"
    assert optimus("cache", **cache).stdout == f"{folder}: {size}\n"
    assert optimus("cache", "--clear", **cache).stdout == f"{folder}: removed {size}\n"
    assert optimus("cache", **cache).stdout == f"{folder}: 0 files, 0.0 MB\n"
    assert (tmp_path / "notes.txt").exists()


def test_a_cache_that_cannot_be_cleared_is_one_line_and_exit_status_2(tmp_path, monkeypatch):
    from optimus_gym.run import cli
    from optimus_gym.worlds.voxel.compiling import first_use

    def refuse(path):
        raise PermissionError(13, "Permission denied", str(path))

    (tmp_path / "key").mkdir()
    monkeypatch.setattr(first_use, "cache_root", lambda: tmp_path)
    monkeypatch.setattr(first_use.shutil, "rmtree", refuse)
    assert cli.main(["cache", "--clear"]) == EXIT_BAD_INPUT


PLAYED = """
import gymnasium
import optimus_gym
from optimus_gym.worlds.voxel.compiling.first_use import listening

compiled = []
with listening(compiled.append):
    for name in ("OptimusFlat-Wood-v0", "OptimusControl-Wood-v0", "Optimus-Wood-v0"):
        env = gymnasium.make(name, render_mode="rgb_array")
        for options in (None, {"biome": "desert", "time": 15_000, "weather": "rain"}):
            env.reset(seed=1, options=options)
            over = False
            for _ in range(2):
                over = over or env.step(env.unwrapped.noop())[2]
            env.render()
        saved = env.unwrapped.snapshot()
        env.reset(options={"snapshot": saved})
        env.unwrapped.sights()
        env.close()
print([name for name in compiled if name.startswith("optimus_gym")])
"""


@pytest.mark.slow
def test_no_kernel_is_compiled_after_warmup():
    ready = optimus("warmup")
    assert ready.returncode == 0
    assert re.match(r"ready after \d+\.\d s; .*kernels: \d+ files, [\d.]+ MB\n", ready.stdout)
    done = python("-c", PLAYED)
    assert done.stdout.strip() == "[]", done.stderr
    assert "Compiling" not in done.stderr
