"""Veins of ore, stone variants, dirt and gravel, by the vein rules of 1.16.5.

Minecraft Wiki, "Ore (feature)" (1.16): a vein of size s is a chain of s balls on a line of random
direction whose ends lie s/8 columns from its middle; balls bulge in the middle of the line. A vein
reaches over chunk borders, so each chunk replays the veins of its neighbours.

The balls of a rule overlap a good deal. They are first collected as bits, two words of 64 heights a
column, and each block is then written once: half the time of writing ball after ball.
"""

import numpy as np
from numpy.typing import NDArray

from optimus_gym.game.ores import ore_rules
from optimus_gym.worlds.voxel.kernels import inline_kernel, kernel
from optimus_gym.worlds.voxel.state import BLOCK_BITS, CHUNK, HEIGHT
from optimus_gym.worlds.voxel.terrain.biomes import MOUNTAINS
from optimus_gym.worlds.voxel.terrain.names import ANDESITE, DIORITE, GRANITE, STONE, voxel_of
from optimus_gym.worlds.voxel.terrain.noise import hash2, lerp, mix, salted, unit
from optimus_gym.worlds.voxel.trigonometry import cosine, sine

_WEYL = np.uint64(0x9E3779B97F4A7C15)
WORD = 64
_ALL, _ONE = np.uint64(0xFFFFFFFFFFFFFFFF), np.uint64(1)
_DE_BRUIJN = np.uint64(0x03F79D71B4CB0A89)
"""A word of which every six bits in a row differ: names a single bit by its product's top six bits."""
_PLACE_OF_BIT = np.zeros(WORD, np.int64)
for _bit in range(WORD):
    _PLACE_OF_BIT[((0x03F79D71B4CB0A89 << _bit) & 0xFFFFFFFFFFFFFFFF) >> 58] = _bit

_ROWS = ore_rules()
_VEINS = [rule for rule in _ROWS if rule.size > 1 and rule.biome is None]
_EMERALD = next(rule for rule in _ROWS if rule.block == "emerald_ore")

RULES = np.array(
    [(voxel_of(r.block), r.size, r.count, r.low, r.high, r.shape == "triangle") for r in _VEINS],
    np.int64,
)
"""int64[rules, 6]: block, size, veins a chunk, lowest, highest, whether the middle is likeliest."""
EMERALD, EMERALD_LOW, EMERALD_HIGH = voxel_of("emerald_ore"), _EMERALD.low, _EMERALD.high
_GIVES_WAY = np.isin(np.arange(1 << BLOCK_BITS), (STONE, GRANITE, DIORITE, ANDESITE))
EMERALD_LEAST, EMERALD_MOST = _EMERALD.count, _EMERALD.count_high
"""Single blocks tried in each chunk of mountains."""


@inline_kernel
def _draw(stream: np.uint64, k: int) -> float:
    """Return number `k` of a stream of random numbers in [0, 1)."""
    return unit(mix(stream + np.uint64(k + 1) * _WEYL))


@inline_kernel
def _reach(size: int) -> float:
    """Return how many blocks a vein may reach from its middle along an axis."""
    return size / 8.0 + size / 16.0 + 0.5


@kernel
def _mark_ball(bits: NDArray[np.uint64], x: float, y: float, z: float, radius: float) -> None:
    """Set the bits of a ball's blocks; x and z count from the chunk's corner."""
    x0, x1 = max(int(np.floor(x - radius)), 0), min(int(np.floor(x + radius)), CHUNK - 1)
    z0, z1 = max(int(np.floor(z - radius)), 0), min(int(np.floor(z + radius)), CHUNK - 1)
    square = radius * radius
    for bx in range(x0, x1 + 1):
        dx = bx + 0.5 - x
        for bz in range(z0, z1 + 1):
            dz = bz + 0.5 - z
            flat = dx * dx + dz * dz
            if flat >= square:
                continue
            half = np.sqrt(square - flat)
            y0 = max(int(np.ceil(y - half - 0.5)), 1)
            y1 = min(int(np.floor(y + half - 0.5)), HEIGHT - 1)
            if y0 < WORD:
                bits[bx, bz, 0] |= _span(y0, min(y1, WORD - 1))
            if y1 >= WORD:
                bits[bx, bz, 1] |= _span(max(y0 - WORD, 0), y1 - WORD)


@inline_kernel
def _span(low: int, high: int) -> np.uint64:
    """Return a word with the bits `low` to `high` set (0 <= low, high <= 63), 0 if low > high."""
    if low > high:
        return np.uint64(0)
    return (_ALL >> np.uint64(WORD - 1 - high)) & (_ALL << np.uint64(low))


