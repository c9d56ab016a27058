"""Commands on clock and weather: /time and /weather.

Reference: Minecraft Wiki, "Commands/time", "Commands/weather".
"""

from dataclasses import dataclass
from typing import Final

from optimus_gym.core.errors import BadValue, hint, shown
from optimus_gym.game.conditions import DAY_TICKS, WEATHERS
from optimus_gym.worlds.voxel.commands.command_scene import CommandScene, Lifeless
from optimus_gym.worlds.voxel.commands.command_words import CommandWords, real_number

DAY_TIMES: Final = {"day": 1_000, "noon": 6_000, "night": 13_000, "midnight": 18_000}
"""Ticks of the day of the words that /time set knows; Minecraft Wiki, "Commands/time"."""
_UNITS: Final = {"d": DAY_TICKS, "s": 20, "t": 1}
"""Ticks of the units of times; Minecraft Wiki, "Argument types" (time)."""
_MOST_TIME: Final = 2**31 - 1
_QUERIES: Final = ("daytime", "gametime", "day")
_USUAL_WEATHER: Final = 6_000
"""Ticks of a weather if the command names no duration; Minecraft Wiki, "Commands/weather" (1.16)."""
_MOST_SECONDS: Final = 1_000_000
"""Maximum duration of a weather; Minecraft Wiki, "Commands/weather"."""


@dataclass(frozen=True)
class Time(Lifeless):
    """/time set|add|query; `amount` is in ticks, `word` names what a query asks for."""

    way: str
    amount: int = 0
    word: str = ""

    def check(self, scene: CommandScene) -> int:
        """Check that the clock does not run over.

        Raises:
            BadValue: the new time is out of range.
        """
        if self.way == "add" and int(scene.sky["time"]) + self.amount > _MOST_TIME:
            raise BadValue(f"time: expected at most {_MOST_TIME} ticks, got {self.amount} more")
        return 0

    def run(self, scene: CommandScene) -> str:
        """Set or report the clock."""
        sky = scene.sky
        now = int(sky["time"])
        if self.way == "query":
            told = {
                "daytime": now % DAY_TICKS,
                "gametime": int(scene.player["tick"]),
                "day": now // DAY_TICKS,
            }
            return f"The time is {told[self.word]}"
        sky["time"] = self.amount if self.way == "set" else now + self.amount
        shown_time = self.amount if self.way == "set" else int(sky["time"]) % DAY_TICKS
        return f"Set the time to {shown_time}"


def read_time(words: CommandWords) -> Time:
    """Read the words after "time".

    Raises:
        BadValue, UnknownName: the words are no /time of this world.
    """
    way = words.take_choice("kind of /time", ("set", "add", "query"))
    if way == "query":
        return Time(way, word=words.take_choice("kind of time", _QUERIES))
    word = words.take("a time")
    if way == "set" and word in DAY_TIMES:
        return Time(way, DAY_TIMES[word])
    return Time(way, _ticks_of(word, way == "set"))


def _ticks_of(word: str, named: bool) -> int:
    """Return the ticks that a time such as "100", "0.5d" or "30s" means.

    Raises:
        BadValue: the word is no time.
    """
    unit = word[-1] if word[-1] in _UNITS else ""
    number = word.removesuffix(unit)
    if number[:1].isdigit() or number[:1] == ".":
        ticks = real_number(number, "time") * _UNITS.get(unit, 1)
        if ticks <= _MOST_TIME:
            return round(ticks)
    words = f" ({hint('', DAY_TIMES)})" if named else ""
    raise BadValue(
        f"time: expected ticks, 0 or more, such as 6000 or 0.5d{words}, got {shown(word)}"
    )


@dataclass(frozen=True)
class Weather(Lifeless):
    """/weather clear|rain|thunder [seconds]; `ticks` is the duration."""

    kind: str
    ticks: int

    def check(self, scene: CommandScene) -> int:
        """Return 0: the command changes no block."""
        return 0

    def run(self, scene: CommandScene) -> str:
        """Change the weather, whose strength follows within 100 ticks; it lasts for `ticks`."""
        sky = scene.sky
        sky["raining"], sky["thundering"] = self.kind != "clear", self.kind == "thunder"
        sky["rain_wait"] = sky["thunder_wait"] = self.ticks
        return f"Set the weather to {'rain & thunder' if self.kind == 'thunder' else self.kind}"


def read_weather(words: CommandWords) -> Weather:
    """Read the words after "weather".

    Raises:
        BadValue, UnknownName: the words are no /weather of this world.
    """
    kind = words.take_choice("weather", WEATHERS)
    if not words.left:
        return Weather(kind, _USUAL_WEATHER)
    return Weather(kind, 20 * words.take_whole("seconds", 0, _MOST_SECONDS))
