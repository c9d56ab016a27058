"""Words for the time of day and the weather in which an episode begins."""

from collections.abc import Mapping

from optimus_gym.core.errors import UnknownName

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
    if name not in WEATHERS:
        raise UnknownName("weather", name, WEATHERS)
