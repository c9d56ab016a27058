"""Commands on creatures: /summon and /kill.

Reference: Minecraft Wiki, "Commands/summon", "Commands/kill".
"""

from dataclasses import dataclass
from math import floor
from typing import Final

from optimus_gym.core.checks import check_name
from optimus_gym.game.creatures import creature_kinds
from optimus_gym.worlds.voxel.clicking.opening import close_screen
from optimus_gym.worlds.voxel.commands.command_scene import (
    CommandScene,
    Lifeless,
    check_in_reach,
    shown_title,
)
from optimus_gym.worlds.voxel.commands.command_words import CommandWords, plain_name
from optimus_gym.worlds.voxel.commands.coordinates import Coordinates, take_coordinates
from optimus_gym.worlds.voxel.commands.selectors import (
    DROPPED_ITEM,
    NO_ENTITY,
    THE_PLAYER,
    Entity,
    Selector,
    take_selector,
)
from optimus_gym.worlds.voxel.creatures.harm import hurt_creature
from optimus_gym.worlds.voxel.creatures.population import add_creature, remove_creature
from optimus_gym.worlds.voxel.player.death import leave_behind
from optimus_gym.worlds.voxel.player.vitals import VOID
from optimus_gym.worlds.voxel.state.events import emit
from optimus_gym.worlds.voxel.state.fauna import SPAWNS_NONE
from optimus_gym.worlds.voxel.state.worlds import DIED
from optimus_gym.worlds.voxel.tables.game_screens import NO_SCREEN

_DEADLY: Final = 1024.0
"""Damage of /kill in half-hearts, above the health of every creature."""


@dataclass(frozen=True)
class Summon:
    """/summon <entity> [position]."""

    kind: str
    place: Coordinates | None

    @property
    def brings_life(self) -> bool:
        """Return True: creatures need their land."""
        return True

    def check(self, scene: CommandScene) -> int:
        """Check that the position lies in loaded land.

        Raises:
            BadValue: the position lies elsewhere.
        """
        x, y, z = self._point(scene)
        check_in_reach(scene, floor(x), floor(y), floor(z))
        return 0

    def _point(self, scene: CommandScene) -> tuple[float, float, float]:
        here = scene.here
        return (here.x, here.y, here.z) if self.place is None else self.place.point(here)

    def run(self, scene: CommandScene) -> str:
        """Add a grown creature in full health; its look and a sheep's colour are drawn."""
        rules = scene.rules
        if not rules["creatures"]:
            rules["creatures"], rules["spawning"] = 1, SPAWNS_NONE
        kind = tuple(creature_kinds()).index(self.kind)
        if add_creature(scene.worlds, scene.row, kind, *self._point(scene)) < 0:
            return "Unable to summon entity"
        return f"Summoned new {shown_title(self.kind)}"


def read_summon(words: CommandWords) -> Summon:
    """Read the words after "summon".

    Raises:
        BadValue, UnknownName: the words are no /summon of this world.
    """
    word = plain_name(words.take("a creature"))
    kind = check_name("creature of this world", word, creature_kinds())
    place = take_coordinates(words) if words.left else None
    words.refuse_nbt()
    return Summon(kind, place)


@dataclass(frozen=True)
class Kill(Lifeless):
    """/kill [targets]."""

    target: Selector

    def check(self, scene: CommandScene) -> int:
        """Return 0: the command changes no block."""
        return 0

    def run(self, scene: CommandScene) -> str:
        """Kill the player and creatures, which leave what a death leaves; remove items and arrows."""
        chosen = [one for one in self.target.choose(scene) if _can_die(scene, one)]
        for one in sorted(chosen, key=lambda one: one.number, reverse=True):
            _kill(scene, one)
        if not chosen:
            return NO_ENTITY
        if len(chosen) == 1:
            return f"Killed {chosen[0].title}"
        return f"Killed {len(chosen)} entities"


def _can_die(scene: CommandScene, one: Entity) -> bool:
    return one.kind != THE_PLAYER or bool(scene.player["alive"])


def _kill(scene: CommandScene, one: Entity) -> None:
    """Kill an entity; of one kind, entities of higher rows die first, because rows move up."""
    worlds, row = scene.worlds, scene.row
    if one.kind == THE_PLAYER:
        kill_player(scene)
    elif one.kind == DROPPED_ITEM:
        worlds.drops[row, one.number] = 0
    elif one.kind in creature_kinds():
        hurt_creature(worlds, row, one.number, _DEADLY, False)
        remove_creature(worlds, row, one.number)
    else:
        worlds.fauna["arrows"][row] -= 1
        worlds.arrows[row, one.number] = worlds.arrows[row, worlds.fauna["arrows"][row]]


def kill_player(scene: CommandScene) -> None:
    """Kill the living player as the void does; the player leaves behind what a death costs."""
    player = scene.player
    player["health"], player["alive"] = 0.0, 0
    emit(scene.worlds, scene.row, DIED, VOID, 1)
    if scene.worlds.screens["kind"][scene.row] != NO_SCREEN:
        close_screen(scene.worlds, scene.row)
    leave_behind(scene.worlds, scene.row)


def read_kill(words: CommandWords) -> Kill:
    """Read the words after "kill".

    Raises:
        BadValue, UnknownName: the words are no /kill of this world.
    """
    return Kill(take_selector(words) if words.left else Selector())
