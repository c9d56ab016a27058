import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
TICKS = 2000
GOLDEN = json.loads((ROOT / "tests/golden/trajectories.json").read_text())


def hash_in_a_process(name, **environment):
    """Return the hash of a golden trajectory by its name: a seed, with or without "lively"."""
    seed, *lively = name.split()
    done = subprocess.run(
        [sys.executable, "-m", "tests.worlds.voxel.trajectory", seed, str(TICKS), *lively],
        cwd=ROOT,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.strip()


@pytest.mark.parametrize("hash_seed", ["1", "2"])
@pytest.mark.parametrize("name", GOLDEN)
def test_trajectories_keep_their_golden_hashes_for_any_hash_seed(name, hash_seed):
    assert hash_in_a_process(name, PYTHONHASHSEED=hash_seed) == GOLDEN[name]


@pytest.mark.slow
@pytest.mark.parametrize("processor", ["generic", "haswell"])
def test_trajectories_keep_their_golden_hashes_on_other_processors(processor):
    for name in ("0", "0 lively"):
        assert hash_in_a_process(name, NUMBA_CPU_NAME=processor) == GOLDEN[name]


@pytest.mark.slow
@pytest.mark.parametrize("name", GOLDEN)
def test_trajectories_keep_their_golden_hashes_with_stock_numba(name):
    assert hash_in_a_process(name, OPTIMUS_GYM_COMPILER="plain") == GOLDEN[name]
