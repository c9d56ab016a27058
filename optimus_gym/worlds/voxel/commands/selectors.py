"""Target selectors: @s, @p, @a, @r and @e with type, distance, limit and sort.

Reference: Minecraft Wiki, "Target selectors" (Java Edition 1.16).
"""

from dataclasses import dataclass
from typing import Final

from optimus_gym.core.checks import check_name
from optimus_gym.core.errors import BadValue, shown
from optimus_gym.game.creatures import creature_kinds
from optimus_gym.worlds.voxel.commands.command_scene import CommandScene
from optimus_gym.worlds.voxel.commands.command_words import (
    CommandWords,
    plain_name,
    real_number,
    whole_number,
)
from optimus_gym.worlds.voxel.state.chance import fraction
from optimus_gym.worlds.voxel.state.message_row import PLAYER_NAME

THE_PLAYER: Final = "player"
DROPPED_ITEM: Final = "item"
FLYING_ARROW: Final = "arrow"
_VARIABLES: Final = ("s", "p", "a", "r", "e")
_ARGUMENTS: Final = ("type", "distance", "limit", "sort")
_SORTS: Final = ("arbitrary", "nearest", "furthest", "random")
_MOST: Final = 2**31 - 1


@dataclass(frozen=True)
class Entity:
    """An entity: its kind, its row in the array of that kind (0 for the player), and its place."""

    kind: str
    number: int
    x: float
    y: float
    z: float

    @property
    def title(self) -> str:
        """Return the entity's name in lines of commands."""
        return PLAYER_NAME if self.kind == THE_PLAYER else self.kind.replace("_", " ").title()


@dataclass(frozen=True)
class Selector:
    """A target selector.

    Attributes:
        variable: "s", "p", "a", "r" or "e".
        kind: the kind that `type` names, or None.
        excludes: whether `type` excludes that kind.
        least: minimum distance in blocks.
        most: maximum distance in blocks, or None.
        limit: maximum number of entities, or None.
        sort: the order in which entities are chosen.
    """

    variable: str = "s"
    kind: str | None = None
    excludes: bool = False
    least: float = 0.0
    most: float | None = None
    limit: int | None = None
    sort: str = "arbitrary"

    @property
    def is_player(self) -> bool:
        """Return whether the selector can choose no entity but the player."""
        return self.variable != "e" or (self.kind == THE_PLAYER and not self.excludes)

    def choose(self, scene: CommandScene) -> list[Entity]:
        """Return the chosen entities; sort=random draws from the world's own generator."""
        found = [one for one in _entities(scene) if self._admits(scene, one)]
        if self.sort in ("nearest", "furthest"):
            found.sort(key=lambda one: _far2(scene, one), reverse=self.sort == "furthest")
        elif self.sort == "random":
            for last in range(len(found) - 1, 0, -1):
                other = int(fraction(scene.worlds, scene.row) * (last + 1))
                found[last], found[other] = found[other], found[last]
        return found[: self.limit]

    def _admits(self, scene: CommandScene, one: Entity) -> bool:
        if one.kind == THE_PLAYER and self.variable in "pre" and not scene.player["alive"]:
            return False
        if self.variable != "e" and one.kind != THE_PLAYER:
            return False
        if self.kind is not None and (one.kind == self.kind) == self.excludes:
            return False
        far2 = _far2(scene, one)
        return far2 >= self.least**2 and (self.most is None or far2 <= self.most**2)


def _far2(scene: CommandScene, one: Entity) -> float:
    here = scene.here
    return (one.x - here.x) ** 2 + (one.y - here.y) ** 2 + (one.z - here.z) ** 2


