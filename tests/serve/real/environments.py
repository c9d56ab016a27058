"""Environments with the unmodified clients from the package index, made once by the recipes in `tools/`.

An environment lies in the user's cache folder, or in the folder that OPTIMUS_GYM_REAL_CLIENTS names. The
environment's name has a hash of its recipe: a changed recipe makes a new environment.
"""

import hashlib
import os
import shutil
import subprocess
import sys
import tomllib
from dataclasses import dataclass
from pathlib import Path

import pytest
from filelock import FileLock
from platformdirs import user_cache_path

ROOT = Path(__file__).resolve().parents[3]
FOLDER = "OPTIMUS_GYM_REAL_CLIENTS"
_SECONDS = 1800
"""Seconds that a step of a recipe may take; PyTorch alone has hundreds of megabytes."""
_TOLD_LINES = 12


@dataclass(frozen=True)
class Recipe:
    """How an environment is made.

    Attributes:
        python: version of the interpreter, such as "3.11".
        script: the recipe's name in `tools/`; a list of packages with the same name lies next to it.
        first: arguments of pip for packages that must be there before.
        with_ours: whether optimus-gym's own dependencies are there, too.
    """

    python: str
    script: str
    first: tuple[str, ...] = ()
    with_ours: bool = False


RECIPES = {
    "minerl": Recipe("3.11", "minerl-0.4.4.sh", with_ours=True),
    # The last PyTorch whose wheel needs no libraries of CUDA; the simulator uses its tensors alone.
    "minestudio": Recipe(
        "3.10", "minestudio-1.1.6.sh", ("--no-deps", "torch==1.12.1", "typing_extensions")
    ),
    "minestudio with ours": Recipe(
        "3.11", "minestudio-1.1.6.sh", ("torch==2.13.0",), with_ours=True
    ),
}
"""Environments by name; in that "with ours", client and optimus-gym share one interpreter."""


def real_python(name: str) -> Path:
    """Return the interpreter of an environment; make a missing one, and skip the test if that fails."""
    recipe = RECIPES[name]
    base = Path(os.environ.get(FOLDER) or user_cache_path("optimus-gym-real-clients"))
    base.mkdir(parents=True, exist_ok=True)
    folder = base / f"{name.replace(' ', '-')}-{_fingerprint(recipe)}"
    python = folder / "bin" / "python"
    with FileLock(base / f"{folder.name}.lock"):
        if not (folder / "complete").exists():
            shutil.rmtree(folder, ignore_errors=True)
            _make(name, recipe, folder, python)
            (folder / "complete").touch()
    return python


def _fingerprint(recipe: Recipe) -> str:
    script = ROOT / "tools" / recipe.script
    parts = [script.read_text(), script.with_suffix(".txt").read_text(), repr(recipe)]
    if recipe.with_ours:
        parts += _own_dependencies()
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:12]


def _own_dependencies() -> list[str]:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    return list(project["dependencies"])


def _make(name: str, recipe: Recipe, folder: Path, python: Path) -> None:
    pip = [str(python), "-m", "pip", "install"]
    steps = [[_interpreter(name, recipe.python), "-m", "venv", str(folder)]]
    if recipe.first:
        steps.append([*pip, *recipe.first])
    steps.append(["bash", str(ROOT / "tools" / recipe.script), str(python)])
    if recipe.with_ours:
        steps.append([*pip, *_own_dependencies(), "numpy<2"])
    for step in steps:
        _carry_out(name, step)


def _interpreter(name: str, version: str) -> str:
    """Return a Python of a version: this one, one on the path, or one of pyenv's."""
    if sys.version_info[:2] == tuple(int(part) for part in version.split(".")):
        return str(getattr(sys, "_base_executable", sys.executable))
    pyenv = Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv")
    built = sorted((pyenv / "versions").glob(f"{version}.*/bin/python"))
    found = str(built[-1]) if built else shutil.which(f"python{version}")
    if found is None:
        pytest.skip(f"{name}: expected a Python {version}, found none on the path or in pyenv")
    return found


def _carry_out(name: str, step: list[str]) -> None:
    """Carry out a step of a recipe; skip the test if it fails."""
    told = " ".join(Path(part).name for part in step[:4])
    clean = {key: value for key, value in os.environ.items() if not key.startswith("PYTHON")}
    try:
        done = subprocess.run(
            step, capture_output=True, text=True, timeout=_SECONDS, check=False, env=clean
        )
    except subprocess.TimeoutExpired:
        pytest.skip(f"{name}: {told} took more than {_SECONDS} s")
    if done.returncode:
        lines = (done.stdout + done.stderr).splitlines()[-_TOLD_LINES:]
        pytest.skip(f"{name}: {told} failed:\n" + "\n".join(lines))
