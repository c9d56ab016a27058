"""Commands on the rules of the world: /difficulty and /gamerule.

Reference: Minecraft Wiki, "Commands/difficulty", "Commands/gamerule", "Game rule".
"""

from dataclasses import dataclass
from typing import Final

from optimus_gym.core.checks import check_name
from optimus_gym.core.errors import BadValue
from optimus_gym.game.creatures import DIFFICULTIES
from optimus_gym.worlds.voxel.commands.command_scene import CommandScene, Lifeless
from optimus_gym.worlds.voxel.commands.command_words import CommandWords
from optimus_gym.worlds.voxel.state.fauna import (
    PEACEFUL,
    SPAWNS_ALL,
    SPAWNS_NONE,
    SPAWNS_PACKS,
)

KEEP_INVENTORY: Final = "keepInventory"
MOB_SPAWNING: Final = "doMobSpawning"
IMMEDIATE_RESPAWN: Final = "doImmediateRespawn"
_ASSISTS: Final = {
    KEEP_INVENTORY: ("keep_inventory", True),
    "doDaylightCycle": ("always_day", False),
}
"""Game rules that are assists -> the assist, and whether the assist is on while the rule is true."""
_FIELDS: Final = {
    "doWeatherCycle": "fixed_weather",
    "sendCommandFeedback": "silent",
    "commandBlockOutput": "silent_blocks",
}
"""Game rules -> the field of `Worlds.rules` that is 1 while the rule is false."""
GAME_RULES: Final = (*_ASSISTS, *_FIELDS, MOB_SPAWNING, IMMEDIATE_RESPAWN)
"""Names of the game rules that /gamerule knows; Minecraft Wiki, "Game rule"."""


@dataclass(frozen=True)
class Difficulty(Lifeless):
    """/difficulty [difficulty]; without a name the command reports the difficulty."""

    name: str | None

    def check(self, scene: CommandScene) -> int:
        """Return 0: the command changes no block."""
        return 0

    def run(self, scene: CommandScene) -> str:
        """Set or report the difficulty."""
        now = DIFFICULTIES[scene.rules["difficulty"]]
        if self.name is None:
            return f"The difficulty is {now.title()}"
        if self.name == now:
            return f"The difficulty did not change; it is already set to {now.title()}"
        number = DIFFICULTIES.index(self.name)
        scene.rules["difficulty"] = number
        scene.assists["peaceful"] = number == PEACEFUL
        return f"The difficulty has been set to {self.name.title()}"


def read_difficulty(words: CommandWords) -> Difficulty:
    """Read the words after "difficulty".

    Raises:
        BadValue, UnknownName: the words are no /difficulty of this world.
    """
    name = words.take_choice("difficulty", DIFFICULTIES) if words.left else None
    return Difficulty(name)


@dataclass(frozen=True)
class GameRule(Lifeless):
    """/gamerule <rule> [value]; without a value the command reports the value."""

    rule: str
    value: bool | None

    @property
    def brings_life(self) -> bool:
        """Return whether the rule lets creatures come."""
        return self.rule == MOB_SPAWNING and self.value is True

    def check(self, scene: CommandScene) -> int:
        """Check that this world can follow the rule's new value.

        Raises:
            BadValue: dead players cannot wait for a key, or players of this world never lose items.
        """
        if self.rule == IMMEDIATE_RESPAWN and self.value is False:
            raise BadValue(
                f"gamerule {self.rule}: expected true, got false: there is no death screen; the protocol "
                "revives a dead player at once, or ends the episode"
            )
        if self.rule == KEEP_INVENTORY and self.value is False and not scene.rules["survival"]:
            raise BadValue(
                f"gamerule {self.rule}: expected true, got false: without hunger (its protocol has no "
                "difficulty) this world's players keep their items"
            )
        return 0

    def run(self, scene: CommandScene) -> str:
        """Set or report the rule."""
        if self.value is None:
            return f"Gamerule {self.rule} is currently set to: {_text(_value(scene, self.rule))}"
        if self.rule in _ASSISTS:
            assist, when = _ASSISTS[self.rule]
            scene.assists[assist] = self.value == when
        elif self.rule in _FIELDS:
            scene.rules[_FIELDS[self.rule]] = not self.value
        elif self.rule == MOB_SPAWNING:
            _let_spawn(scene, self.value)
        return f"Gamerule {self.rule} is now set to: {_text(self.value)}"


def _value(scene: CommandScene, rule: str) -> bool:
    """Return the present value of a game rule."""
    if rule == KEEP_INVENTORY and not scene.rules["survival"]:
        return True
    if rule in _ASSISTS:
        assist, when = _ASSISTS[rule]
        return bool(scene.assists[assist]) == when
    if rule in _FIELDS:
        return not scene.rules[_FIELDS[rule]]
    if rule == MOB_SPAWNING:
        return bool(scene.rules["creatures"]) and scene.rules["spawning"] == SPAWNS_ALL
    return True


def _let_spawn(scene: CommandScene, value: bool) -> None:
    """Let creatures come by themselves or not; a world without creatures gets them."""
    rules = scene.rules
    if value:
        rules["creatures"], rules["spawning"] = 1, SPAWNS_ALL
    elif rules["creatures"] and rules["spawning"] != SPAWNS_NONE:
        rules["spawning"] = SPAWNS_PACKS


def _text(value: bool) -> str:
    return "true" if value else "false"


def read_gamerule(words: CommandWords) -> GameRule:
    """Read the words after "gamerule".

    Raises:
        BadValue, UnknownName: the words are no /gamerule of this world.
    """
    rule = check_name("game rule of this world", words.take("a game rule"), GAME_RULES)
    return GameRule(rule, words.take_switch() if words.left else None)