def _entities(scene: CommandScene) -> list[Entity]:
    """Return the player, then living creatures, dropped items and arrows, each in the order of their rows."""
    worlds, row, p = scene.worlds, scene.row, scene.player
    found = [Entity(THE_PLAYER, 0, float(p["x"]), float(p["y"]), float(p["z"]))]
    names = tuple(creature_kinds())
    fauna = worlds.fauna[row]
    for k, one in enumerate(worlds.creatures[row, : fauna["creatures"]]):
        if one["health"] > 0:
            place = float(one["x"]), float(one["y"]), float(one["z"])
            found.append(Entity(names[one["kind"]], k, *place))
    for k, one in enumerate(worlds.drops[row]):
        if one["item"]:
            found.append(Entity(DROPPED_ITEM, k, float(one["x"]), float(one["y"]), float(one["z"])))
    for k, one in enumerate(worlds.arrows[row, : fauna["arrows"]]):
        found.append(Entity(FLYING_ARROW, k, float(one["x"]), float(one["y"]), float(one["z"])))
    return found


def take_selector(words: CommandWords) -> Selector:
    """Read a target selector, or the player's name.

    Raises:
        BadValue, UnknownName: the word is no selector, or has an argument that this world lacks.
    """
    return selector_of(words.take("a target such as @s"))


def selector_of(word: str) -> Selector:
    """Return the selector that a word means.

    Raises:
        BadValue, UnknownName: the word is no selector, or has an argument that this world lacks.
    """
    if word == PLAYER_NAME:
        return Selector()
    head, bracket, inside = word.partition("[")
    if head[:1] != "@" or head[1:] not in _VARIABLES or (bracket and not inside.endswith("]")):
        raise BadValue(
            f"target: expected @s, @p, @a, @r, @e or @e[...] (a name other than {PLAYER_NAME} is no "
            f"player here), got {shown(word)}"
        )
    told: dict[str, str] = {}
    for part in filter(None, (one.strip() for one in inside.removesuffix("]").split(","))):
        name, _, value = part.partition("=")
        name = check_name("argument of target selectors here", name.strip(), _ARGUMENTS)
        if name in told:
            raise BadValue(f"target {shown(word)}: expected {name} once")
        told[name] = value.strip()
    return _selector(head[1:], told)


def _selector(variable: str, told: dict[str, str]) -> Selector:
    kind = told.get("type")
    if kind is not None:
        known = (THE_PLAYER, DROPPED_ITEM, FLYING_ARROW, *creature_kinds())
        kind_name = check_name("kind of entity here", plain_name(kind.removeprefix("!")), known)
    least, most = _distances(told.get("distance", "0.."))
    usual = {"p": ("nearest", 1), "r": ("random", 1)}.get(variable, ("arbitrary", None))
    limit: int | None = usual[1]
    if "limit" in told:
        limit = whole_number(told["limit"], "limit", 1, _MOST)
    return Selector(
        variable,
        None if kind is None else kind_name,
        kind is not None and kind.startswith("!"),
        least,
        most,
        limit,
        check_name("sort", told.get("sort", usual[0]), _SORTS),
    )


def _distances(word: str) -> tuple[float, float | None]:
    """Return the least and most distance that a range such as "3..5", "..5", "3.." or "5" means."""
    low, dots, high = word.partition("..")
    if not dots:
        low = high = word
    least = real_number(low, "distance") if low else 0.0
    most = real_number(high, "distance") if high else None
    if least < 0 or (most is not None and most < least) or not (low or high):
        raise BadValue(f"distance: expected a range such as 3..5, got {shown(word)}")
    return min(least, 1e9), most if most is None else min(most, 1e9)


def take_player(words: CommandWords) -> Selector:
    """Read a target that must be the player.

    Raises:
        BadValue, UnknownName: the word is no selector, or may choose other entities.
    """
    word = words.take("a target such as @s")
    chosen = selector_of(word)
    if not chosen.is_player:
        raise BadValue(
            f"target: expected the player (@s, @p, @a, @r, @e[type=player]), got {shown(word)}"
        )
    return chosen


def is_target(word: str) -> bool:
    """Return whether a word is written like a target."""
    return word.startswith("@") or word == PLAYER_NAME


NO_ENTITY: Final = "No entity was found"
"""The game's line for a selector that chooses no entity."""
