"""Digging: restarts, drops, and blocks that fall along (times: test_published.py)."""

from optimus_gym.game.blocks import block
from tests.worlds.flat import FEET, Flat

AHEAD = (0, FEET + 1, 2)


def facing(name: str, tool: str | None = None, damage: int = 0) -> Flat:
    """Return a world with a block at eye level in front of the player."""
    flat = Flat()
    flat.put(*AHEAD, name)
    if tool:
        flat.give(0, tool, 1, damage)
    flat.tick(2)
    return flat


def ticks_to_break(flat: Flat, name: str, most: int = 6000) -> int:
    for count in range(1, most):
        flat.tick(attack=1)
        if flat.at(*AHEAD) != name:
            return count
    raise AssertionError(f"{name} did not break in {most} ticks")


def test_digging_under_water_is_five_times_slower():
    flat = facing("dirt")
    flat.put(0, FEET + 1, 0, "water")
    assert ticks_to_break(flat, "dirt") >= 75


def test_bedrock_cannot_be_broken():
    flat = facing("bedrock", "diamond_pickaxe")
    flat.tick(500, attack=1)
    assert flat.at(*AHEAD) == "bedrock"


def test_stone_gives_cobblestone_to_a_pickaxe_only():
    with_tool, by_hand = facing("stone", "wooden_pickaxe"), facing("stone")
    assert ticks_to_break(with_tool, "stone")
    assert ("mined", block("stone").id, 1) in with_tool.events()
    assert with_tool.lying() == {"cobblestone": 1}
    ticks_to_break(by_hand, "stone")
    assert by_hand.lying() == {}


def test_releasing_the_attack_key_restarts_digging():
    flat = facing("oak_log")
    flat.tick(59, attack=1)
    flat.tick(1)
    flat.tick(59, attack=1)
    assert flat.at(*AHEAD) == "oak_log"
    flat.tick(1, attack=1)
    assert flat.at(*AHEAD) == "air"


def test_digging_pauses_six_ticks_between_blocks():
    flat = facing("dirt")
    flat.put(0, FEET + 1, 3, "dirt")
    assert ticks_to_break(flat, "dirt") == 15
    flat.tick(6 + 14, attack=1)
    assert flat.at(0, FEET + 1, 3) == "dirt"
    flat.tick(attack=1)
    assert flat.at(0, FEET + 1, 3) == "air"


def test_a_change_of_block_under_a_held_key_costs_one_tick():
    flat = facing("dirt")
    flat.tick(3, attack=1)
    flat.put(*AHEAD, "air")
    flat.put(0, FEET + 1, 3, "dirt")
    flat.tick()
    flat.tick(15, attack=1)
    assert flat.at(0, FEET + 1, 3) == "air"
    flat.put(*AHEAD, "dirt")
    flat.tick(6, attack=1)
    flat.put(0, FEET + 1, 1, "dirt")
    flat.set(dig_wait=0)
    flat.tick(15, attack=1)
    assert flat.at(0, FEET + 1, 1) == "dirt"
    flat.tick(1, attack=1)
    assert flat.at(0, FEET + 1, 1) == "air"


def test_a_held_attack_key_swings_once_at_air_and_a_miss_costs_ten_ticks():
    """A press at the air: one swing of six ticks, and ten in which the held key does nothing."""
    flat = Flat()
    swings = []
    for _ in range(30):
        flat.tick(attack=1)
        swings.append(flat.swing > 0)
    assert swings == [True] * 6 + [False] * 24
    flat = Flat()
    flat.tick(attack=1)
    flat.put(*AHEAD, "dirt")
    flat.tick(attack=1)
    assert flat.swing == 2
    assert ticks_to_break(flat, "dirt") == 1 + 8 + ticks_to_break(facing("dirt"), "dirt")


def test_releasing_the_attack_key_ends_the_wait_after_a_miss():
    flat = Flat()
    flat.tick(attack=1)
    flat.put(*AHEAD, "dirt")
    flat.tick()
    assert ticks_to_break(flat, "dirt") == ticks_to_break(facing("dirt"), "dirt")


def test_a_change_of_tool_restarts_digging():
    flat = facing("oak_log")
    flat.give(1, "iron_axe")
    flat.tick(50, attack=1)
    flat.tick(1, attack=1, hotbar=2)
    flat.tick(9, attack=1)
    assert flat.at(*AHEAD) == "oak_log"
    flat.tick(1, attack=1)
    assert flat.at(*AHEAD) == "air"


def test_a_new_item_in_the_hand_restarts_digging():
    flat = facing("oak_log")
    flat.tick(50, attack=1)
    flat.give(0, "dirt")
    flat.tick(60, attack=1)
    assert flat.at(*AHEAD) == "oak_log"
    flat.tick(1, attack=1)
    assert flat.at(*AHEAD) == "air"


def test_a_tool_wears_and_breaks():
    flat = facing("dirt", "wooden_shovel", damage=57)
    ticks_to_break(flat, "dirt")
    assert flat.slot(0) == ("wooden_shovel", 1, 58)
    flat.put(*AHEAD, "dirt")
    ticks_to_break(flat, "dirt")
    assert flat.slot(0) == ("air", 0, 0)
    assert any(kind == "broken" for kind, _, _ in flat.events())


def test_a_sword_loses_two_uses_when_it_digs():
    flat = facing("dirt", "wooden_sword")
    ticks_to_break(flat, "dirt")
    assert flat.slot(0) == ("wooden_sword", 1, 2)


def test_a_column_of_sugar_cane_breaks_with_its_ground():
    flat = Flat()
    flat.put(*AHEAD, "sand")
    for y in range(3):
        flat.put(AHEAD[0], AHEAD[1] + 1 + y, AHEAD[2], "sugar_cane")
    flat.put(0, FEET, 2, "stone")
    flat.tick(2)
    ticks_to_break(flat, "sand")
    assert [flat.at(0, FEET + 2 + y, 2) for y in range(3)] == ["air"] * 3
    assert flat.lying().get("sugar_cane", 0) + flat.held().get("sugar_cane", 0) == 3


def test_sand_falls_when_the_block_below_is_dug():
    flat = facing("dirt")
    for y in range(2, 5):
        flat.put(0, FEET + y, 2, "sand")
    ticks_to_break(flat, "dirt")
    flat.tick(40)  # each block lets go two ticks after the one below it
    assert [flat.at(0, FEET + y, 2) for y in range(5)] == ["sand", "sand", "sand", "air", "air"]


def test_redstone_ore_gives_four_or_five_redstone():
    counts = set()
    for seed in range(12):
        flat = Flat(seed=seed)
        flat.put(*AHEAD, "redstone_ore")
        flat.give(0, "iron_pickaxe")
        ticks_to_break(flat, "redstone_ore")
        counts.add(flat.lying()["redstone"])
    assert counts == {4, 5}


def test_gravel_gives_flint_or_itself_never_both():
    flint = 0
    for seed in range(60):
        flat = Flat(seed=seed * 7919)
        flat.put(*AHEAD, "gravel")
        flat.put(0, FEET, 2, "stone")
        ticks_to_break(flat, "gravel")
        lying = flat.lying()
        assert sum(lying.values()) == 1
        flint += lying.get("flint", 0)
    assert 1 <= flint <= 15
