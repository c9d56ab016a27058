"""The start of a mission in a world: the setup, and the commands that complete it.

Difficulty is "hard" for MineRL 1.0 and MineStudio, as their game has it, and "normal" for MineRL 0.4.4, whose
game has the difficulty of a new world.
"""

from dataclasses import dataclass
from typing import Final

from optimus_gym.core.errors import BadValue
from optimus_gym.core.interfaces import World
from optimus_gym.core.types import Setup
from optimus_gym.game.conditions import DAY_TICKS
from optimus_gym.game.items import HELD_SLOTS, item
from optimus_gym.worlds.malmo.dialects import Dialect
from optimus_gym.worlds.malmo.hosting.meant_names import exact_item
from optimus_gym.worlds.malmo.hosting.navigating import hidden_block
from optimus_gym.worlds.malmo.hosting.start_biomes import generator_options, start_biome
from optimus_gym.worlds.malmo.missions import Mission, dialect_of

CLIENT_SIZE: Final = (640, 360)
"""Width and height of the picture of MineRL 1.0 and MineStudio, pixels."""
_SCREEN: Final = {"gui_scale": 1.0, "gamma": 2.0, "fov": 70.0, "cursor_size": 16}
"""Settings of the screen that worlds here draw; source: MineRL 1.0, `HumanControlEnvSpec`."""
_FULL: Final = 20
_WORN: Final = ("armor.feet", "armor.legs", "armor.chest", "armor.head", "weapon.offhand")
"""Words of /replaceitem for the slots 36 to 40."""
_SLOTS: Final = HELD_SLOTS + len(_WORN)
_FARTHEST: Final = 29_999_000.0
_HEIGHTS: Final = (0.0, 300.0)
"""Least and greatest height at which a mission may place the player, blocks."""
_SILENCE: Final = "/gamerule sendCommandFeedback false"
_SPEECH: Final = "/gamerule sendCommandFeedback true"
_NO_TIME: Final = "always_day"
_AT_ONCE: Final = "instant_smelting"
_FUNCTION_HANDLERS: Final = frozenset(
    (
        "PlaceCommands",
        "EquipCommands",
        "SimpleCraftCommands",
        "NearbyCraftCommands",
        "NearbySmeltCommands",
    )
)
"""Elements of a mission that let the player act by functions."""


@dataclass(frozen=True, slots=True)
class MissionStart:
    """How a world begins a mission.

    Attributes:
        dialect: the client's dialect.
        setup: the start of the episode.
        commands: chat commands to be carried out after the reset, in order.
        notes: what of the mission the world does otherwise, a sentence each.
    """

    dialect: Dialect
    setup: Setup
    commands: tuple[str, ...]
    notes: tuple[str, ...]


def mission_start(mission: Mission, seed: int, world: World) -> MissionStart:
    """Return how a world begins a mission with a seed (0 to 2**63 - 1).

    Raises:
        BadValue, UnknownName: the world cannot hold the mission; the message names the element.
    """
    dialect = dialect_of(mission)
    _check_powers(mission, dialect, world)
    _check_land(mission)
    stacks = _start_stacks(mission, dialect)
    inventory = {name: count for _, name, count in _merged(stacks)}
    fits = _stacks_of(inventory) == stacks
    commands = [] if fits else [_filling(*stack) for stack in stacks]
    commands += _turning(mission)
    if commands and "commands" not in world.can:
        raise BadValue(
            "mission: expected slots from 0 on and no direction of view in a world without the power "
            "'commands', got others"
        )
    messages = not dialect.functions and "messages" in world.can
    if commands and messages:
        commands = [_SILENCE, *commands, _SPEECH]
    place = mission.placement
    setup = Setup(
        seed=seed,
        biome=None if place is not None else start_biome(mission),
        position=None if place is None else (place.x, place.y, place.z),
        inventory=inventory if fits else {},
        time=(mission.time or 0) % DAY_TICKS,
        weather=mission.weather or "clear",
        assists=_assists(mission, dialect),
        creatures=mission.creatures,
        difficulty="normal" if dialect.functions else "hard",
        screens=not dialect.functions,
        messages=messages,
    )
    return MissionStart(dialect, setup, tuple(commands), _notes(mission))


def _check_powers(mission: Mission, dialect: Dialect, world: World) -> None:
    """Check that the world has the powers that the mission needs.

    Raises:
        BadValue: it lacks some; the message names them.
    """
    needed: dict[str, bool] = {
        "mouse": not dialect.functions,
        "functions": bool(_FUNCTION_HANDLERS & mission.handlers),
        "commands": mission.navigation is not None,
        "surroundings": bool(
            mission.navigation is not None or mission.touched or mission.ends_touching
        ),
    }
    lacking = [power for power, wanted in needed.items() if wanted and power not in world.can]
    if lacking:
        raise BadValue(
            f"mission {mission.name!r}: expected a world with {', '.join(map(repr, lacking))}, "
            f"got {type(world).__name__} without"
        )


