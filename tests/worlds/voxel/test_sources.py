"""Every task of every suite, traced back to blocks and creatures of the world under its protocol."""

import json
import re
import runpy
from functools import cache
from importlib.resources import files
from pathlib import Path

import pytest

from optimus_gym.game.blocks import block
from optimus_gym.game.protocols import protocol, protocols
from optimus_gym.game.sources import Source, game_sources
from optimus_gym.game.tasks import SUITES, tasks
from optimus_gym.knowledge.abilities import abilities_of
from optimus_gym.knowledge.cheapest import cheapest_sources
from optimus_gym.worlds.voxel.terrain.biomes import biome_index
from tests.worlds.voxel.yielding import KINDS, LAND, MADE, gives, taken

ROOT = Path(__file__).resolve().parents[3]
PAGE = ROOT / "docs" / "tasks.md"
ALL = [task for suite in SUITES for task in tasks(suite).values() if not task.is_sought]
ALL = list({task.id: task for task in ALL}.values())
each_task = pytest.mark.parametrize("task", ALL, ids=[task.id for task in ALL])


@cache
def open_ways(name: str) -> tuple[Source, ...]:
    """Return the game's sources that the world's tables confirm under a protocol."""
    rules = protocol(name)
    return tuple(source for source in game_sources() if gives(source, rules))


@cache
def prices(name: str, held: tuple[str, ...]) -> dict[str, float]:
    """Return the cost of each item by the planner's graph."""
    return cheapest_sources(abilities_of("voxel", name).graph.sources, held).price


@cache
def ways(name: str, held: tuple[str, ...] = ()) -> dict[str, tuple[int, Source | None]]:
    """Return every obtainable item under a protocol with its depth and its first source.

    A source takes only items of lesser depth, so that no item needs itself.
    """
    had: dict[str, tuple[int, Source | None]] = {item: (0, None) for item in held}
    depth = 0
    while True:
        depth += 1
        new = {
            source.product: (depth, source)
            for source in reversed(open_ways(name))
            if source.product not in had
            and all(any(item in had for item in choices) for choices in taken(source))
        }
        if not new:
            return had
        had |= new


def leaves(item: str, name: str, held: tuple[str, ...]) -> set[tuple[str, str]]:
    """Trace an item back and return its first blocks and creatures."""
    had = ways(name, held)
    found, waiting, seen = set(), [item], {item}
    while waiting:
        depth, source = had[waiting.pop()]
        if source is None:
            continue
        for choices in taken(source):
            least = min((c for c in choices if c in had), key=lambda c: had[c][0])
            assert had[least][0] < depth, (source, least)
            waiting += [least] if least not in seen else []
            seen.add(least)
        if source.creature is not None:
            found.add(("creature", source.creature))
        elif source.block is not None:
            found.add(("block", source.block))
    return found


def listed() -> set[str]:
    """Return the tasks that the page lists as impossible under their suite's protocol."""
    text = PAGE.read_text(encoding="utf-8")
    part = text.split("## Cannot be done\n")[1].split("\n## ")[0]
    return set(re.findall(r"^\| `(\w+)`", part, re.MULTILINE))


@each_task
def test_every_task_is_possible_in_the_world_or_listed_as_impossible(task):
    held = tuple(sorted(task.inventory))
    had = ways(task.protocol, held)
    can = [kind for kind in task.kinds if kind in had]
    assert (task.id in listed()) == (not can)
    for kind in can:
        for sort, name in leaves(kind, task.protocol, held):
            assert name in (KINDS if sort == "creature" else {*LAND, *MADE})
    if "peaceful" in protocol(task.protocol).assists:
        for kind in can:
            names = {name for _, name in leaves(kind, task.protocol, held)}
            assert not names & {"zombie", "skeleton", "creeper", "spider"}
    assert [kind for kind in task.kinds if kind in prices(task.protocol, held)] == can
    for biome in task.biomes:
        biome_index(biome)


@pytest.mark.parametrize("name", protocols())
def test_the_graph_has_exactly_the_sources_of_the_worlds_tables(name):
    assert set(abilities_of("voxel", name).graph.sources) == set(open_ways(name))


def test_the_list_of_abilities_equals_the_worlds_blocks_and_creatures():
    text = (
        files("optimus_gym.knowledge.data").joinpath("abilities.json").read_text(encoding="utf-8")
    )
    (row,) = json.loads(text)
    assert set(row["land"]) == set(LAND)
    assert set(row["made"]) == MADE
    assert tuple(row["creatures"]) == KINDS


def test_string_comes_from_cobwebs_where_no_spider_spawns():
    assert ("creature", "spider") in leaves("string", "vanilla", ())
    assert ("block", "cobweb") in leaves("crossbow", "jarvis-1-paper", ())


def test_items_that_the_world_lacks_cannot_be_obtained():
    had = ways("vanilla")
    for item in (
        "netherite_ingot",
        "stripped_oak_log",
        "potion",
        "carved_pumpkin",
        "crimson_planks",
    ):
        assert item not in had
    assert "bone" not in ways("jarvis-1-paper")
    assert block("spawner").name not in LAND


def test_the_page_of_tasks_is_up_to_date():
    made = runpy.run_path(str(ROOT / "tools" / "tasks.py"))["page"]()
    assert PAGE.read_text(encoding="utf-8") == made, "run `python tools/tasks.py`"
