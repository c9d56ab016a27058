"""All commands by name, /execute, and the way from a text to its effect.

Reference: Minecraft Wiki, "Commands", "Commands/execute" (Java Edition 1.16).
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Final

from optimus_gym.core.checks import check_name
from optimus_gym.core.errors import BadValue
from optimus_gym.worlds.voxel.bodies.aim import take_aim
from optimus_gym.worlds.voxel.commands.block_commands import (
    check_edits,
    read_fill,
    read_setblock,
)
from optimus_gym.worlds.voxel.commands.command_scene import (
    ChatCommand,
    CommandScene,
    load_surroundings,
    player_standpoint,
)
from optimus_gym.worlds.voxel.commands.command_words import CommandWords, plain_name
from optimus_gym.worlds.voxel.commands.coordinates import (
    Coordinates,
    Standpoint,
    take_angle,
    take_coordinates,
)
from optimus_gym.worlds.voxel.commands.creature_commands import read_kill, read_summon
from optimus_gym.worlds.voxel.commands.effect_commands import read_effect, read_experience
from optimus_gym.worlds.voxel.commands.item_commands import (
    read_clear,
    read_give,
    read_replaceitem,
)
from optimus_gym.worlds.voxel.commands.rule_commands import read_difficulty, read_gamerule
from optimus_gym.worlds.voxel.commands.selectors import (
    NO_ENTITY,
    THE_PLAYER,
    Selector,
    take_player,
    take_selector,
)
from optimus_gym.worlds.voxel.commands.sky_commands import read_time, read_weather
from optimus_gym.worlds.voxel.commands.travel_commands import (
    read_spawnpoint,
    read_teleport,
    read_teleportbiome,
)
from optimus_gym.worlds.voxel.creatures.living_land import with_land
from optimus_gym.worlds.voxel.land.edits import with_room
from optimus_gym.worlds.voxel.state.worlds import Worlds

_STEPS: Final = ("as", "at", "positioned", "rotated", "anchored", "in", "run")
_OVERWORLD: Final = "overworld"
MOST_RUNS: Final = 1024
"""Maximum number of runs of the command in one /execute; two parts with @e multiply their entities."""
_PLAYER: Final = Selector()


@dataclass(frozen=True)
class ExecuteStep:
    """A part of /execute before "run"; `kind` says which of the other fields counts.

    Attributes:
        kind: "as", "at", "positioned", "positioned as", "rotated", "rotated as" or "anchored".
        target: the selector of "as", "at", "positioned as" and "rotated as".
        place: the position of "positioned".
        turn: the words of yaw and pitch of "rotated".
        eyes: whether "anchored" names the eyes.
    """

    kind: str
    target: Selector = _PLAYER
    place: Coordinates | None = None
    turn: tuple[str, str] = ("~", "~")
    eyes: bool = False

    def lead(self, scene: CommandScene) -> list[Standpoint]:
        """Return the places and directions in which the next part goes on.

        Raises:
            BadValue: the position is outside this world.
        """
        here = scene.here
        if self.kind == "positioned":
            assert self.place is not None, "the reader sets it"
            x, y, z = self.place.point(here)
            return [replace(here, x=x, y=y, z=z, eyes=False)]
        if self.kind == "rotated":
            yaw, pitch = (CommandWords(word) for word in self.turn)
            turned = take_angle(yaw, "yaw", here.yaw), take_angle(pitch, "pitch", here.pitch)
            return [replace(here, yaw=turned[0], pitch=turned[1])]
        if self.kind == "anchored":
            return [replace(here, eyes=self.eyes)]
        chosen = self.target.choose(scene)
        if self.kind == "as":
            return [here] * bool(chosen)
        places = []
        for one in chosen:
            body = player_standpoint(scene.worlds, scene.row)
            yaw_pitch = (body.yaw, body.pitch) if one.kind == THE_PLAYER else (0.0, 0.0)
            if self.kind == "rotated as":
                places.append(replace(here, yaw=yaw_pitch[0], pitch=yaw_pitch[1]))
            elif self.kind == "positioned as":
                places.append(replace(here, x=one.x, y=one.y, z=one.z))
            else:
                places.append(Standpoint(one.x, one.y, one.z, *yaw_pitch, here.eyes))
        return places


@dataclass(frozen=True)
class Execute:
    """/execute <parts> run <command>."""

    steps: tuple[ExecuteStep, ...]
    command: ChatCommand

    @property
    def brings_life(self) -> bool:
        """Return whether the command after "run" needs land for creatures."""
        return self.command.brings_life

    def _scenes(self, scene: CommandScene) -> list[CommandScene]:
        """Return the scene of each run of the command.

        Raises:
            BadValue: a position is outside this world, or there are too many runs.
        """
        scenes = [scene]
        for step in self.steps:
            scenes = [replace(one, here=here) for one in scenes for here in step.lead(one)]
            if len(scenes) > MOST_RUNS:
                raise BadValue(f"execute: expected at most {MOST_RUNS} runs, got {len(scenes)}")
        return scenes

    def check(self, scene: CommandScene) -> int:
        """Check each run of the command.

        Raises:
            BadValue, UnknownName: a run cannot be carried out.
        """
        return sum(self.command.check(one) for one in self._scenes(scene))

    def run(self, scene: CommandScene) -> str:
        """Carry the command out at each place, and return the last line."""
        line = NO_ENTITY
        for one in self._scenes(scene):
            line = self.command.run(one)
        return line


def read_execute(words: CommandWords) -> Execute:
    """Read the words after "execute".

    Raises:
        BadValue, UnknownName: the words are no /execute of this world.
    """
    steps: list[ExecuteStep] = []
    while True:
        kind = words.take_choice("part of /execute here", _STEPS)
        if kind == "run":
            inner = read_command(words)
            if isinstance(inner, Execute):
                return Execute((*steps, *inner.steps), inner.command)
            return Execute(tuple(steps), inner)
        step = _take_step(words, kind)
        if step is not None:
            steps.append(step)


def _take_step(words: CommandWords, kind: str) -> ExecuteStep | None:
    """Read a part of /execute; None for "in overworld", which changes nothing."""
    if kind == "as":
        return ExecuteStep(kind, take_player(words))
    if kind == "at":
        return ExecuteStep(kind, _take_places(words))
    if kind == "anchored":
        return ExecuteStep(kind, eyes=words.take_choice("anchor", ("eyes", "feet")) == "eyes")
    if kind == "in":
        check_name("dimension of this world", plain_name(words.take("a dimension")), (_OVERWORLD,))
        return None
    if words.peek() == "as":
        words.take("as")
        return ExecuteStep(f"{kind} as", _take_places(words))
    if kind == "positioned":
        return ExecuteStep(kind, place=take_coordinates(words))
    turn = (words.take("a yaw in degrees"), words.take("a pitch in degrees"))
    for word, name in zip(turn, ("yaw", "pitch"), strict=True):
        take_angle(CommandWords(word), name, 0.0)
    return ExecuteStep(kind, turn=turn)


def _take_places(words: CommandWords) -> Selector:
    """Read a selector that chooses the same entities each time.

    Raises:
        BadValue, UnknownName: the word is no such selector.
    """
    target = take_selector(words)
    if target.sort == "random" and not target.is_player:
        raise words.fault("a selector without sort=random in /execute", "sort=random")
    return target


CHAT_COMMANDS: Final[Mapping[str, Callable[[CommandWords], ChatCommand]]] = MappingProxyType(
    {
        "give": read_give,
        "replaceitem": read_replaceitem,
        "clear": read_clear,
        "summon": read_summon,
        "execute": read_execute,
        "kill": read_kill,
        "tp": read_teleport,
        "teleport": read_teleport,
        "teleportbiome": read_teleportbiome,
        "spawnpoint": read_spawnpoint,
        "effect": read_effect,
        "time": read_time,
        "weather": read_weather,
        "setblock": read_setblock,
        "fill": read_fill,
        "difficulty": read_difficulty,
        "xp": read_experience,
        "experience": read_experience,
        "gamerule": read_gamerule,
    }
)
"""The function that reads the words after a command's name, by name."""


