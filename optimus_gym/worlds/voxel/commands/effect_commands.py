"""Commands on the player's body: /effect and /xp.

Reference: Minecraft Wiki, "Commands/effect", "Commands/experience", "Effect", "Experience".
"""

from dataclasses import dataclass
from typing import Final

from optimus_gym.core.checks import check_name
from optimus_gym.core.errors import BadValue
from optimus_gym.worlds.voxel.commands.command_scene import (
    CommandScene,
    Lifeless,
    shown_title,
)
from optimus_gym.worlds.voxel.commands.command_words import CommandWords, plain_name
from optimus_gym.worlds.voxel.commands.selectors import NO_ENTITY, Selector, take_player
from optimus_gym.worlds.voxel.player.accounts import level_and_share
from optimus_gym.worlds.voxel.player.effects import (
    end_effect,
    end_night_vision,
    give_effect,
)
from optimus_gym.worlds.voxel.player.vitals import MOST_FOOD, heal
from optimus_gym.worlds.voxel.state.message_row import PLAYER_NAME
from optimus_gym.worlds.voxel.state.needs import EFFECT_NAMES

NIGHT_VISION: Final = "night_vision"
INSTANT_HEALTH: Final = "instant_health"
SATURATION: Final = "saturation"
GIVEN_EFFECTS: Final = (*EFFECT_NAMES, NIGHT_VISION, INSTANT_HEALTH, SATURATION)
"""Names of the effects that /effect knows."""
_USUAL_SECONDS: Final = 30
"""Duration of an effect if the command names none; Minecraft Wiki, "Commands/effect"."""
_MOST_SECONDS: Final = 1_000_000
"""Maximum duration of an effect; Minecraft Wiki, "Commands/effect"."""
_MOST_LEVEL: Final = 31
"""Maximum amplifier in this world; the game has 255."""
_TICKS: Final = 20
"""Ticks of a second."""
_HEALS: Final = 4.0
"""Half-hearts that instant health of level I gives; each level doubles them."""
MOST_POINTS: Final = 2**24
"""Maximum experience points in this world."""
_MOST_CHANGE: Final = 2**31 - 1


@dataclass(frozen=True)
class GiveEffect(Lifeless):
    """/effect give <targets> <effect> [seconds] [amplifier] [hideParticles]."""

    target: Selector
    effect: str
    seconds: int | None
    level: int

    def check(self, scene: CommandScene) -> int:
        """Check that effects act in this world.

        Raises:
            BadValue: the world has no hunger, and therefore no lasting effects.
        """
        if self.effect in EFFECT_NAMES and not scene.rules["survival"]:
            raise BadValue(
                f"effect {self.effect}: expected a world with hunger, in which effects act, got a world "
                "without (its protocol has no difficulty)"
            )
        return 0

    def run(self, scene: CommandScene) -> str:
        """Give the effect, or let an instant effect act at once."""
        if not self.target.choose(scene) or not scene.player["alive"]:
            return NO_ENTITY
        seconds = _USUAL_SECONDS if self.seconds is None else self.seconds
        if not self._act(scene, seconds * _TICKS):
            return (
                "Unable to apply this effect (target is either immune to effects, "
                "or has something stronger)"
            )
        return f"Applied effect {shown_title(self.effect)} to {PLAYER_NAME}"

    def _act(self, scene: CommandScene, ticks: int) -> bool:
        """Let the effect begin; return False if a stronger or longer one acts already."""
        worlds, row, player = scene.worlds, scene.row, scene.player
        if self.effect == NIGHT_VISION:
            return _brighten(scene, ticks)
        if self.effect == INSTANT_HEALTH:
            heal(worlds, row, _HEALS * 2.0**self.level)
        elif self.effect == SATURATION:
            # An instant effect lasts as many ticks as the command names seconds, and acts in each tick.
            points = (1 if self.seconds is None else self.seconds) * (self.level + 1)
            player["food"] = min(float(player["food"]) + points, MOST_FOOD)
            full = float(player["food"])
            player["saturation"] = min(float(player["saturation"]) + 2.0 * points, full)
        else:
            number = EFFECT_NAMES.index(self.effect)
            before = worlds.effects[row, number].copy()
            give_effect(worlds, row, number, ticks, self.level)
            return bool(worlds.effects[row, number] != before)
        return True


def _brighten(scene: CommandScene, ticks: int) -> bool:
    """Give night vision for some ticks; night vision of the assist lasts for ever, and stays."""
    rules, assists = scene.rules, scene.assists
    if assists[NIGHT_VISION] and not rules["bright_for"]:
        return True
    if rules["bright_for"] >= ticks:
        return False
    rules["bright_for"], assists[NIGHT_VISION] = ticks, 1
    return True


