"""Ways that an agent learned with more than it needed, or that its eyes mistook, spoil no plan."""

import pytest

from optimus_gym.knowledge.cheapest import Unobtainable
from optimus_gym.knowledge.graph_file import dumps, loads_graph
from optimus_gym.knowledge.knowledge_graph import KnowledgeGraph, full_graph
from optimus_gym.knowledge.learning import SeenWay, as_source, spares_tool
from optimus_gym.knowledge.rehearsal import works_out


def taught(ways):
    graph = KnowledgeGraph.empty()
    for way in ways:
        assert graph.learn(way)
    return graph


LUCKY = (
    SeenWay("mine", "iron_ore", tool="iron_pickaxe", ticks=184),
    SeenWay("mine", "coal", tool="stone_pickaxe", ticks=797),
)
"""Ways as an agent learns them that was given a pickaxe of iron."""


def test_a_way_with_a_stronger_tool_than_needed_changes_no_plan():
    graph = taught(LUCKY).merged(full_graph())
    found, expected = (one.requirements("bucket") for one in (graph, full_graph()))
    assert (found.steps, found.ticks) == (expected.steps, expected.ticks)
    assert (found.optimal, expected.optimal) == (False, True)
    assert len(graph.sources) == len(full_graph().sources) + len(LUCKY)


def test_a_way_with_the_only_known_tool_is_used():
    graph = KnowledgeGraph.empty()
    graph.learn(SeenWay("mine", "iron_ore", tool="iron_pickaxe"))
    steps = graph.requirements("iron_ore", inventory={"iron_pickaxe": 1}).steps
    assert [(step.verb, step.item, step.tool) for step in steps] == [
        ("mine", "iron_ore", "iron_pickaxe")
    ]
    with pytest.raises(Unobtainable, match="no source of iron_pickaxe"):
        graph.requirements("iron_ore")


def test_a_weaker_tool_that_cannot_be_had_spares_no_tool():
    ways = [SeenWay("mine", "iron_ore", tool=f"{kind}_pickaxe") for kind in ("stone", "iron")]
    graph = taught([*ways, SeenWay("kill", "iron_pickaxe")])
    plan = graph.detour("iron_ore", 1, {}, avoid=(), most=10_000)
    assert [step.item for step in plan.steps] == ["iron_pickaxe", "iron_ore"]


def test_a_search_that_is_lost_in_circles_takes_the_cheapest_ways(monkeypatch):
    monkeypatch.setattr("optimus_gym.knowledge.knowledge_graph.spares_tool", lambda *_: False)
    monkeypatch.setattr("optimus_gym.knowledge.search.LAST_EXPANSIONS", 1_000)
    steps = taught(LUCKY).merged(full_graph()).requirements("bucket").steps
    assert steps[-1].item == "bucket"
    assert works_out(steps, {})


@pytest.mark.parametrize(
    ("known", "other", "spares"),
    [
        (("iron_ore", "stone_pickaxe"), ("iron_ore", "iron_pickaxe"), True),
        (("iron_ore", "iron_pickaxe"), ("iron_ore", "stone_pickaxe"), False),
        (("iron_ore", "stone_pickaxe"), ("iron_ore", "stone_pickaxe"), False),
        (("oak_log", None), ("oak_log", "iron_axe"), True),
        (("oak_log", "iron_axe"), ("oak_log", None), False),
        (("coal", "stone_pickaxe"), ("iron_ore", "iron_pickaxe"), False),
        (("snowball", "wooden_shovel"), ("snowball", "iron_pickaxe"), False),
    ],
)
def test_a_weaker_tool_of_the_same_kind_spares_a_stronger_one(known, other, spares):
    one, two = (as_source(SeenWay("mine", item, tool=tool)) for item, tool in (known, other))
    assert spares_tool(one, two) is spares


def test_a_way_to_another_block_spares_no_tool():
    stone, any_block, ore = (
        as_source(SeenWay("mine", "diamond", tool=tool, block=block))
        for tool, block in (
            ("wooden_pickaxe", "stone"),
            ("iron_pickaxe", None),
            ("iron_pickaxe", "diamond_ore"),
        )
    )
    assert spares_tool(stone, any_block)
    assert not spares_tool(stone, ore)


SEVEN, EIGHT = (
    SeenWay("craft", "furnace", 1, {"cobblestone": count}, station="crafting_table")
    for count in (7, 8)
)


def needed(graph):
    return [need.count for source in graph.sources_of("furnace") for need in source.needs]


def test_an_ingredient_that_was_picked_up_meanwhile_is_no_recipe():
    graph = KnowledgeGraph.empty()
    assert graph.learn(SEVEN)
    assert graph.learn(EIGHT)
    assert needed(graph) == [8]
    assert not graph.learn(SEVEN)
    assert needed(graph) == [8]
    assert needed(loads_graph(dumps(graph), "here")) == [8]


@pytest.mark.parametrize("first", [SEVEN, EIGHT])
def test_the_greater_number_of_ingredients_stays_in_a_merged_graph(first):
    second = EIGHT if first is SEVEN else SEVEN
    assert needed(taught([first]).merged(taught([second]))) == [8]
    assert needed(taught([first]).merged(full_graph()))[-1] == 8
    assert 7 not in needed(taught([SEVEN]).merged(full_graph()))


def test_no_way_of_the_game_understates_another():
    assert full_graph().merged(KnowledgeGraph.empty()).sources == full_graph().sources


def planks(logs, count):
    return SeenWay("craft", "oak_planks", count, {"oak_log": logs})


@pytest.mark.parametrize(
    ("ways", "kept"),
    [
        ([planks(1, 4), planks(3, 12)], [(1, 4), (3, 12)]),
        ([planks(3, 12), planks(1, 4)], [(3, 12), (1, 4)]),
        ([planks(1, 4), planks(2, 12)], [(1, 4)]),
        ([planks(2, 12), planks(1, 4)], [(1, 4)]),
    ],
)
def test_several_batches_at_once_are_held_against_the_pieces_they_make(ways, kept):
    graph = KnowledgeGraph.empty()
    for way in ways:
        graph.learn(way)
    found = [(one.needs[0].count, one.yields) for one in graph.sources_of("oak_planks")]
    assert found == kept
    assert [one.yields for one in graph.merged(graph).sources_of("oak_planks")] == [
        one for _, one in kept
    ]


def test_a_better_tool_serves_if_the_named_one_cannot_be_had():
    table = {"station": "crafting_table"}
    graph = taught(
        [
            SeenWay("kill", "iron_ingot", creature="zombie", ticks=1173),
            SeenWay("mine", "stick", ticks=300),
            SeenWay("mine", "crafting_table", ticks=10),
            SeenWay("craft", "iron_pickaxe", 1, {"iron_ingot": 3, "stick": 2}, **table),
            SeenWay("mine", "cobblestone", tool="stone_pickaxe", ticks=100),
        ]
    )
    for held in ({}, {"iron_ingot": 3, "stick": 2, "crafting_table": 1}):
        steps = graph.requirements("cobblestone", inventory=held).steps
        assert [step.item for step in steps[-2:]] == ["iron_pickaxe", "cobblestone"]
