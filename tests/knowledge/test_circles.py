"""Plans handle items that need themselves: sown crops, stations and bulk orders."""

import pytest

from optimus_gym.game.sources import CRAFT_TICKS, Need, Source
from optimus_gym.knowledge.knowledge_graph import KnowledgeGraph, full_graph

FULL = full_graph()


def by_verb(found, item):
    return [(s.verb, s.count) for s in found.steps if s.item == item]


def ticks_of(item, verb):
    (source,) = (s for s in FULL.sources_of(item) if s.verb == verb)
    return source.first, source.ticks / source.yields


@pytest.mark.parametrize("crop", ["carrot", "potato"])
def test_one_crop_is_found_and_the_others_are_grown(crop):
    found = FULL.requirements(crop, 5)
    assert by_verb(found, crop) == [("kill", 1), ("grow", 4)]
    (killed, a_kill), (grown, a_harvest) = ticks_of(crop, "kill"), ticks_of(crop, "grow")
    hoe = FULL.requirements("wooden_hoe").ticks
    assert found.ticks == pytest.approx(killed + a_kill + hoe + grown + 4 * a_harvest)
    assert found.optimal
    assert by_verb(FULL.requirements(crop), crop) == [("kill", 1)]


def test_crops_are_grown_for_an_item_that_takes_many():
    found = FULL.requirements("poisonous_potato")
    assert by_verb(found, "potato") == [("kill", 1), ("grow", 49)]


def test_a_station_that_pays_is_made_before_the_bulk_of_its_own_ingredient():
    found = FULL.requirements("anvil")
    steps = [(s.verb, s.item, s.station, s.count) for s in found.steps]
    first, station, others = (
        ("smelt", "iron_ingot", "furnace", 5),
        ("craft", "blast_furnace", "crafting_table", 1),
        ("smelt", "iron_ingot", "blast_furnace", 31),
    )
    assert steps.index(first) < steps.index(station) < steps.index(others)
    without = FULL.within({s.verb for s in FULL.sources}, ("crafting_table", "furnace"))
    assert found.ticks < without.requirements("anvil").ticks


@pytest.mark.parametrize(
    ("item", "tool", "below"),
    [
        ("blue_banner", "shears", 27_500),  # 107,691 if each sheep is killed for its wool
        ("orange_carpet", "shears", 5_500),
        ("iron_block", "blast_furnace", 120_000),
        ("bucket", "blast_furnace", 43_500),
    ],
)
def test_a_tool_or_station_is_made_first_if_it_pays_for_the_bulk(item, tool, below):
    few, many = FULL.requirements(item, 1), FULL.requirements(item, 64)
    assert tool not in few.amounts
    assert tool in many.amounts
    assert many.ticks < below


def test_a_plan_is_not_called_optimal_if_circulating_surplus_could_be_cheaper():
    found = FULL.requirements("sandstone_slab", 64)
    assert by_verb(found, "sandstone") == [("mine", 33)]  # eleven batches of six, two of them over
    # with 32, the eleventh batch takes a chiseled one that is made of two slabs of the ten before
    _, sandstone = ticks_of("sandstone", "mine")
    chiselled = found.ticks - sandstone + CRAFT_TICKS
    assert chiselled < found.ticks
    assert not found.optimal


def test_a_held_piece_may_be_used_up_as_another_kind():
    sources = (
        Source("mine", "sand", 1, holds=("clay",), ticks=10),
        Source("craft", "glass", 1, (Need(("sand",), 1), Need(("sand", "clay"), 3)), ticks=4),
    )
    found = KnowledgeGraph(sources).requirements("glass", 1, {"clay": 3})
    assert (
        found.ticks >= 14
    )  # one sand; then three clay, the one included that was held for the sand
    assert found.ticks == 14 or not found.optimal


def test_the_first_piece_is_found_before_others_are_sown():
    sources = (
        Source("grow", "sand", 1, holds=("sand",), ticks=2, first=3),
        Source("mine", "sand", 1, ticks=9),
    )
    graph = KnowledgeGraph(sources)
    assert by_verb(graph.requirements("sand", 4), "sand") == [("mine", 1), ("grow", 3)]
    assert graph.requirements("sand", 4).ticks == 9 + 3 + 3 * 2
    assert by_verb(graph.requirements("sand", 4, {"sand": 1}), "sand") == [("grow", 3)]