@dataclass(frozen=True)
class ClearEffect(Lifeless):
    """/effect clear [targets] [effect]."""

    target: Selector
    effect: str | None

    def check(self, scene: CommandScene) -> int:
        """Return 0: the command changes no block."""
        return 0

    def run(self, scene: CommandScene) -> str:
        """End one effect or all effects."""
        if not self.target.choose(scene):
            return NO_ENTITY
        worlds, row = scene.worlds, scene.row
        acting = [name for name in GIVEN_EFFECTS if _acts(scene, name)]
        ended = [name for name in acting if self.effect in (None, name)]
        for name in ended:
            if name == NIGHT_VISION:
                end_night_vision(worlds, row)
                scene.assists[NIGHT_VISION] = 0
            else:
                end_effect(worlds, row, EFFECT_NAMES.index(name))
        if self.effect is None:
            every = f"Removed every effect from {PLAYER_NAME}"
            return every if ended else "Target has no effects to remove"
        if not ended:
            return "Target doesn't have the requested effect"
        return f"Removed effect {shown_title(self.effect)} from {PLAYER_NAME}"


def _acts(scene: CommandScene, name: str) -> bool:
    if name == NIGHT_VISION:
        return bool(scene.assists[NIGHT_VISION])
    if name not in EFFECT_NAMES:
        return False
    return bool(scene.worlds.effects["ticks"][scene.row, EFFECT_NAMES.index(name)] > 0)


def read_effect(words: CommandWords) -> GiveEffect | ClearEffect:
    """Read the words after "effect".

    Raises:
        BadValue, UnknownName: the words are no /effect of this world.
    """
    if words.take_choice("kind of /effect", ("give", "clear")) == "clear":
        target = take_player(words) if words.left else Selector()
        return ClearEffect(target, _take_effect(words) if words.left else None)
    target, effect = take_player(words), _take_effect(words)
    seconds = words.take_whole("seconds", 1, _MOST_SECONDS) if words.left else None
    level = words.take_whole("amplifier", 0, _MOST_LEVEL) if words.left else 0
    if words.left:
        words.take_switch()
    return GiveEffect(target, effect, seconds, level)


def _take_effect(words: CommandWords) -> str:
    return check_name("effect of this world", plain_name(words.take("an effect")), GIVEN_EFFECTS)


@dataclass(frozen=True)
class ChangeExperience(Lifeless):
    """/xp add|set|query <targets> <amount> [levels|points].

    Attributes:
        way: "add", "set" or "query".
        target: the player.
        amount: number of levels or points; 0 for a query.
        levels: whether the amount counts levels.
    """

    way: str
    target: Selector
    amount: int
    levels: bool

    def check(self, scene: CommandScene) -> int:
        """Check that the new amount of experience is possible.

        Raises:
            BadValue: the world cannot count so many points.
        """
        bounded = self.way == "set" and not self.levels
        if self.way != "query" and not bounded and self._changed(scene) > MOST_POINTS:
            raise BadValue(
                f"experience: expected at most {MOST_POINTS} points in this world, got "
                f"{self.way} {self.amount} {self._unit}"
            )
        return 0

    @property
    def _unit(self) -> str:
        return "levels" if self.levels else "points"

    def _changed(self, scene: CommandScene) -> float:
        """Return the player's experience points after the command."""
        now = float(scene.player["experience"])
        level, share = level_and_share(now)
        if not self.levels:
            base = now if self.way == "add" else points_of_level(level)
            return max(base + self.amount, 0.0)
        level = max(level + self.amount if self.way == "add" else self.amount, 0)
        share = 0.0 if level == 0 and self.amount < 0 else share
        return points_of_level(level) + float(
            int(share * (points_of_level(level + 1) - points_of_level(level)))
        )

    def run(self, scene: CommandScene) -> str:
        """Change or report the player's experience."""
        if not self.target.choose(scene):
            return NO_ENTITY
        level, share = level_and_share(float(scene.player["experience"]))
        needed = points_of_level(level + 1) - points_of_level(level)
        if self.way == "query":
            held = level if self.levels else round(share * needed)
            return f"{PLAYER_NAME} has {held} experience {self._unit}"
        if self.way == "set" and not self.levels and self.amount >= needed:
            return "Cannot set experience points above the maximum points for the player's current level"
        scene.player["experience"] = min(self._changed(scene), float(MOST_POINTS))
        if self.way == "set":
            return f"Set {self.amount} experience {self._unit} on {PLAYER_NAME}"
        return f"Gave {self.amount} experience {self._unit} to {PLAYER_NAME}"


def points_of_level(level: int) -> float:
    """Return the experience points with which a level begins; Minecraft Wiki, "Experience" (1.16).

    >>> points_of_level(1), points_of_level(17), points_of_level(32)
    (7.0, 394.0, 1628.0)
    """
    if level <= 16:
        return float(level * level + 6 * level)
    if level <= 31:
        return 2.5 * level * level - 40.5 * level + 360.0
    return 4.5 * level * level - 162.5 * level + 2220.0


def read_experience(words: CommandWords) -> ChangeExperience:
    """Read the words after "xp" or "experience".

    Raises:
        BadValue, UnknownName: the words are no /xp of this world.
    """
    way = words.take_choice("kind of /xp", ("add", "set", "query"))
    target, amount = take_player(words), 0
    if way != "query":
        least = 0 if way == "set" else -_MOST_CHANGE
        amount = words.take_whole("amount", least, _MOST_CHANGE)
    unit = "points"
    if words.left or way == "query":
        unit = words.take_choice("unit of experience", ("points", "levels"))
    return ChangeExperience(way, target, amount, unit == "levels")
