import pytest

from optimus_gym.game.ores import ore_rules


# Minecraft Wiki, "Ore" and the blocks' own pages (Java Edition 1.16).
@pytest.mark.parametrize(
    ("block", "biome", "expected"),
    [
        ("dirt", None, (33, 10, 0, 255)),
        ("gravel", None, (33, 8, 0, 255)),
        ("granite", None, (33, 10, 0, 79)),
        ("diorite", None, (33, 10, 0, 79)),
        ("andesite", None, (33, 10, 0, 79)),
        ("coal_ore", None, (17, 20, 0, 127)),
        ("iron_ore", None, (9, 20, 0, 63)),
        ("gold_ore", None, (9, 2, 0, 31)),
        ("gold_ore", "badlands", (9, 20, 32, 79)),
        ("redstone_ore", None, (8, 8, 0, 15)),
        ("diamond_ore", None, (8, 1, 0, 15)),
        ("lapis_ore", None, (7, 1, 0, 30)),
        ("emerald_ore", "mountains", (1, 3, 4, 31)),
    ],
)
def test_veins_have_the_games_sizes_counts_and_heights(block, biome, expected):
    (rule,) = [rule for rule in ore_rules() if (rule.block, rule.biome) == (block, biome)]
    assert (rule.size, rule.count, rule.low, rule.high) == expected


def test_only_lapis_is_most_frequent_in_the_middle_of_its_heights():
    assert [rule.block for rule in ore_rules() if rule.shape == "triangle"] == ["lapis_ore"]
    assert {rule.shape for rule in ore_rules()} == {"triangle", "uniform"}


def test_only_emeralds_have_a_range_of_counts():
    for rule in ore_rules():
        assert 1 <= rule.count <= rule.count_high
        assert (rule.count_high > rule.count) == (rule.block == "emerald_ore")
        assert "stone" in rule.replaces