def _check_land(mission: Mission) -> None:
    """Refuse what no world here has.

    Raises:
        BadValue: the mission needs it; the message names the element.
    """
    generator_options(mission)
    if mission.navigation is not None:
        hidden_block(mission.navigation)
    if mission.land == "flat":
        raise BadValue("FlatWorldGenerator: expected the land of a seed, got a flat world")
    if mission.land == "file":
        raise BadValue("FileWorldGenerator: expected the land of a seed, got a saved world")
    if mission.world_file is not None:
        raise BadValue("LoadWorldFile: expected the land of a seed, got a saved world")
    if mission.in_village:
        raise BadValue("SpawnInVillage: expected a start without villages, got a village")
    if mission.depth:
        raise BadValue("VideoProducer: expected want_depth false, got true: no depth is drawn")
    if mission.health is not None and mission.health != _FULL:
        raise BadValue(f"StartingHealth: expected {_FULL} half-hearts, got {mission.health:g}")
    if mission.food is not None and mission.food != _FULL:
        raise BadValue(f"StartingFood: expected {_FULL}, got {mission.food}")
    place = mission.placement
    if place is not None and not (
        max(abs(place.x), abs(place.z)) <= _FARTHEST and _HEIGHTS[0] <= place.y <= _HEIGHTS[1]
    ):
        raise BadValue(
            f"Placement: expected x and z within {_FARTHEST:g} blocks and y of {_HEIGHTS[0]:g} to "
            f"{_HEIGHTS[1]:g}, got {place.x:g}, {place.y:g}, {place.z:g}"
        )


def _start_stacks(mission: Mission, dialect: Dialect) -> list[tuple[int, str, int]]:
    """Return slot, item and pieces of the stacks at the start, by slot.

    Raises:
        BadValue, UnknownName: there is no such slot or item, or the stack is too large.
    """
    made: dict[int, tuple[int, str, int]] = {}
    for stack in mission.inventory:
        name = exact_item(stack.item, stack.metadata, dialect.old_names)
        most = item(name).stack_size
        if not 0 <= stack.slot < _SLOTS:
            raise BadValue(f"InventoryObject.slot: expected 0 to {_SLOTS - 1}, got {stack.slot}")
        if not 1 <= stack.count <= most:
            raise BadValue(
                f"InventoryObject.quantity: expected 1 to {most} {name}, got {stack.count}"
            )
        made[stack.slot] = (stack.slot, name, stack.count)
    return [made[slot] for slot in sorted(made)]


def _merged(stacks: list[tuple[int, str, int]]) -> list[tuple[int, str, int]]:
    """Return the stacks with those of one item made one, in the order of the first of them."""
    made: dict[str, tuple[int, str, int]] = {}
    for slot, name, count in stacks:
        first, _, before = made.get(name, (slot, name, 0))
        made[name] = (first, name, before + count)
    return list(made.values())


def _stacks_of(inventory: dict[str, int]) -> list[tuple[int, str, int]]:
    """Return the stacks that a setup with this inventory gives: from slot 0 on, in the inventory's order."""
    counts = [
        (name, min(item(name).stack_size, count - first))
        for name, count in inventory.items()
        for first in range(0, count, item(name).stack_size)
    ]
    return [(slot, name, count) for slot, (name, count) in enumerate(counts)]


def _filling(slot: int, name: str, count: int) -> str:
    """Return the command that puts a stack into a slot."""
    place = f"container.{slot}" if slot < HELD_SLOTS else _WORN[slot - HELD_SLOTS]
    return f"/replaceitem entity @s {place} {name} {count}"


def _turning(mission: Mission) -> list[str]:
    """Return the command that turns the view as the mission wants it."""
    place = mission.placement
    if place is None or (place.yaw == 0.0 and place.pitch == 0.0):
        return []
    return [f"/tp @s ~ ~ ~ {place.yaw:f} {min(max(place.pitch, -90.0), 90.0):f}"]


def _assists(mission: Mission, dialect: Dialect) -> tuple[str, ...]:
    """Return the assists that stand for the mission's rules.

    A mission in which no time passes needs a clock that stands still. MineRL 0.4.4 smelts in one tick.
    """
    made = [] if mission.time_passes else [_NO_TIME]
    return (*made, _AT_ONCE) if dialect.functions else tuple(made)


def _notes(mission: Mission) -> tuple[str, ...]:
    """Return what of a mission a world does otherwise."""
    made = [
        f"{name}: the picture is drawn with {drawn:g}, not with {getattr(mission, name):g}."
        for name, drawn in _SCREEN.items()
        if getattr(mission, name) not in (None, drawn)
    ]
    others = sorted(set(generator_options(mission)) - {"fixedBiome"})
    if others:
        made.append(
            f"generatorOptions: the land keeps its own rules; {len(others)} options are left out."
        )
    return tuple(made)
