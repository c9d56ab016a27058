"""Imports run one way: a module imports its own part of the package or a lower row of LAYERS."""

import ast
import json
from collections import Counter
from pathlib import Path

import networkx
import pytest

ROOT = Path(__file__).resolve().parents[1]
FOLDERS = ("optimus_gym", "envs", "wrappers", "baselines")
LAYERS = (  # lowest first; parts on one line must not import each other
    ("core",),
    ("terminal",),
    ("game",),
    ("seeds",),
    ("prompts",),
    ("knowledge",),
    ("worlds",),
    ("vision",),
    ("backbones",),
    ("memory",),
    ("policies",),
    ("controllers",),
    ("minds",),
    ("agents",),
    ("envs",),
    ("wrappers",),
    ("baselines",),
    ("testing",),
    ("serve",),
    ("run",),
)
WORLDLESS = ("prompts", "knowledge", "vision", "backbones", "memory", "minds", "agents")
"""Agents and minds import no world and no controller: the environment hands over all that they need."""
WORLD = "optimus_gym.worlds.voxel"
ROOMS = (  # of the embedded world, lowest first; its other modules, in the root, import any
    ("compiling",),
    ("art",),
    ("state",),
    ("tables",),
    ("terrain",),
    ("land",),
    ("bodies",),
    ("things",),
    ("clicking",),
    ("blocks",),
    ("player",),
    ("creatures",),
    ("using", "render"),
    ("screen",),
    ("commands",),
)
RANK = {f"optimus_gym.{name}": row for row, names in enumerate(LAYERS) for name in names}
ALLOWED_TWICE = {
    "world.py",  # the main module of each world
    *("agent.py", "questions.py", "switches.py", "wiring.py"),  # the pages of each paper's agent
    *("command.py", "add_arguments", "run", "EXAMPLES"),  # each command of the command line
    # a rule of the game, and its form in the embedded world
    *("biomes.py", "blocks.py", "experience.py", "foods.py", "items.py", "loot.py", "ores.py"),
    *("predicaments.py", "recipes.py"),
    # a rule that parts of several kinds keep, and the contract of each kind
    *("can_be_made", "has_all_members", "meets_another_environment", "needs_known_powers"),
    *("repeats_itself", "rows_are_independent", "CONTRACT"),
}
"""Names that mean the same thing in each place."""
WHOLE = (
    "optimus_gym.baselines"  # each training script is read as a whole, and its names serve it alone
)
MOST_FUNCTION_LINES = 60
FACADE = "optimus_gym"  # its __init__ may import the lowest row only


def modules():
    for top in FOLDERS:
        for path in sorted((ROOT / top).rglob("*.py")):
            parts = path.relative_to(ROOT).with_suffix("").parts
            parts = parts if parts[0] == "optimus_gym" else ("optimus_gym", *parts)
            yield ".".join(parts).removesuffix(".__init__"), path


MODULES = list(modules())
each_module = pytest.mark.parametrize(("name", "path"), MODULES, ids=[n for n, _ in MODULES])


ROOM_RANK = {f"{WORLD}.{name}": row for row, names in enumerate(ROOMS) for name in names}


def home(name, ranks=RANK):
    """Return the part that holds module `name`, or None."""
    return next((part for part in ranks if name == part or name.startswith(part + ".")), None)


def imported(tree):
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"line {node.lineno}: relative import"
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def faults(name, source):
    """Return the forbidden imports of module `name`."""
    mine = home(name)
    assert mine or name == FACADE, f"{name} is in no row: add it to LAYERS"
    limit = RANK[mine] if mine else 1
    parts = ((target, home(target)) for target in imported(ast.parse(source)))
    thinks = mine in {f"optimus_gym.{name}" for name in WORLDLESS}
    acts = {"optimus_gym.worlds", "optimus_gym.controllers"} if thinks else set()
    return [
        target
        for target, theirs in parts
        if theirs and theirs != mine and (RANK[theirs] >= limit or theirs in acts)
    ]


def room_faults(name, source):
    """Return the forbidden imports of module `name` of the embedded world from that world."""
    mine = home(name, ROOM_RANK)
    targets = [t for t in imported(ast.parse(source)) if t.startswith(f"{WORLD}.")]
    rooms = [(target, home(target, ROOM_RANK)) for target in targets]
    return [t for t, r in rooms if r is None or (r != mine and ROOM_RANK[r] >= ROOM_RANK[mine])]


