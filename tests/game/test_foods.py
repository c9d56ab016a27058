import pytest

from optimus_gym.game.foods import foods


def test_there_are_forty_foods_and_milk():
    assert len(foods()) == 41
    assert (foods()["milk_bucket"].points, foods()["milk_bucket"].left) == (0, "bucket")


def test_foods_have_the_games_effects_and_cures():
    assert [(e.effect, e.chance, e.ticks, e.level) for e in foods()["pufferfish"].effects] == [
        ("poison", 1, 1200, 3),
        ("hunger", 1, 300, 2),
    ]
    assert foods()["honey_bottle"].cures == ("poison",)
    assert foods()["apple"].effects == foods()["apple"].cures == ()


@pytest.mark.parametrize(
    ("name", "points", "saturation", "ticks", "left"),
    [
        ("apple", 4, 2.4, 32, None),
        ("cooked_beef", 8, 12.8, 32, None),
        ("dried_kelp", 1, 0.6, 16, None),
        ("mushroom_stew", 6, 7.2, 32, "bowl"),
        ("honey_bottle", 6, 1.2, 40, "glass_bottle"),
    ],
)
def test_eating_gives_the_games_points_and_saturation(name, points, saturation, ticks, left):
    found = foods()[name]
    assert (found.points, found.saturation, found.ticks, found.left) == (
        points,
        saturation,
        ticks,
        left,
    )
