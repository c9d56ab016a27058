"""Work out a night in the open from the game's rules alone, without the embedded world.

The model is the game's own circle: 128 blocks of even land around a player that stands still, with up to 70
monsters on the land or in caves below. Monsters spawn in packs in the dark, at least 24 blocks from the
player. Beyond 32 blocks they despawn: after 600 ticks, one in 800 each tick. Within 32 blocks, or for the
first 100 ticks, they stroll. A monster on the land notices the player within its follow range in one of ten
ticks, walks to the player and attacks. Nothing hides the player or stops a monster, and each attack hurts. In
the embedded world hills and trees hide the player and hinder monsters, so its figures should be lower.

The input is a sample of the packs that spawn in the land, in caves and in the open (`Pack`).
Source: Minecraft Wiki, "Spawn", "Light", "Daylight cycle", "Mob", "Zombie", "Skeleton", "Creeper",
"Spider" (Java Edition 1.16).
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

CAP, FARTHEST, NEAREST, KEPT = 70, 128.0, 24.0, 32.0
LONELY, LEAVES = 600, 1 / 800
NOTICES, STROLLS, STROLL, AWAKE = 1 / 10, 1 / 120, 10.0, 100
KINDS = ("zombie", "skeleton", "creeper", "spider")
WEIGHTS = np.array([95, 100, 100, 100]) / 395
RANGE = np.array([35.0, 16.0, 16.0, 16.0])
SPEED = 2.16 * np.array([0.23, 0.25, 0.25, 0.3]) ** 2
"""Blocks a tick on plain ground, from each kind's speed attribute (`creatures/motion.py`)."""
REACH = np.array([1.4, 15.0, 3.0, 2.1])
"""Distance in blocks at which each kind attacks."""
DELAY = np.array([0, 40, 30, 0])
"""Ticks, for each kind, from coming within reach to the hurt: two draws of a bow for skeletons, the fuse for
creepers."""
TRIES = 4
"""Number of places a tick where a pack can spawn: one in fifty of the game's 201 places."""
PACE = 5
"""Ticks in a step of this model."""
OPEN_SKY = 15
"""Sky light of a cell under the open sky."""
DARKEST = 11
"""Light levels that the sky loses by midnight."""


@dataclass(frozen=True)
class Expected:
    """The result: share of nights with a hurt, each kind's share, and median tick of the first hurt."""

    hurt: float
    kinds: dict[str, float]
    first: float


@dataclass(frozen=True)
class Pack:
    """Monsters that spawn around one place, up to four of up to three kinds.

    Attributes:
        at: x and z from that place, and depth below the player: float64[n, 3], blocks.
        open: whether each monster spawns under the open sky (bool[n]).
        group: the group of each monster; a group has one kind: int64[n].
    """

    at: NDArray[np.float64]
    open: NDArray[np.bool_]
    group: NDArray[np.int64]