@each_module
def test_imports_run_one_way(name, path):
    assert faults(name, path.read_text()) == []
    if home(name, ROOM_RANK):
        assert room_faults(name, path.read_text()) == []


def test_every_folder_of_the_world_is_a_room():
    folders = {path.parent.relative_to(ROOT) for name, path in MODULES if name.startswith(WORLD)}
    top = Path(WORLD.replace(".", "/"))
    assert {f.relative_to(top).parts[0] for f in folders - {top}} == {
        room for rooms in ROOMS for room in rooms
    }


def public_names(path):
    """Return the names that a module defines for other modules."""
    for node in ast.parse(path.read_text()).body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            yield node.name
        for target in getattr(node, "targets", [getattr(node, "target", None)]):
            names = target.elts if isinstance(target, ast.Tuple) else [target]
            yield from (each.id for each in names if isinstance(each, ast.Name))


def repeated():
    """Return the modules' file names and public names that appear more than once in the package."""
    modules, names = Counter(), Counter()
    for name, path in MODULES:
        if path.stem != "__init__":
            modules[f"{path.stem}.py"] += 1
        if path.stem != "__init__" and not name.startswith(WHOLE):
            names.update({each for each in public_names(path) if not each.startswith("_")})
    return {name for count in (modules, names) for name in count if count[name] > 1}


def test_each_public_name_of_the_package_is_unique():
    assert sorted(repeated()) == sorted(ALLOWED_TWICE)


@each_module
def test_a_file_has_at_most_400_lines(name, path):
    assert len(path.read_text().splitlines()) <= 400


def long_functions(path):
    """Return the functions of a file that have more than 60 lines."""
    for node in ast.walk(ast.parse(path.read_text())):
        function = isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        if function and node.end_lineno - node.lineno + 1 > MOST_FUNCTION_LINES:
            yield f"{path.name}: {node.name}"


@each_module
def test_a_function_has_at_most_60_lines(name, path):
    assert list(long_functions(path)) == []


def circles():
    """Return the groups of modules that import one another, directly or indirectly, lazily or not."""
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


def test_there_are_no_circular_imports():
    assert circles() == []


def test_an_upward_import_is_found():
    upward = "from optimus_gym.run.cli import main"
    assert faults("optimus_gym.core.types", upward) == ["optimus_gym.run.cli.main"]
    assert faults("optimus_gym.minds.eyes", "import optimus_gym.agents.optimus1.agent")
    assert faults("optimus_gym", "import optimus_gym.game.items")
    assert faults("optimus_gym.vision.hud_reader", f"from {WORLD}.art.font import glyphs")
    assert faults("optimus_gym.agents.optimus1.agent", "import optimus_gym.controllers.rays")
    assert faults("optimus_gym.run.cli", "import optimus_gym.core.types") == []
    assert room_faults(f"{WORLD}.land.cells", f"from {WORLD}.blocks.fire import burn")
    assert room_faults(f"{WORLD}.land.cells", f"from {WORLD} import tick")
    assert room_faults(f"{WORLD}.blocks.fire", f"from {WORLD}.land.cells import set_block") == []
    with pytest.raises(AssertionError, match="relative import"):
        faults("optimus_gym.core.types", "from . import errors")


def test_the_loop_imports_three_rooms_and_the_modules_of_worlds_and_executors():
    """A reader of the loop opens only these modules of the package's environments."""
    loop = ast.parse((ROOT / "envs/loop.py").read_text())
    rooms = {
        node.module.removeprefix("optimus_gym.envs.")
        for node in ast.walk(loop)
        if isinstance(node, ast.ImportFrom) and node.module.startswith("optimus_gym.envs.")
    }
    assert rooms == {"courses", "asking", "part_answers", "reaching"} | {
        "config",
        "executors",
        "rewards.paying",
        "runtime",
    }


def test_each_view_has_one_file_with_its_classes():
    views = json.loads((ROOT / "optimus_gym/core/data/environments.json").read_text())["views"]
    for target in views.values():
        file, _, name = target.partition(":")
        tree = ast.parse((ROOT / f"envs/{file}.py").read_text())
        classes = {node.name for node in tree.body if isinstance(node, ast.ClassDef)}
        assert {f"{name}View", f"{name}Env", f"{name}VectorEnv"} <= classes
