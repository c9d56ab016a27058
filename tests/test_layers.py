"""Imports run one way: a module imports its own part of the package or a lower row of LAYERS."""

import ast
from pathlib import Path

import networkx
import pytest

ROOT = Path(__file__).resolve().parents[1]
FOLDERS = ("optimus_gym", "envs", "wrappers", "baselines")
LAYERS = (  # lowest first; parts on one line must not import each other
    ("core",),
    ("game",),
    ("seeds",),
    ("prompts",),
    ("worlds",),
    ("vision",),
    ("backbones",),
    ("knowledge",),
    ("controllers",),
    ("planner", "reflector"),
    ("agents",),
    ("envs",),
    ("wrappers",),
    ("baselines",),
    ("run",),
)
RANK = {f"optimus_gym.{name}": row for row, names in enumerate(LAYERS) for name in names}
FACADE = "optimus_gym"  # its __init__ may import the lowest row only


def modules():
    for top in FOLDERS:
        for path in sorted((ROOT / top).rglob("*.py")):
            parts = path.relative_to(ROOT).with_suffix("").parts
            parts = parts if parts[0] == "optimus_gym" else ("optimus_gym", *parts)
            yield ".".join(parts).removesuffix(".__init__"), path


MODULES = list(modules())
each_module = pytest.mark.parametrize(("name", "path"), MODULES, ids=[n for n, _ in MODULES])


def home(name):
    """The part that holds module `name`, or None."""
    return next((part for part in RANK if name == part or name.startswith(part + ".")), None)


def imported(tree):
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"line {node.lineno}: relative import"
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def faults(name, source):
    """What module `name` imports and must not."""
    mine = home(name)
    assert mine or name == FACADE, f"{name} is in no row: add it to LAYERS"
    limit = RANK[mine] if mine else 1
    parts = ((target, home(target)) for target in imported(ast.parse(source)))
    return [t for t, theirs in parts if theirs and theirs != mine and RANK[theirs] >= limit]


@each_module
def test_imports_run_one_way(name, path):
    assert faults(name, path.read_text()) == []


@each_module
def test_a_file_has_at_most_400_lines(name, path):
    assert len(path.read_text().splitlines()) <= 400


def circles():
    """Modules that import one another, directly or by others, lazily or not."""
    names = {name for name, _ in MODULES}
    graph = networkx.DiGraph()
    for name, path in MODULES:
        for target in imported(ast.parse(path.read_text())):
            found = target if target in names else target.rpartition(".")[0]
            if found in names - {name, FACADE}:
                graph.add_edge(name, found)
    return [
        sorted(circle)
        for circle in networkx.strongly_connected_components(graph)
        if len(circle) > 1
    ]


def test_no_modules_import_one_another():
    assert circles() == []


def test_an_upward_import_is_seen():
    upward = "from optimus_gym.run.cli import main"
    assert faults("optimus_gym.core.types", upward) == ["optimus_gym.run.cli.main"]
    assert faults("optimus_gym.planner.planner", "import optimus_gym.reflector")
    assert faults("optimus_gym", "import optimus_gym.game.items")
    assert faults("optimus_gym.run.cli", "import optimus_gym.core.types") == []
    with pytest.raises(AssertionError, match="relative import"):
        faults("optimus_gym.core.types", "from . import errors")