def darkness(time: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the light levels that a clear sky loses at a time of day; Minecraft Wiki, "Daylight cycle"."""
    part = (time / 24_000 - 0.25) % 1.0
    angle = (2 * part + 0.5 - np.cos(np.pi * part) / 2) / 3
    light = 0.5 + 2 * np.clip(np.cos(2 * np.pi * angle), -0.25, 0.25)
    return ((1 - light) * 11).astype(np.int64)


def chance(sky: NDArray[np.int64], block: NDArray[np.int64], dark: int) -> NDArray[np.float64]:
    """Return the probability that a cell's light lets a monster spawn; Minecraft Wiki, "Spawn"."""
    by_sky = np.clip(32 - sky, 0, 32) / 32
    return by_sky * np.clip(8 - np.maximum(sky - dark, block), 0, 8) / 8


def open_chance(dark: int) -> float:
    """Return the probability that a monster can spawn under an open sky that has lost `dark` levels."""
    return float(chance(np.array(OPEN_SKY), np.array(0), dark))


class Circle:
    """Monsters around a player that stands in the middle of even land."""

    def __init__(self, packs: list[Pack], begins: int, rng: np.random.Generator) -> None:
        """Begin a night without monsters.

        Args:
            packs: a sample of the packs that spawn at midnight.
            begins: time of day at the night's beginning, in ticks.
            rng: the generator for this night.
        """
        self.rng, self.time = rng, begins
        self.packs = packs
        self.at = np.zeros((0, 3))
        self.goal = np.zeros((0, 2))
        self.kind, self.idle, self.age, self.due = (np.zeros(0, np.int64) for _ in range(4))
        self.hunts, self.open = np.zeros(0, bool), np.zeros(0, bool)

    def play(self, ticks: int) -> tuple[int, str] | None:
        """Return the tick and the cause of the player's first hurt, None if there is none."""
        for begun in range(0, ticks, PACE):
            self._leave()
            self._come()
            self._stroll()
            self._notice()
            hurt = self._attack()
            if hurt is not None:
                return begun + PACE, hurt
            self.time += PACE
        return None

    def _keep(self, kept: NDArray[np.bool_]) -> None:
        for name in ("at", "goal", "kind", "idle", "age", "due", "hunts", "open"):
            setattr(self, name, getattr(self, name)[kept])

    def _leave(self) -> None:
        """Despawn monsters that have been far from the player for long."""
        far = np.linalg.norm(self.at, axis=1)
        self.idle = np.where(far < KEPT, 0, self.idle + PACE)
        self.age += PACE
        gone = (self.idle > LONELY) & (self.rng.random(len(far)) < PACE * LEAVES)
        self._keep(~gone & (far <= FARTHEST))

    def _come(self) -> None:
        """Spawn packs, up to the cap."""
        passes = open_chance(int(darkness(np.array(self.time)))) / open_chance(DARKEST)
        for _ in range(TRIES * PACE):
            if len(self.at) >= CAP:
                return
            pack = self.packs[self.rng.integers(len(self.packs))]
            turn, far = 2 * np.pi * self.rng.random(), FARTHEST * np.sqrt(self.rng.random())
            at = pack.at + np.array([far * np.cos(turn), far * np.sin(turn), 0.0])
            away = np.linalg.norm(at, axis=1)
            comes = (away > NEAREST) & (away <= FARTHEST)
            comes &= ~pack.open | (self.rng.random(len(at)) < passes)
            self._add(at[comes], pack.open[comes], pack.group[comes])

    def _add(
        self, at: NDArray[np.float64], in_open: NDArray[np.bool_], group: NDArray[np.int64]
    ) -> None:
        count, kinds = len(at), self.rng.choice(len(KINDS), 3, p=WEIGHTS)
        self.at, self.goal = np.vstack([self.at, at]), np.vstack([self.goal, at[:, :2]])
        self.kind, self.open = np.append(self.kind, kinds[group]), np.append(self.open, in_open)
        self.hunts = np.append(self.hunts, np.zeros(count, bool))
        for name in ("idle", "age", "due"):
            setattr(self, name, np.append(getattr(self, name), np.zeros(count, np.int64)))

    def _stroll(self) -> None:
        """Let monsters that are near or new stroll."""
        far = np.linalg.norm(self.at, axis=1)
        way = self.goal - self.at[:, :2]
        left = np.linalg.norm(way, axis=1)
        speed = PACE * SPEED[self.kind]
        step = np.minimum(left, speed) / np.maximum(left, 1e-9)
        self.at[:, :2] += np.where(self.hunts, 0.0, step)[:, None] * way
        begins = (left < speed) & ((far < KEPT) | (self.age < AWAKE)) & ~self.hunts
        begins &= self.rng.random(len(far)) < PACE * STROLLS
        self.goal[begins] = self.at[begins, :2] + self.rng.uniform(
            -STROLL, STROLL, (begins.sum(), 2)
        )

    def _notice(self) -> None:
        """Let monsters on the land and within range notice the player."""
        near = (np.linalg.norm(self.at, axis=1) <= RANGE[self.kind]) & self.open
        self.hunts |= near & (self.rng.random(len(near)) < 1 - (1 - NOTICES) ** PACE)

    def _attack(self) -> str | None:
        """Let hunting monsters approach and attack; return the kind that hurts the player, if any."""
        far = np.linalg.norm(self.at, axis=1)
        there = self.hunts & (far <= REACH[self.kind])
        self.due = np.where(there, self.due + PACE, 0)
        hits = there & (self.due > DELAY[self.kind])
        if hits.any():
            return KINDS[self.kind[np.argmax(hits)]]
        comes = self.hunts & ~there
        pace = np.minimum(PACE * SPEED[self.kind], far) / np.maximum(far, 1e-9)
        self.at[comes, :2] *= 1 - pace[comes, None]
        return None


def expect(lands: list[list[Pack]], begins: int, ticks: int, nights: int) -> Expected:
    """Return the result of `nights` nights for each land, given a sample of its packs."""
    ends = [
        Circle(packs, begins, np.random.default_rng((number, night))).play(ticks)
        for number, packs in enumerate(lands)
        for night in range(nights)
    ]
    hurts = [end for end in ends if end is not None]
    kinds = {name: sum(by == name for _, by in hurts) / len(ends) for name in KINDS}
    first = float(np.median([tick for tick, _ in hurts])) if hurts else float("nan")
    return Expected(len(hurts) / len(ends), kinds, first)
