"""The graph learns from events, merges, and loads whole files only."""

import gc
import json
import pickle
import sys
from copy import copy, deepcopy
from itertools import pairwise

import numpy as np
import pytest

from optimus_gym.core.errors import BadValue, UnknownName
from optimus_gym.game.sources import Need, Source
from optimus_gym.knowledge.abilities import abilities_of
from optimus_gym.knowledge.cheapest import Unobtainable
from optimus_gym.knowledge.graph_file import dumps, loads_graph
from optimus_gym.knowledge.knowledge_graph import KnowledgeGraph, full_graph
from optimus_gym.knowledge.learning import SeenWay, as_source, covers

WOOD = (
    SeenWay("mine", "oak_log", 3, times=3, block="oak_log", ticks=240),
    SeenWay("craft", "oak_planks", 8, {"oak_log": 2}, times=2),
    SeenWay("craft", "crafting_table", 1, {"oak_planks": 4}),
    SeenWay("craft", "stick", 4, {"oak_planks": 2}),
    SeenWay("craft", "wooden_pickaxe", 1, {"oak_planks": 3, "stick": 2}, station="crafting_table"),
    SeenWay("mine", "cobblestone", 2, times=2, tool="wooden_pickaxe", block="stone", ticks=60),
)


def taught(events):
    graph = KnowledgeGraph.empty()
    for event in events:
        assert graph.learn(event)
    return graph


def test_learned_ways_can_be_planned():
    found = taught(WOOD).requirements("cobblestone", 2)
    assert {s.item: s.count for s in found.steps} == {
        "oak_log": 3,
        "oak_planks": 9,
        "crafting_table": 1,
        "stick": 2,
        "wooden_pickaxe": 1,
        "cobblestone": 2,
    }
    # 3 logs at 80, planks three times, table, sticks, pickaxe, 2 stone at 30
    assert found.ticks == 3 * 80 + 3 + 1 + 1 + 1 + 2 * 30
    with pytest.raises(Unobtainable, match="no source of furnace"):
        taught(WOOD).requirements("furnace")


def test_a_batch_counts_once_and_a_held_tool_is_not_used_up():
    graph = taught(WOOD)
    (planks,) = graph.sources_of("oak_planks")
    assert (planks.yields, planks.needs[0].count) == (4, 1)
    (stone,) = graph.sources_of("cobblestone")
    assert (stone.needs, stone.tool) == ((), "wooden_pickaxe")


def test_a_known_way_is_not_learned_again():
    graph = taught(WOOD)
    assert not graph.learn(SeenWay("craft", "oak_planks", 4, {"oak_log": 1}))
    assert len(graph.sources) == len(WOOD)


def lines_of(graph, event):
    """Return the number of Python lines that learning an event executes."""
    count = 0

    def trace(frame, kind, _):
        nonlocal count
        count += kind == "line"
        return trace

    gc.disable()  # callbacks of a collection would execute lines of their own
    sys.settrace(trace)
    try:
        assert graph.learn(event)
    finally:
        sys.settrace(None)
        gc.enable()
    return count


def test_learning_takes_as_many_operations_as_there_are_nodes_and_edges():
    parts = ("dirt", "sand", "gravel", "clay_ball", "flint", "string", "feather", "bone")
    events = [
        SeenWay("craft", "bedrock", 1, dict.fromkeys(parts[:edges], 1)) for edges in range(1, 9)
    ]
    small = [lines_of(KnowledgeGraph.empty(), event) for event in events]
    large = [lines_of(KnowledgeGraph.full(), event) for event in events]
    assert small == large
    # M + N: one more node and one more edge cost the same each time
    assert len({after - before for before, after in pairwise(small)}) == 1
    graph = KnowledgeGraph.empty()
    graph.learn(events[-1])
    assert set(graph.nodes) == {"bedrock", *parts}


def test_learning_updates_earlier_answers():
    graph = taught(WOOD[:4])
    with pytest.raises(Unobtainable):
        graph.requirements("wooden_pickaxe")
    assert "wooden_pickaxe" not in graph.nodes
    graph.learn(WOOD[4])
    assert graph.requirements("wooden_pickaxe").steps
    assert "wooden_pickaxe" in graph.nodes


def test_a_shared_graph_rejects_learning():
    for graph in (full_graph(), abilities_of("voxel").graph):
        with pytest.raises(BadValue, match="got a fixed, shared graph"):
            graph.learn(WOOD[0])


