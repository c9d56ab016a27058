"""Compare the golden trajectories with the oldest and newest tested Numba, under both compilers.

    python tools/numba_versions.py [--python python3.13] [0.62.0 0.68 ...]

Each version gets its own virtual environment (packages are downloaded) and its own cache. A version takes ten
minutes. Exit status 1: a trajectory differs, or did not run.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from optimus_gym.worlds.voxel.compiling.choice import (
    COMPILER_VARIABLE,
    NEWEST,
    OLDEST,
    QUICK,
    STOCK,
)

ROOT = Path(__file__).resolve().parents[1]
TICKS = 2000
GOLDEN = json.loads((ROOT / "tests/golden/trajectories.json").read_text())
ENDS = [".".join(map(str, version)) for version in (OLDEST, NEWEST)]


def make_environment(folder: Path, python: str, numba: str) -> Path:
    """Install the package with a version of Numba; return the environment's Python."""
    subprocess.run([python, "-m", "venv", folder], check=True)
    inside = folder / "bin" / "python"
    pip = [inside, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*pip, f"numba=={numba}.*", str(ROOT)], check=True)
    return inside


def trajectories(python: Path, cache: Path) -> Iterator[tuple[str, str, str]]:
    """Play each golden trajectory and yield its compiler, name and hash."""
    for compiler in (QUICK, STOCK):
        variables = {COMPILER_VARIABLE: compiler, "OPTIMUS_GYM_CACHE": str(cache)}
        for name in GOLDEN:
            seed, *lively = name.split()
            done = subprocess.run(
                [python, "-m", "tests.worlds.voxel.trajectory", seed, str(TICKS), *lively],
                cwd=ROOT,
                env={**os.environ, **variables},
                stdout=subprocess.PIPE,
                text=True,
                check=False,
            )
            yield compiler, name, done.stdout.strip()


def main() -> int:
    """Print a line for each trajectory; return 1 if a trajectory differs."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "versions", nargs="*", default=ENDS, help=f"Numba versions (default: {' '.join(ENDS)})"
    )
    parser.add_argument("--python", default=sys.executable, help="Python of the environments")
    parsed = parser.parse_args()
    failed = 0
    for version in parsed.versions:
        with tempfile.TemporaryDirectory() as folder:
            python = make_environment(Path(folder, "venv"), parsed.python, version)
            for compiler, name, found in trajectories(python, Path(folder, "cache")):
                same = found == GOLDEN[name]
                failed += not same
                print(f"numba {version:<8} {compiler:<6} {name:<10} {'same' if same else found!r}")
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
