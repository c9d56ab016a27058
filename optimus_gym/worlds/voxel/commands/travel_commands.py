"""Commands that move the player and its spawn point: /tp, /teleportbiome, /spawnpoint.

References: Minecraft Wiki, "Commands/teleport", "Commands/spawnpoint". The engines of MineRL 1.0 and
MineStudio add `/teleportbiome`, in the form "targets biome x y z".
"""

from dataclasses import dataclass
from math import floor
from typing import Any, Final

import numpy as np

from optimus_gym.core.checks import check_name
from optimus_gym.core.errors import BadValue
from optimus_gym.game.biomes import BIOMES
from optimus_gym.game.creatures import creature_kinds
from optimus_gym.worlds.voxel.bodies.aim import NO_FACE
from optimus_gym.worlds.voxel.commands.command_scene import CommandScene, Lifeless
from optimus_gym.worlds.voxel.commands.command_words import CommandWords, plain_name
from optimus_gym.worlds.voxel.commands.coordinates import (
    Coordinates,
    Standpoint,
    begins_position,
    take_angle,
    take_coordinates,
)
from optimus_gym.worlds.voxel.commands.selectors import (
    NO_ENTITY,
    THE_PLAYER,
    Entity,
    Selector,
    is_target,
    take_player,
    take_selector,
)
from optimus_gym.worlds.voxel.land.window import ensure_area
from optimus_gym.worlds.voxel.state.message_row import PLAYER_NAME
from optimus_gym.worlds.voxel.state.worlds import HEIGHT, Worlds
from optimus_gym.worlds.voxel.terrain.biome_start import find_biome_near
from optimus_gym.worlds.voxel.terrain.biomes import biome_index

_HERE: Final = Selector()


@dataclass(frozen=True)
class Teleport(Lifeless):
    """/tp [targets] <position> [yaw pitch], or /tp [targets] <destination>.

    Attributes:
        target: the bodies that move.
        place: the position, or None.
        goal: the selector of the destination if there is no position.
        turn: words of yaw and pitch, or None.
    """

    target: Selector
    place: Coordinates | None
    goal: Selector = _HERE
    turn: tuple[str, str] | None = None

    def check(self, scene: CommandScene) -> int:
        """Check the position and the kinds of the bodies.

        Raises:
            BadValue: the position is outside this world, or a dropped item or arrow would move.
        """
        movable = (THE_PLAYER, *creature_kinds())
        if not self.target.is_player and (self.target.kind not in movable or self.target.excludes):
            raise BadValue(
                "target: expected the player or a kind of creature such as @e[type=cow] for /tp, got "
                "other entities"
            )
        if self.place is not None:
            self.place.point(scene.here)
        self._direction(scene.here)
        return 0

    def _direction(self, here: Standpoint) -> tuple[float, float] | None:
        if self.turn is None:
            return None
        yaw, pitch = (CommandWords(word) for word in self.turn)
        return take_angle(yaw, "yaw", here.yaw), take_angle(pitch, "pitch", here.pitch)

    def run(self, scene: CommandScene) -> str:
        """Move the bodies."""
        chosen = self.target.choose(scene)
        goals = [] if self.place is not None else self.goal.choose(scene)
        if not chosen or (self.place is None and not goals):
            return NO_ENTITY
        if self.place is None and len(goals) > 1:
            return "Only one entity is allowed, but the provided selector allows more than one"
        point = (
            (goals[0].x, goals[0].y, goals[0].z)
            if self.place is None
            else self.place.point(scene.here)
        )
        for one in chosen:
            _move(scene, one, point, self._direction(scene.here))
        who = chosen[0].title if len(chosen) == 1 else f"{len(chosen)} entities"
        if self.place is None:
            return f"Teleported {who} to {goals[0].title}"
        return f"Teleported {who} to {point[0]:f}, {point[1]:f}, {point[2]:f}"


def _move(
    scene: CommandScene,
    one: Entity,
    point: tuple[float, float, float],
    turn: tuple[float, float] | None,
) -> None:
    if one.kind == THE_PLAYER:
        move_player_to(scene.worlds, scene.row, point, turn)
        return
    creature = scene.worlds.creatures[scene.row, one.number]
    creature["x"], creature["y"], creature["z"] = point
    creature["vy"], creature["fall"], creature["on_ground"] = 0.0, 0.0, 1
    creature["step"] = creature["steps"] = 0


def move_player_to(
    worlds: Worlds,
    row: int,
    point: tuple[float, float, float],
    turn: tuple[float, float] | None = None,
) -> None:
    """Move the player of world `row`; the player stands up, falls no more and stops digging.

    Args:
        worlds: the arrays.
        row: number of the world.
        point: x, y, z of the feet.
        turn: yaw and pitch in degrees, or None to keep the direction.
    """
    player: Any = worlds.players[row]
    player["x"], player["y"], player["z"] = point
    player["vy"], player["fall"], player["on_ground"] = 0.0, 0.0, 1
    player["dig_held"], player["dig_progress"], player["dig_y"] = 0, 0.0, -1
    player["aim_face"] = NO_FACE
    worlds.sleeps["ticks"][row] = 0
    if turn is not None:
        yaw = turn[0] % 360.0
        player["yaw"] = yaw if yaw < 360.0 else 0.0
        player["pitch"] = min(max(turn[1], -90.0), 90.0)


