"""Conditions in which an episode begins: the time of day, the weather, and the check of a whole setup."""

from collections.abc import Collection, Mapping

from optimus_gym.core.checks import check_name
from optimus_gym.core.types import Setup
from optimus_gym.game.items import check_fits

DAY_TICKS = 24_000
"""Ticks of a day; Minecraft Wiki, "Daylight cycle"."""

TIMES: Mapping[str, int] = {
    "sunrise": 23_000,
    "dawn": 23_000,
    "day": 1_000,
    "noon": 6_000,
    "sunset": 12_000,
    "dusk": 12_000,
    "night": 13_000,
    "midnight": 18_000,
}
"""Words for times of day, each in the game's ticks (0 is 6 in the morning); Minecraft Wiki, "Commands/time"
("dawn" and "dusk" are our words)."""

WEATHERS = ("clear", "rain", "thunder")
"""Names of the kinds of weather; Minecraft Wiki, "Commands/weather"."""


def check_weather(name: str) -> None:
    """Reject a name that is no weather.

    Raises:
        UnknownName: no such weather.
    """
    check_name("weather", name, WEATHERS)


def check_setup(setup: Setup, biomes: Collection[str]) -> None:
    """Reject a setup whose biome, weather or inventory a world cannot begin with.

    Args:
        setup: how an episode begins; a setup without a biome leaves the choice to the world.
        biomes: names of the world's biomes.

    Raises:
        UnknownName: no such biome, weather or item.
        BadValue: the inventory does not fit into the player's 36 slots.
    """
    if setup.biome is not None:
        check_name("biome", setup.biome, biomes)
    check_weather(setup.weather)
    check_fits(setup.inventory)
