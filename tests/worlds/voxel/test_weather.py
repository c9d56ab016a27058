"""Rain and thunder last as long as in the game; lightning, snow and ice come where they should."""

import numpy as np
import pytest
from numpy.typing import NDArray

from optimus_gym.game.biomes import BIOMES
from optimus_gym.game.blocks import block
from optimus_gym.worlds.voxel.blocks.snowfall import tick_snowfall
from optimus_gym.worlds.voxel.compiling.kernels import kernel
from optimus_gym.worlds.voxel.land.light import BLOCK_SHIFT
from optimus_gym.worlds.voxel.land.precipitation import DRY_SKY, RAIN, SNOWFALL, falls_as, open_from
from optimus_gym.worlds.voxel.player.vitals import LIGHTNING
from optimus_gym.worlds.voxel.start import set_sky
from optimus_gym.worlds.voxel.state.worlds import HURT_NAMES, Worlds
from optimus_gym.worlds.voxel.terrain.biomes import TEMPERATURE
from optimus_gym.worlds.voxel.weather import tick_weather
from tests.worlds.flat import Flat

COLD = BIOMES.index("mountains")
TOP = 110
"""Height of a snowy mountain's top."""


@kernel
def run(worlds: Worlds, ticks: int, storm: bool, changes: NDArray[np.int64]) -> int:
    """Let weather pass; note [kind, ticks since the last change] of each change; return their number.

    Kinds: 0 rain, 1 thunder, 2 a bolt that misses, 3 a bolt that hits.
    """
    sky, player = worlds.skies[0], worlds.players[0]
    since = np.zeros(2, np.int64)
    count = 0
    for _ in range(ticks):
        raining, thundering, flash = sky.raining, sky.thundering, sky.flash
        if storm:
            sky.rain_wait = sky.thunder_wait = 1000
            player.health, player.hurt_wait = 20.0, 0
        tick_weather(worlds, 0)
        since += 1
        happened = (
            sky.raining != raining,
            sky.thundering != thundering,
            sky.flash > max(flash - 1, 0) and player.health == 20.0,
            player.health < 20.0,
        )
        for kind in range(4):
            if happened[kind] and count < len(changes):
                changes[count, 0] = kind
                changes[count, 1] = since[kind] if kind < 2 else 0
                count += 1
                if kind < 2:
                    since[kind] = 0
    return count


def changes_of(flat: Flat, ticks: int, storm: bool) -> NDArray[np.int64]:
    changes = np.zeros((40_000, 2), np.int64)
    return changes[: run(flat.worlds, ticks, storm, changes)]


@pytest.fixture(scope="module")
def spells_and_pauses() -> NDArray[np.int64]:
    return changes_of(Flat(seed=3), 15_000_000, storm=False)


@pytest.mark.parametrize(("kind", "least", "most"), [(0, 12_000, 24_000), (1, 3_600, 15_600)])
def test_weather_spells_and_pauses_last_as_in_the_game(
    spells_and_pauses: NDArray[np.int64], kind: int, least: int, most: int
) -> None:
    changes = spells_and_pauses
    lengths = changes[changes[:, 0] == kind][:, 1]
    pauses, spells = lengths[::2], lengths[1::2]
    assert len(spells) > 110
    assert least <= spells.min() <= spells.max() <= most
    assert 12_000 <= pauses.min() <= pauses.max() <= 180_000
    assert spells.mean() == pytest.approx((least + most) / 2, rel=0.05)
    assert pauses.mean() == pytest.approx(96_000, rel=0.1)


def test_the_strength_of_rain_takes_five_seconds_to_change() -> None:
    flat = Flat()
    set_sky(flat.worlds, 0, 0, "clear")
    sky = flat.worlds.skies[0]
    sky["raining"], sky["rain_wait"] = 1, 1000
    run(flat.worlds, 50, False, np.zeros((1, 2), np.int64))
    assert sky["rain"] == pytest.approx(0.5, abs=0.011)
    run(flat.worlds, 51, False, np.zeros((1, 2), np.int64))
    assert sky["rain"] == 1.0


def storm_on(flat: Flat) -> NDArray[np.int64]:
    set_sky(flat.worlds, 0, 0, "thunder")
    return changes_of(flat, 5_000_000, storm=True)[:, 0]


def test_lightning_strikes_once_in_100_000_ticks_a_chunk_and_hits_near_players() -> None:
    struck = storm_on(Flat())
    bolts = len(struck)
    assert bolts == pytest.approx(5_000_000 * np.pi * 128**2 / 256 / 100_000, rel=0.05)
    hits = (struck == 3).sum()
    assert hits == pytest.approx(bolts * 49 / (np.pi * 128**2), rel=0.6)
    assert HURT_NAMES[LIGHTNING] == "lightning"


