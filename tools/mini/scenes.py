"""Frames of places without an episode before them, equally often in every environment.

A place is a seed's spawn in a biome, or a spot near it on land, in a cave or under water. Each place gives
several frames that differ in view direction, time, weather, held items, health and food.
"""

from collections.abc import Iterator
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from optimus_gym.core.actions import noop
from optimus_gym.core.errors import BadValue
from optimus_gym.core.types import Setup
from optimus_gym.game.biomes import BIOMES
from optimus_gym.game.blocks import block
from optimus_gym.game.items import item_names
from optimus_gym.vision.environments import ENVIRONMENTS
from optimus_gym.worlds.voxel.land.window import ensure_area
from optimus_gym.worlds.voxel.start import room_near
from optimus_gym.worlds.voxel.state.worlds import BLOCK_MASK, SEA_LEVEL
from optimus_gym.worlds.voxel.terrain.biomes import WET
from optimus_gym.worlds.voxel.world import VoxelWorld
from tools.mini.truth import CAVE, NIGHT, NIGHT_TICKS, UNDER_WATER, environment_of

FRAME: Final = 128
"""Height and width of a frame in pixels."""
RAYS: Final = (64, 36)
LEAST_SEEN: Final = 6
"""Least number of rays of the grid `RAYS` that must hit a thing for it to count as in sight."""
AROUND: Final = 40
"""Largest distance in blocks from the spawn to a place, along each horizontal axis."""
SETTLED: Final = 3
"""Ticks between the reset and the first frame, so that creatures have spawned."""
WEATHERS: Final = ("clear", "clear", "clear", "rain", "thunder")
MOST_HELD: Final = 9
TRIES: Final = 40
AFLOAT: Final = SEA_LEVEL - 0.9
"""Height of a swimmer's feet when the head is above the sea."""
_WATER, _AIR = block("water").id, 0


class Scene(NamedTuple):
    """A frame and what it shows.

    Attributes:
        frame: uint8[128, 128, 3].
        environment: the environment's index in `ENVIRONMENTS`.
        share: share of the land's pixels that show the environment.
        sights: names of the things in sight.
        held: names of the items in the hotbar.
    """

    frame: NDArray[np.uint8]
    environment: int
    share: float
    sights: tuple[str, ...]
    held: tuple[str, ...]


def scenes(
    seeds: NDArray[np.int64], random: np.random.Generator, frames_a_place: int
) -> Iterator[Scene]:
    """Yield the scenes of some seeds, one place for each seed.

    Args:
        seeds: seeds of the worlds.
        random: draws everything else.
        frames_a_place: the number of frames from each place.
    """
    world = VoxelWorld(1, threads=1)
    for k, seed in enumerate(seeds.tolist()):
        wanted = k % len(ENVIRONMENTS)
        if not _go(world, seed, wanted, random):
            continue
        for _ in range(frames_a_place):
            yield from _look(world, wanted, random)
    world.close()


def _go(world: VoxelWorld, seed: int, wanted: int, random: np.random.Generator) -> bool:
    """Move the player to a place of a wanted environment; return whether there was one."""
    if wanted < len(BIOMES):
        biome: str | None = BIOMES[wanted]
    elif wanted == UNDER_WATER:
        biome = str(random.choice([name for name, wet in zip(BIOMES, WET, strict=True) if wet]))
    else:
        biome = str(random.choice(BIOMES))
    held = random.choice(item_names()[1:], int(random.integers(0, MOST_HELD + 1)), replace=False)
    weather = str(random.choice(WEATHERS))
    try:
        setup = Setup(
            seed,
            biome,
            inventory={str(name): 1 for name in held},
            weather=weather,
            creatures=True,
            difficulty="normal",
        )
        world.reset(0, setup)
    except BadValue:  # the biome does not occur near enough
        return False
    for _ in range(SETTLED):
        world.tick([0], noop()[None])
    if wanted == CAVE:
        return _enter(world, random, _is_cave)
    if wanted == UNDER_WATER:
        return _enter(world, random, _is_deep)
    player = world.worlds.players[0:1]
    x, z = (int(player[axis][0]) + int(random.integers(-AROUND, AROUND + 1)) for axis in "xz")
    ensure_area(world.worlds, 0, float(x), float(z), 0)
    x, y, z = room_near(world.worlds, 0, x, z)
    _stand(world, x, max(float(y), AFLOAT), z)
    return True


def _stand(world: VoxelWorld, x: int, y: float, z: int) -> None:
    player = world.worlds.players[0:1]
    player["x"], player["y"], player["z"] = x + 0.5, y, z + 0.5


def _enter(world: VoxelWorld, random: np.random.Generator, fits: object) -> bool:
    """Move the player into a nearby cell that fits; return whether there was one."""
    assert callable(fits), "tells of a column's blocks and a height"
    player, worlds = world.worlds.players[0], world.worlds
    ensure_area(worlds, 0, player["x"], player["z"], AROUND // 2)
    width = worlds.voxels.shape[1]
    for _ in range(TRIES):
        x, z = (
            int(player[axis]) + int(random.integers(-AROUND // 2, AROUND // 2)) for axis in "xz"
        )
        column = worlds.voxels[0, x % width, z % width] & BLOCK_MASK
        ground = int(worlds.tops[0, x % width, z % width])
        heights = [y for y in range(2, ground) if fits(column, y, ground)]
        if heights:
            _stand(world, x, int(random.choice(heights)), z)
            return True
    return False


def _is_cave(column: NDArray[np.uint16], y: int, ground: int) -> bool:
    """Return whether a player can stand at a height that is well below the ground."""
    return bool(
        y < min(ground, SEA_LEVEL) - 8
        and column[y] == _AIR
        and column[y + 1] == _AIR
        and column[y - 1] not in (_AIR, _WATER)
    )


def _is_deep(column: NDArray[np.uint16], y: int, ground: int) -> bool:
    """Return whether a swimmer's head is under water at a height."""
    return y + 2 < len(column) and bool((column[y : y + 3] == _WATER).all())


def _look(world: VoxelWorld, wanted: int, random: np.random.Generator) -> Iterator[Scene]:
    """Look in a random direction at a random time, and yield the scene if it shows an environment."""
    worlds = world.worlds
    player = worlds.players[0:1]
    player["yaw"] = random.uniform(-180, 180)
    player["pitch"] = np.clip(random.normal(8, 18), -60, 75)
    player["health"] = player["food"] = int(random.integers(6, 21))
    if wanted == NIGHT:
        time = int(random.integers(NIGHT_TICKS[0], NIGHT_TICKS[1] + 1))
    elif wanted in (CAVE, UNDER_WATER):
        time = int(random.integers(0, 24_000))
    else:
        time = int(random.integers(NIGHT_TICKS[1] + 1 - 24_000, NIGHT_TICKS[0])) % 24_000
    worlds.skies["time"][0] = time
    image = np.empty((1, FRAME, FRAME, 3), np.uint8)
    world.frames([0], image)
    shown = environment_of(world, 0)
    if shown is None:
        return
    sights = tuple(s.name for s in world.sights(0, RAYS) if s.pixels >= LEAST_SEEN)
    held = tuple(item_names()[k] for k in worlds.slots[0, :9]["item"].tolist() if k)
    yield Scene(image[0], shown.environment, shown.share, sights, held)