def read_teleport(words: CommandWords) -> Teleport:
    """Read the words after "tp" or "teleport".

    Raises:
        BadValue, UnknownName: the words are no /tp of this world.
    """
    if begins_position(words.peek()):
        return Teleport(Selector(), take_coordinates(words))
    first = take_selector(words)
    if not words.left:
        return Teleport(Selector(), None, first)
    if not begins_position(words.peek()):
        return Teleport(first, None, take_selector(words))
    place = take_coordinates(words)
    if not words.left:
        return Teleport(first, place)
    if words.peek() == "facing":
        raise words.fault("yaw and pitch", "facing (commands here turn by angles alone)")
    turn = (words.take("a yaw in degrees"), words.take("a pitch in degrees"))
    for word, name in zip(turn, ("yaw", "pitch"), strict=True):
        take_angle(CommandWords(word), name, 0.0)
    return Teleport(first, place, turn=turn)


@dataclass(frozen=True)
class TeleportBiome(Lifeless):
    """/teleportbiome [targets] <biome> [position]."""

    target: Selector
    biome: str
    place: Coordinates | None

    def check(self, scene: CommandScene) -> int:
        """Check that the search finds the biome.

        Raises:
            BadValue: the position is outside the world, or the biome is too far away.
        """
        self._column(scene)
        return 0

    def _column(self, scene: CommandScene) -> tuple[int, int]:
        x, _, z = (
            (scene.here.x, 0.0, scene.here.z)
            if self.place is None
            else self.place.point(scene.here)
        )
        seed = np.uint64(scene.player["seed"])
        try:
            return find_biome_near(seed, biome_index(self.biome), floor(x), floor(z))
        except ValueError as error:
            raise BadValue(f"biome {self.biome}: {error}") from error

    def run(self, scene: CommandScene) -> str:
        """Move the player to the ground of the nearest open column of the biome."""
        if not self.target.choose(scene):
            return NO_ENTITY
        x, z = self._column(scene)
        ensure_area(scene.worlds, scene.row, float(x), float(z), 0)
        width = scene.worlds.tops.shape[1]
        y = int(scene.worlds.tops[scene.row, x % width, z % width])
        point = (x + 0.5, float(y), z + 0.5)
        move_player_to(scene.worlds, scene.row, point)
        return f"Teleported {PLAYER_NAME} to {point[0]:f}, {point[1]:f}, {point[2]:f}"


def read_teleportbiome(words: CommandWords) -> TeleportBiome:
    """Read the words after "teleportbiome".

    Raises:
        BadValue, UnknownName: the words are no /teleportbiome of this world.
    """
    target = take_player(words) if is_target(words.peek()) else Selector()
    biome = check_name("biome", plain_name(words.take("a biome")), BIOMES)
    return TeleportBiome(target, biome, take_coordinates(words) if words.left else None)


@dataclass(frozen=True)
class SpawnPoint(Lifeless):
    """/spawnpoint [targets] [position]."""

    target: Selector
    place: Coordinates | None

    def check(self, scene: CommandScene) -> int:
        """Check that the position lies in this world.

        Raises:
            BadValue: the position is outside the world.
        """
        self._cell(scene)
        return 0

    def _cell(self, scene: CommandScene) -> tuple[int, int, int]:
        here = scene.here
        x, y, z = (
            (floor(here.x), floor(here.y), floor(here.z))
            if self.place is None
            else self.place.cell(here)
        )
        if not 0 <= y < HEIGHT:
            raise BadValue(f"position: expected 0 <= y < {HEIGHT} for a spawn point, got {y}")
        return x, y, z

    def run(self, scene: CommandScene) -> str:
        """Set the player's spawn point to the middle of the cell."""
        if not self.target.choose(scene):
            return NO_ENTITY
        x, y, z = self._cell(scene)
        scene.worlds.spawns[scene.row] = (x + 0.5, y, z + 0.5)
        return f"Set spawn point to {x}, {y}, {z} [0.0] in minecraft:overworld for {PLAYER_NAME}"


def read_spawnpoint(words: CommandWords) -> SpawnPoint:
    """Read the words after "spawnpoint".

    Raises:
        BadValue, UnknownName: the words are no /spawnpoint of this world.
    """
    target = take_player(words) if words.left else Selector()
    place = take_coordinates(words) if words.left else None
    if words.left:
        raise words.fault("no angle (spawn points here have none)", words.peek())
    return SpawnPoint(target, place)