def test_a_high_roof_protects_the_player_from_lightning() -> None:
    flat = Flat()
    flat.worlds.voxels[0, :, :, 90] = block("stone").id
    flat.worlds.tops[:] = 91
    assert not (storm_on(flat) == 3).any()


def test_no_lightning_strikes_without_rain() -> None:
    flat = Flat()
    set_sky(flat.worlds, 0, 0, "clear")
    flat.worlds.skies[0]["thundering"] = flat.worlds.skies[0]["thunder"] = 1
    assert not len(changes_of(flat, 2_000_000, storm=True))


def mountain() -> Flat:
    flat = Flat()
    flat.worlds.voxels[0, :, :, 1:TOP] = block("stone").id
    flat.worlds.tops[:] = TOP
    flat.worlds.biomes[:] = COLD
    flat.set(y=TOP)
    set_sky(flat.worlds, 0, 6000, "rain")
    return flat


def snow(flat: Flat, ticks: int) -> None:
    for _ in range(ticks):
        tick_snowfall(flat.worlds, 0)


def test_rain_is_snow_where_it_is_cold() -> None:
    flat = mountain()
    freezing = 64 + (TEMPERATURE[COLD] - 0.15) * 600
    assert falls_as(flat.worlds, 0, 3, int(freezing) - 1, 3) == RAIN
    assert falls_as(flat.worlds, 0, 3, int(freezing) + 2, 3) == SNOWFALL
    assert falls_as(flat.worlds, 0, 10_000, TOP, 3) == DRY_SKY


def test_snow_settles_on_one_column_of_each_chunk_every_16_ticks() -> None:
    flat = mountain()
    snow(flat, 2000)
    covered = flat.worlds.voxels[0, :, :, TOP] == block("snow").id
    expected = 1 - np.exp(-2000 / 16 / 256)
    assert covered.sum() / (48 * 48) == pytest.approx(expected, abs=0.03)
    xs = (np.argwhere(covered) + 80) % 160 - 80
    assert xs.min() >= -16
    assert xs.max() < 32
    assert flat.worlds.players[0]["edits"] == covered.sum()


def test_snow_settles_neither_in_clear_weather_nor_where_it_is_warm() -> None:
    flat = mountain()
    set_sky(flat.worlds, 0, 6000, "clear")
    snow(flat, 300)
    set_sky(flat.worlds, 0, 6000, "rain")
    flat.worlds.biomes[:] = BIOMES.index("plains")
    snow(flat, 300)
    assert flat.worlds.players[0]["edits"] == 0


def test_water_freezes_from_its_edges_but_not_around_a_swimmer() -> None:
    flat = mountain()
    set_sky(flat.worlds, 0, 6000, "clear")
    for x in range(0, 16, 2):
        for z in range(0, 16, 2):
            flat.put(x, TOP - 1, z, "water")
    for x in range(-12, -8):
        for z in range(-12, -8):
            flat.put(x, TOP - 1, z, "water")
    flat.set(x=2.5, z=2.5, y=TOP - 1)
    before = flat.worlds.players[0]["edits"]
    snow(flat, 12_000)
    frozen = [flat.at(x, TOP - 1, z) for x in range(0, 16, 2) for z in range(0, 16, 2)]
    assert frozen.count("ice") > 55
    assert flat.at(2, TOP - 1, 2) == "water"
    pond = [flat.at(x, TOP - 1, z) for x in range(-12, -8) for z in range(-12, -8)]
    assert pond.count("ice") > 11
    assert flat.worlds.players[0]["edits"] == before


def test_torchlight_keeps_snow_and_ice_away() -> None:
    flat = mountain()
    for x in range(16):
        flat.put(x, TOP - 1, 8, "water")
    shone = flat.worlds.field[0, :16, :16]
    shone[..., TOP - 1 : TOP + 1] |= np.uint32(10 << BLOCK_SHIFT)
    before = flat.worlds.players[0]["edits"]
    snow(flat, 2000)
    assert (flat.worlds.voxels[0, :16, :16, TOP] == 0).all()
    assert (flat.worlds.voxels[0, :16, 8, TOP - 1] == block("water").id).all()
    assert flat.worlds.players[0]["edits"] > before + 500
    shone[..., TOP - 1 : TOP + 1] = np.uint32(9 << BLOCK_SHIFT)
    snow(flat, 2000)
    assert (flat.worlds.voxels[0, :16, :16, TOP] != 0).sum() > 50
    assert (flat.worlds.voxels[0, :16, 8, TOP - 1] == block("ice").id).any()


def test_the_open_height_lies_above_the_highest_block() -> None:
    flat = Flat()
    flat.put(3, 80, 3, "glass")
    assert open_from(flat.worlds, 0, 3, 3) == 81
    flat.put(3, 80, 3, "air")
    assert open_from(flat.worlds, 0, 3, 3) == 64
