import pytest

from optimus_gym.core.errors import UnknownName
from optimus_gym.game.blocks import block, block_names, blocks
from optimus_gym.game.items import items


def test_there_are_763_blocks_in_id_order():
    assert [entry.id for entry in blocks().values()] == list(range(763))
    assert block_names() == tuple(blocks())
    assert block_names()[0] == "air"


def test_the_error_for_an_unknown_block_suggests_the_nearest():
    with pytest.raises(UnknownName, match="did you mean 'iron_ore'"):
        block("iron_or")


def test_a_placed_block_has_its_item():
    for name, entry in items().items():
        if entry.block is not None:
            assert block(entry.block).item == name


@pytest.mark.parametrize(
    ("name", "symbol"),
    [
        ("wall_torch", "torch"),
        ("wheat", "wheat_seeds"),
        ("oak_wall_sign", "oak_sign"),
        ("red_wall_banner", "red_banner"),
        ("creeper_wall_head", "creeper_head"),
        ("attached_melon_stem", "melon_seeds"),
        ("air", None),
        ("water", None),
        ("fire", None),
    ],
)
def test_blocks_without_an_item_of_their_name_have_another_item(name, symbol):
    assert block(name).item == symbol


def test_values_of_blocks_lie_in_their_ranges():
    for entry in blocks().values():
        assert entry.hardness == -1.0 or entry.hardness >= 0.0
        assert 0 <= entry.light <= 15
        assert 0 <= entry.tier <= 4
        assert entry.tier == 0 or entry.tool is not None
        assert entry.filters in (0, 1, 15)
        assert (entry.filters == 15) == entry.opaque


@pytest.mark.parametrize("name", ["stone", "oak_log", "dirt", "furnace", "soul_sand", "pumpkin"])
def test_whole_cubes_are_opaque_and_solid(name):
    assert block(name).opaque
    assert block(name).collides


@pytest.mark.parametrize(
    "name", ["glass", "oak_leaves", "ice", "oak_slab", "oak_stairs", "chest", "water", "farmland"]
)
def test_transparent_and_partial_blocks_are_not_opaque(name):
    assert not block(name).opaque


@pytest.mark.parametrize("name", ["water", "lava", "grass", "torch", "oak_sapling", "vine", "snow"])
def test_liquids_and_plants_do_not_collide_with_bodies(name):
    assert not block(name).collides


def test_replaceable_blocks_are_air_liquids_and_low_plants():
    found = {name for name, entry in blocks().items() if entry.replaceable}
    assert found >= {"air", "water", "lava", "grass", "tall_grass", "fern", "dead_bush", "snow"}
    assert found >= {"fire", "vine"}
    assert found.isdisjoint({"torch", "stone", "oak_sapling", "poppy", "snow_block", "cobweb"})