def read_command(words: CommandWords) -> ChatCommand:
    """Read a command's name and the words after the name, to the end of the text.

    Raises:
        BadValue, UnknownName: the words are no command of this world.
    """
    name = check_name("command", words.take("a command").removeprefix("minecraft:"), CHAT_COMMANDS)
    command = CHAT_COMMANDS[name](words)
    words.end()
    return command


def carry_out_command(worlds: Worlds, row: int, text: object) -> tuple[Worlds, str]:
    """Carry out a command in world `row`, between two ticks; a refused command changes nothing.

    Args:
        worlds: the arrays of all worlds.
        row: number of the world.
        text: the command, with or without the slash.

    Returns:
        The arrays, perhaps larger copies, and the line that the game shows ("" while the game rule
        sendCommandFeedback is false).

    Raises:
        BadValue, UnknownName: the command is wrong, or this world cannot carry the command out.
    """
    words = CommandWords(text)
    command = read_command(words)
    scene = CommandScene(worlds, row, player_standpoint(worlds, row))
    changes = command.check(scene)
    check_edits(scene, changes)
    used = int(worlds.players["edits"][row])
    worlds = with_room(worlds, max(used + changes, int(worlds.players["edits"].max())))
    if command.brings_life:
        worlds = with_land(worlds)
    scene = replace(scene, worlds=worlds)
    line = command.run(scene)
    worlds.rules["commanded"][row] = 1
    load_surroundings(scene)
    take_aim(worlds, row)
    return worlds, "" if worlds.rules["silent"][row] else line
