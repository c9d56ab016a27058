"""`import optimus_gym` is light: it loads nothing heavy and takes little more than Gymnasium."""

import ast
import os
import statistics
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
HEAVY = ("torch", "numba", "networkx", "minecraft_data", "PIL", "av", "rich", "stable_baselines3")
OPTIONAL = (
    "jinja2", "matplotlib", "mcp", "minari", "open_clip", "openai", "openenv", "pyarrow",
    "stable_baselines3", "tensorboard", "tokenizers", "torch", "torchvision", "transformers",
)  # fmt: skip
"""The packages that the extras install."""
MOST_TIMES_GYMNASIUM = 1.5


def _imported(path):
    """Return the packages that a module imports at its top level."""
    for node in ast.parse(path.read_text()).body:
        if isinstance(node, ast.Import):
            yield from (name.name.partition(".")[0] for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.module.partition(".")[0]


def python(code):
    path = os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")]))
    run = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    return run.stdout.strip()


def test_import_loads_no_heavy_package():
    loaded = python("import sys, optimus_gym; print(*sys.modules)").split()
    assert "optimus_gym" in loaded
    assert [name for name in HEAVY if name in loaded] == []


MINDS = tuple(
    ".".join(path.relative_to(ROOT).with_suffix("").parts)
    for room in ("vision", "backbones", "memory", "minds", "agents")
    for path in sorted((ROOT / "optimus_gym" / room).rglob("*.py"))
    if path.stem != "__init__" and not set(OPTIONAL) & set(_imported(path))
)


def test_agents_and_minds_load_no_world():
    loaded = python(f"import sys, {', '.join(MINDS)}; print(*sys.modules)").split()
    assert set(MINDS) <= set(loaded)
    acting = ("optimus_gym.worlds.", "optimus_gym.controllers.")
    assert [name for name in loaded if name.startswith(acting)] == []


def test_import_prints_nothing():
    assert python("import optimus_gym") == ""


def test_each_part_loads_without_extras_or_names_its_extra():
    code = f"""
import sys
sys.modules.update(dict.fromkeys({OPTIONAL}))
from optimus_gym.core.errors import MissingExtra
from optimus_gym.core.registry import _TABLES, load
for kind, table in _TABLES.items():
    for name in table:
        try:
            load(kind, name)
        except MissingExtra as error:
            print(error)
"""
    assert python(code).splitlines() == [
        f"aligner '{name}' needs an optional dependency; run in the checkout: pip install -e \".[{extra}]\""
        for name, extra in (("mineclip", "torch"), ("open_clip", "open-clip"))
    ]


def seconds(module):
    code = "import time; t = time.perf_counter(); import {}; print(time.perf_counter() - t)"
    return float(python(code.format(module)))


@pytest.mark.slow
def test_import_takes_at_most_one_and_a_half_times_gymnasium():
    seconds("optimus_gym")  # byte-compiles
    pairs = [(seconds("gymnasium"), seconds("optimus_gym")) for _ in range(7)]
    theirs, ours = (statistics.median(column) for column in zip(*pairs, strict=True))
    assert ours <= MOST_TIMES_GYMNASIUM * theirs, f"{ours:.3f} s, gymnasium {theirs:.3f} s"
