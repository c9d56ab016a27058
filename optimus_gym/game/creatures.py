"""The overworld creatures in the package's worlds: bodies, tempers, places and times of spawning."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType
from typing import Literal

from optimus_gym.core.errors import UnknownName
from optimus_gym.game.loot import Drop
from optimus_gym.game.rows import Row, refuse, rows
from optimus_gym.game.ways import creatures as loots

DIFFICULTIES = ("peaceful", "easy", "normal", "hard")
"""Names of the difficulties in the order of the game's numbers, 0 to 3; Minecraft Wiki, "Difficulty"."""
WOOL = "_wool"
"""Ending of the names of wool items; the rest of such a name is the sheep's colour."""


@dataclass(frozen=True, slots=True)
class CreatureKind:
    """One kind of creature.

    Attributes:
        name: the game's name.
        kind: "animal" or "monster".
        health: half-hearts.
        width: width of its bounding box, blocks.
        height: height of its bounding box, blocks.
        eye: height of its eyes above its feet, blocks.
        speed: the game's attribute `generic.movement_speed`.
        strolls: factor of `speed` while it wanders.
        runs: factor of `speed` while it flees or chases.
        sight: blocks within which it notices a player; 0 = it never attacks.
        damage: damage of its attack on normal difficulty, half-hearts; for archers an arrow's base damage.
        armour: armour points.
        experience: least and most points that a player gets for killing it.
        weight: relative frequency of spawning among animals, or among monsters.
        pack: least and most creatures that spawn together.
        burns: whether daylight sets it on fire.
        biomes: biomes in which it spawns; empty = anywhere.
        loot: drops of a dead creature; drops with chances below 1 need a player's kill.
    """

    name: str
    kind: Literal["animal", "monster"]
    health: float
    width: float
    height: float
    eye: float
    speed: float
    strolls: float
    runs: float
    sight: float
    damage: float
    armour: int
    experience: tuple[int, int]
    weight: int
    pack: tuple[int, int]
    burns: bool
    biomes: tuple[str, ...]
    loot: tuple[Drop, ...]


@cache
def creature_kinds() -> Mapping[str, CreatureKind]:
    """Return every kind of creature by name, animals first; worlds number the kinds in this order.

    Source: `data/creatures.json`; loot and biomes: `data/ways/creatures.json`.

    Raises:
        BadValue: creatures have no known loot, or rows have impossible values; the message lists all faults.
    """
    known = {entry.name: entry for entry in loots()}
    found = rows("creatures")
    where = "creatures.json"
    refuse([fault for row in found for fault in _faults(row, known)], where)
    return MappingProxyType(
        {
            row["creature"]: CreatureKind(
                name=row["creature"],
                experience=_pair(row["experience"]),
                pack=_pair(row["pack"]),
                biomes=known[row["creature"]].place.biomes,
                loot=known[row["creature"]].loot,
                **{key: row[key] for key in _PLAIN},
            )
            for row in found
        }
    )


def creature_kind(name: str) -> CreatureKind:
    """Return one kind.

    Raises:
        UnknownName: no such creature; the error suggests similar names.

    >>> creature_kind("zombie").damage
    3
    """
    found = creature_kinds().get(name)
    if found is None:
        raise UnknownName("creature", name, creature_kinds())
    return found


def difficulty_number(name: str) -> int:
    """Return a difficulty's number, 0 (peaceful) to 3 (hard).

    Raises:
        UnknownName: no such difficulty.
    """
    if name not in DIFFICULTIES:
        raise UnknownName("difficulty", name, DIFFICULTIES)
    return DIFFICULTIES.index(name)


@cache
def sheep_colours() -> Mapping[str, float]:
    """Return the share of each colour among sheep, [0, 1], by the colour's name.

    Source: the wool that a sheep leaves, which has the sheep's colour (`data/ways/creatures.json`).
    """
    drops = creature_kind("sheep").loot
    return MappingProxyType(
        {d.item.removesuffix(WOOL): d.chance for d in drops if d.item.endswith(WOOL)}
    )


_PLAIN = (
    "kind", "health", "width", "height", "eye", "speed", "strolls", "runs", "sight", "damage",
    "armour", "weight", "burns",
)  # fmt: skip


def _pair(values: list[int]) -> tuple[int, int]:
    low, high = values
    return low, high


def _faults(row: Row, known: Mapping[str, object]) -> list[str]:
    """Return the faults of a row of `data/creatures.json`, in words."""
    name = row["creature"]
    faults = []
    if name not in known:
        faults.append(str(UnknownName("creature of ways/creatures.json", name, known)))
    for key in ("experience", "pack"):
        if len(row[key]) != 2 or not 0 <= row[key][0] <= row[key][1]:
            faults.append(f"{name}: expected {key} as [least, most], got {row[key]}")
    if row["kind"] not in ("animal", "monster"):
        faults.append(f"{name}: expected the kind 'animal' or 'monster', got {row['kind']!r}")
    for key in ("health", "width", "height", "speed", "strolls", "runs", "weight"):
        if row[key] <= 0:
            faults.append(f"{name}: expected {key} above 0, got {row[key]}")
    return faults