def test_bad_events_are_rejected():
    graph = KnowledgeGraph.empty()
    with pytest.raises(UnknownName, match="did you mean 'oak_log'"):
        graph.learn(SeenWay("mine", "oak_logs"))
    with pytest.raises(UnknownName, match="unknown verb 'steal'"):
        graph.learn(SeenWay("steal", "diamond"))
    with pytest.raises(UnknownName, match="unknown station"):
        graph.learn(SeenWay("craft", "stick", station="anvil"))
    with pytest.raises(
        BadValue, match=r"oak_log .learn.: expected an integer from 1 to 1000000, got 0"
    ):
        graph.learn(SeenWay("mine", "oak_log", 0))
    with pytest.raises(BadValue, match="times: expected a divisor"):
        graph.learn(SeenWay("craft", "oak_planks", 4, {"oak_log": 1}, times=2))
    for consumed in (None, 3, ["oak_log"]):
        with pytest.raises(
            BadValue, match="consumed: expected a mapping from items to pieces, got"
        ):
            graph.learn(SeenWay("craft", "stick", consumed=consumed))
    for wrong in (
        {"item": ["stick"]},
        {"verb": []},
        {"tool": {}},
        {"station": []},
        {"creature": []},
    ):
        with pytest.raises(UnknownName, match=r"unknown (item|verb|tool|station|creature) "):
            graph.learn(SeenWay(**{"verb": "craft", "item": "stick", **wrong}))
    with pytest.raises(BadValue, match=r"times .learn.: expected an integer from 1 to 1000000"):
        graph.learn(SeenWay("mine", "oak_log", times=10**7))
    for ticks in (-1, float("nan"), "soon"):
        with pytest.raises(BadValue, match="ticks: expected a number of 0 to"):
            graph.learn(SeenWay("mine", "oak_log", ticks=ticks))
    assert graph.sources == []


def test_numpy_numbers_are_learned_and_saved():
    graph = KnowledgeGraph.empty()
    graph.learn(SeenWay("mine", "oak_log", np.int32(2), times=np.int64(2), ticks=np.float32(8)))
    graph.learn(SeenWay("craft", "oak_planks", np.int64(4), {"oak_log": np.uint8(1)}))
    assert loads_graph(dumps(graph)).sources == graph.sources


def test_a_merged_graph_knows_the_ways_of_both():
    both = taught(WOOD[:3]).merged(taught(WOOD[2:]))
    assert len(both.sources) == len(WOOD)
    assert both.requirements("cobblestone").steps == taught(WOOD).requirements("cobblestone").steps


@pytest.mark.parametrize("graph", [full_graph(), taught(WOOD), KnowledgeGraph.empty()])
def test_a_saved_graph_loads_unchanged(graph):
    back = loads_graph(dumps(graph))
    assert back.sources == graph.sources
    assert back.nodes == graph.nodes


def test_the_full_graph_takes_less_than_a_megabyte():
    assert len(dumps(full_graph()).encode()) < 1_000_000


def changed(**values):
    return json.dumps({**json.loads(dumps(taught(WOOD))), **values})


def source_with(**values):
    table = json.loads(dumps(taught(WOOD)))
    table["sources"][1].update(values)
    return json.dumps(table)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (dumps(taught(WOOD))[:-20], "expected a whole JSON text: "),
        ("", "expected a whole JSON text: "),
        ("[]", "expected an object of format"),
        (changed(version=2), r"expected version 1, got 2 \(memory.json\)"),
        (changed(nodes=["oak_log"]), "node: expected an integer from 0 to 0, got 1"),
        (changed(nodes=["oak_logg"]), "node 0: expected an item of the game, got 'oak_logg'"),
        (changed(sources={}), "expected the fields nodes and sources with a list each"),
        (changed(sources=[3]), "source 0: expected an object, got 3"),
        (changed(sources=[{"verb": "mine"}]), "got no product, yields, ticks"),
        (source_with(product=99), "source 1: node: expected an integer from 0 to 5, got 99"),
        (source_with(needs=[[[99], 1]]), "source 1: node: expected an integer from 0 to 5, got 99"),
        (source_with(needs=[[[0], 0]]), "needs: expected an integer from 1 to 1000000, got 0"),
        (source_with(yields=0), "yields: expected a number of 1e-09 to 1e[+]06, got 0"),
        (source_with(ticks="soon"), "ticks: expected a number of 0 to 1e[+]12, got 'soon'"),
        (source_with(verb="steal"), "source 1: unknown verb 'steal'"),
        (source_with(tool="iron_axe"), "tool: expected a node of the graph, got 'iron_axe'"),
        (source_with(tool="oak_log"), "source 1: unknown tool 'oak_log'"),
        (source_with(tool=3), "source 1: unknown tool 3"),
        (source_with(tool=[]), r"source 1: unknown tool \[\]"),
        (source_with(creature={}), "source 1: unknown creature {}"),
        (source_with(place=[[[]], None, None]), r"source 1: unknown biome \[\]"),
        (source_with(place=[[], 0, 10**9]), "place: expected an integer from 0 to 255"),
        (source_with(station="anvil"), "source 1: unknown station 'anvil'"),
        (source_with(block="stoone"), "unknown block 'stoone'; did you mean 'stone'"),
        (source_with(creature="unicorn"), "unknown creature 'unicorn'"),
        (source_with(place=[["moon"], None, None]), "unknown biome 'moon'"),
        (
            source_with(place=[["plains"], 3]),
            r"place: expected a list of 3, got \[\['plains'\], 3\]",
        ),
        (source_with(needs=5), "needs: expected a list, got 5"),
        (source_with(needs=[[0, 1]]), "needs: expected a list, got 0"),
        (
            source_with(needs=[[[], 1]]),
            "needs: expected at least one item for each ingredient, got none",
        ),
        (source_with(holds=5), "holds: expected a list, got 5"),
        (source_with(yields=0.5), "yields: expected an integer for the verb 'craft', got 0.5"),
        (source_with(ticks=float("inf")), "expected a whole JSON text: it holds Infinity"),
        (source_with(ticks=10**400), "ticks: expected a number of 0 to .*, got 1000"),
        (source_with(ticks=1e13), "ticks: expected a number of 0 to .*, got 1000"),
        ("[" * 100_000, "expected a whole JSON text: "),
        ('{"format": 1, "format": 2}', "expected a whole JSON text: an object has a key twice"),
        (source_with(verb=["craft"]), r"unknown verb \['craft'\]"),
        ('{"format": ' + "9" * 5000 + "}", "expected a whole JSON text: "),
    ],
)
def test_a_bad_file_is_rejected_with_a_reason(text, why):
    with pytest.raises(BadValue, match=why):
        loads_graph(text, "memory.json")