@kernel
def _write_marked(bits: NDArray[np.uint64], block: int, out: NDArray[np.uint16]) -> None:
    """Turn the natural stone whose bits are set into `block` and clear the bits."""
    for x in range(CHUNK):
        for z in range(CHUNK):
            for half in range(2):
                word = bits[x, z, half]
                bits[x, z, half] = 0
                while word != 0:
                    lowest = word & (~word + _ONE)
                    y = half * WORD + _PLACE_OF_BIT[(lowest * _DE_BRUIJN) >> np.uint64(58)]
                    if _GIVES_WAY[out[x, z, y]]:
                        out[x, z, y] = block
                    word ^= lowest


@kernel
def _mark_vein(
    stream: np.uint64,
    size: int,
    x: float,
    y: float,
    z: float,
    bits: NDArray[np.uint64],
) -> None:
    """Mark one vein whose middle is x, y, z (x and z from the chunk's corner)."""
    angle = 180.0 * _draw(stream, 3)
    dx, dz = sine(angle) * size / 8.0, cosine(angle) * size / 8.0
    y0 = y + np.floor(3.0 * _draw(stream, 4)) - 2.0
    y1 = y + np.floor(3.0 * _draw(stream, 5)) - 2.0
    widest = size / 16.0 + 0.5
    for k in range(size):
        t = k / size
        bx, bz = x + dx - 2.0 * dx * t, z + dz - 2.0 * dz * t
        if min(bx, bz) <= -widest or max(bx, bz) >= CHUNK + widest:
            continue
        swell = (sine(180.0 * t) + 1.0) * _draw(stream, 6 + k) * size / 16.0
        _mark_ball(bits, bx, lerp(y0, y1, t), bz, (swell + 1.0) / 2.0)


@inline_kernel
def _vein_height(stream: np.uint64, low: int, high: int, peaked: int) -> float:
    if peaked:
        half = (high - low) // 2 + 1
        first = np.floor(_draw(stream, 2) * half)
        return float(low + first + np.floor(_draw(mix(stream), 2) * half))
    return float(low + np.floor(_draw(stream, 2) * (high - low + 1)))


@kernel
def place_rule(seed: np.uint64, cx: int, cz: int, rule: int, out: NDArray[np.uint16]) -> None:
    """Lay the veins of one rule that touch a chunk.

    rule: row of `RULES`.
    out (uint16[16, 16, 128], voxels): the chunk, changed in place; only natural stone gives way.
    """
    block, size, count = RULES[rule, 0], RULES[rule, 1], RULES[rule, 2]
    low, high, peaked = RULES[rule, 3], RULES[rule, 4], RULES[rule, 5]
    reach = _reach(size)
    rule_seed = salted(seed, 100 + rule)
    bits = np.zeros((CHUNK, CHUNK, 2), np.uint64)
    for nx in range(-1, 2):
        for nz in range(-1, 2):
            base = hash2(rule_seed, cx + nx, cz + nz)
            for k in range(count):
                stream = mix(base + np.uint64(k) * _WEYL)
                x = np.floor(_draw(stream, 0) * CHUNK) + nx * CHUNK
                z = np.floor(_draw(stream, 1) * CHUNK) + nz * CHUNK
                if x < -reach or x > CHUNK + reach or z < -reach or z > CHUNK + reach:
                    continue
                y = _vein_height(stream, low, high, peaked)
                if y <= HEIGHT + reach:
                    _mark_vein(stream, size, x, y, z, bits)
    _write_marked(bits, block, out)


@kernel
def place_veins(seed: np.uint64, cx: int, cz: int, out: NDArray[np.uint16]) -> None:
    """Lay all veins that touch a chunk, in the order of the rules.

    out (uint16[16, 16, 128], voxels): the chunk, changed in place.
    """
    for rule in range(len(RULES)):
        place_rule(seed, cx, cz, rule, out)


@kernel
def place_emeralds(
    seed: np.uint64, cx: int, cz: int, biome: NDArray[np.int64], out: NDArray[np.uint16]
) -> None:
    """Put single emerald blocks into stone under mountains.

    biome (int64[16, 16], index into BIOMES): the chunk's biomes.
    out (uint16[16, 16, 128], voxels): the chunk, changed in place.
    """
    stream = hash2(salted(seed, 99), cx, cz)
    count = EMERALD_LEAST + int(_draw(stream, 0) * (EMERALD_MOST - EMERALD_LEAST + 1))
    for k in range(count):
        x = int(_draw(stream, 3 * k + 1) * CHUNK)
        z = int(_draw(stream, 3 * k + 2) * CHUNK)
        y = EMERALD_LOW + int(_draw(stream, 3 * k + 3) * (EMERALD_HIGH - EMERALD_LOW + 1))
        if biome[x, z] == MOUNTAINS and out[x, z, y] == STONE:
            out[x, z, y] = EMERALD
