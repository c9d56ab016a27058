import json
import os
import subprocess
import sys
from importlib.resources import files

import pytest

from optimus_gym.core.errors import BadValue
from optimus_gym.game.rows import checked, rows

NAMES = sorted(
    f"{folder}{path.name.removesuffix('.json')}"
    for folder in ("", "ways/", "sources/")
    for path in files("optimus_gym.game.data").joinpath(folder).iterdir()
    if path.name.endswith(".json")
)

LOAD_EVERYTHING = """
import sys, time
from optimus_gym.game import blocks, foods, items, loot, ores, recipes, smelting, tags, tasks, tools
assert "minecraft_data" not in sys.modules, "importing the tables loaded the package"
start = time.process_time()
for load in (tags.tags, items.items, blocks.blocks, tools.tools, loot.loot, recipes.recipes,
             smelting.smelting, smelting.fuels, ores.ore_rules, tasks.tasks, foods.foods):
    load()
print(time.process_time() - start)
"""

PRINT_EVERYTHING = """
import hashlib
from optimus_gym.game import blocks, foods, items, loot, ores, recipes, smelting, tags, tasks, tools
tables = (dict(tags.tags()), dict(items.items()), dict(blocks.blocks()), dict(tools.tools()),
          dict(loot.loot()), recipes.recipes(), smelting.smelting(), dict(smelting.fuels()),
          smelting.fuel_preference(), ores.ore_rules(), dict(tasks.tasks()), dict(foods.foods()))
print(hashlib.sha256(repr(tables).encode()).hexdigest())
"""


def run(program, **environment):
    done = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), **environment},
        timeout=60,
    )
    return done.stdout


@pytest.mark.parametrize("name", NAMES)
def test_every_table_has_rows_with_sources(name):
    assert rows(name)


def test_the_error_names_all_rows_without_a_source():
    table = [{"source": "x"}, {"a": 1}, {"source": " "}, "text"]
    with pytest.raises(BadValue, match=r"here\.json: 3 faults") as caught:
        checked(table, "here.json")
    for number in (1, 2, 3):
        assert f"row {number}:" in str(caught.value)


def test_a_file_without_a_list_is_refused():
    with pytest.raises(BadValue, match=r"expected a list of rows, got dict \(x\.json\)"):
        checked(json.loads("{}"), "x.json")


def test_loading_all_tables_takes_under_half_a_second():
    assert float(run(LOAD_EVERYTHING)) < 0.5


def test_tables_do_not_depend_on_the_hash_seed():
    first = run(PRINT_EVERYTHING, PYTHONHASHSEED="1")
    assert first == run(PRINT_EVERYTHING, PYTHONHASHSEED="2")