COPIES = {
    "copy": copy,
    "deepcopy": deepcopy,
    "pickle": lambda graph: pickle.loads(pickle.dumps(graph)),
}
each_copy = pytest.mark.parametrize("copied", COPIES.values(), ids=COPIES)


@each_copy
def test_a_copy_learns_without_changing_the_original(copied):
    graph = taught(WOOD[:4])
    graph.requirements("stick")
    again = copied(graph)
    assert (again.sources, again.nodes, again.fixed) == (graph.sources, graph.nodes, False)
    assert again.learn(WOOD[4])
    assert again.requirements("wooden_pickaxe").steps
    assert "wooden_pickaxe" in again.nodes
    with pytest.raises(Unobtainable):
        graph.requirements("wooden_pickaxe")
    assert "wooden_pickaxe" not in graph.nodes


@each_copy
@pytest.mark.parametrize("graph", [full_graph(), abilities_of("voxel").graph], ids=["full", "able"])
def test_a_fixed_graph_stays_fixed(graph, copied):
    again = copied(graph)
    with pytest.raises(BadValue, match="got a fixed, shared graph"):
        again.learn(WOOD[0])
    assert again.sources == graph.sources


def test_a_pickle_carries_no_caches():
    graph = taught(WOOD)
    before = len(pickle.dumps(graph))
    graph.requirements("cobblestone", 2)
    graph.vocabulary("stick")
    assert len(pickle.dumps(graph)) == before


def test_a_creature_is_learned_and_an_unknown_creature_is_rejected():
    graph = KnowledgeGraph.empty()
    graph.learn(SeenWay("kill", "beef", creature="cow"))
    assert graph.requirements("beef").steps[0].creature == "cow"
    with pytest.raises(UnknownName, match="unknown creature 'unicorn'"):
        graph.learn(SeenWay("kill", "beef", creature="unicorn"))


PLANKS = ("oak_planks", "birch_planks")
CHEST = Source("craft", "chest", 1, (Need(PLANKS, 8),), station="crafting_table")


@pytest.mark.parametrize(
    ("seen", "covered"),
    [
        (SeenWay("craft", "chest", 1, {"birch_planks": 8}, station="crafting_table"), True),
        (SeenWay("craft", "chest", 1, dict.fromkeys(PLANKS, 4), station="crafting_table"), True),
        (SeenWay("craft", "chest", 1, {"birch_planks": 7}, station="crafting_table"), False),
        (SeenWay("craft", "chest", 1, {"oak_log": 8}, station="crafting_table"), False),
        (SeenWay("craft", "chest", 1, {"birch_planks": 8}), False),
        (SeenWay("mine", "chest"), False),
    ],
)
def test_a_way_covers_a_seen_way_with_fewer_kinds(seen, covered):
    assert covers(CHEST, as_source(seen)) == covered


def test_a_way_with_a_block_covers_a_way_without_one():
    known = as_source(SeenWay("mine", "cobblestone", block="stone"))
    assert covers(known, as_source(SeenWay("mine", "cobblestone")))
    assert not covers(as_source(SeenWay("mine", "cobblestone")), known)
