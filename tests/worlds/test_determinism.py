import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
TICKS = 2000
GOLDEN = json.loads((ROOT / "tests/golden/trajectories.json").read_text())


def hash_in_a_process(seed, **environment):
    done = subprocess.run(
        [sys.executable, "-m", "tests.worlds.trajectory", str(seed), str(TICKS)],
        cwd=ROOT,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.strip()


@pytest.mark.parametrize("hash_seed", ["1", "2"])
@pytest.mark.parametrize("seed", [0, 1])
def test_trajectories_are_the_golden_ones_whatever_the_hash_seed(seed, hash_seed):
    assert hash_in_a_process(seed, PYTHONHASHSEED=hash_seed) == GOLDEN[str(seed)]


@pytest.mark.slow
@pytest.mark.parametrize("processor", ["generic", "haswell"])
def test_trajectories_are_the_golden_ones_on_other_processors(processor):
    assert hash_in_a_process(0, NUMBA_CPU_NAME=processor) == GOLDEN["0"]
