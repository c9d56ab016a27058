"""Veins of ore, stone variants, dirt and gravel, by the vein rules of 1.16.5.

Minecraft Wiki, "Ore (feature)" (1.16). A vein reaches over chunk borders; each chunk therefore also computes
the veins of its neighbours. Veins of a rule overlap; the code therefore first marks all veins of a rule as
bits, two words of 64 heights for each column, and then writes each block once.
"""

import numpy as np
from numpy.typing import NDArray

from optimus_gym.game.ores import ore_rules
from optimus_gym.worlds.voxel.compiling.intrinsics import borrowed
from optimus_gym.worlds.voxel.compiling.kernels import inline_kernel, kernel
from optimus_gym.worlds.voxel.state.worlds import BLOCK_MASK, CHUNK
from optimus_gym.worlds.voxel.terrain.biomes import MOUNTAINS
from optimus_gym.worlds.voxel.terrain.names import ANDESITE, DIORITE, GRANITE, STONE, voxel_of
from optimus_gym.worlds.voxel.terrain.noise import hash2, mix, salted, unit
from optimus_gym.worlds.voxel.terrain.vein_shapes import DEEP, forms_of, vein_shapes

_WEYL = np.uint64(0x9E3779B97F4A7C15)
_WORD = 64
_FOUR, _NIBBLE = np.uint64(4), np.uint64(15)
_NO_FLOOR = np.uint64(0xFFFFFFFFFFFFFFFE)
"""Word of 64 heights with all bits set except that of y 0, where bedrock is complete."""
_LAST = CHUNK - 1
_BLOCK_MASK = np.uint16(BLOCK_MASK)
_RUN = 32
"""Number of cells of a column that `_write_run` writes at once."""
_BITS = np.uint32(1) << np.arange(_RUN, dtype=np.uint32)

_ROWS = ore_rules()
_VEINS = [rule for rule in _ROWS if rule.size > 1 and rule.biome is None]
_EMERALD = next(rule for rule in _ROWS if rule.block == "emerald_ore")

_SIZES = sorted({rule.size for rule in _VEINS})
_FORMS = [form for size in _SIZES for form in vein_shapes(size)]
_SHAPES = np.concatenate(_FORMS).astype(np.int32)
"""int32[columns, 3]: the columns of all forms of veins, in the format of `vein_shapes`."""
_STARTS = np.cumsum([0, *map(len, _FORMS)])
"""int64[forms + 1]: row in `_SHAPES` of the first column of each form of vein; forms are ordered by size."""

VEIN_RULES = np.array(
    [(voxel_of(r.block), r.size, r.count, r.low, r.high, r.shape == "triangle") for r in _VEINS],
    np.int64,
)
"""int64[rules, 6]: block, size, veins in each chunk, lowest and highest y, 1 if heights halfway between the
two are likeliest."""
FORM_COUNTS = np.array([forms_of(rule.size) for rule in _VEINS], np.int64)
"""int64[rules]: number of different forms that the veins of a rule have."""
FIRST_FORMS = np.array(
    [sum(forms_of(size) for size in _SIZES if size < rule.size) for rule in _VEINS], np.int64
)
"""int64[rules]: index of the first form of a rule's veins."""
REACHES = np.array(
    [
        abs(_SHAPES[_STARTS[first] : _STARTS[first + count], :2]).max()
        for first, count in zip(FIRST_FORMS, FORM_COUNTS, strict=True)
    ],
    np.int64,
)
"""int64[rules]: maximum number of columns from the middle of a rule's veins to their edge."""
EMERALD, EMERALD_LOW, EMERALD_HIGH = voxel_of("emerald_ore"), _EMERALD.low, _EMERALD.high
EMERALD_LEAST = _EMERALD.count
"""Minimum number of cells tried for a block of emerald ore in each chunk with mountains."""
EMERALD_MOST = _EMERALD.count_high
"""Maximum number of cells tried for a block of emerald ore in each chunk with mountains."""


@inline_kernel
def _draw(stream: np.uint64, k: int) -> float:
    """Return number `k` of a stream of random numbers in [0, 1)."""
    return unit(mix(stream + np.uint64(k + 1) * _WEYL))


@kernel
def _mark_vein(bits: NDArray[np.uint64], form: int, x: int, y: int, z: int) -> None:
    """Set the bits of a vein whose middle is x, y, z (x and z from the chunk's corner).

    For a column outside the chunk the loop sets no bit: it ors 0 to a word, because the CPU would often
    predict a branch wrongly.
    """
    up = y - DEEP
    half, shift, down = max(up, 0) // _WORD, np.uint64(max(up, 0) % _WORD), np.uint64(max(-up, 0))
    parted = half == 0 and up + _WORD // 2 > _WORD
    for k in range(_STARTS[form], _STARTS[form + 1]):
        bx, bz = x + _SHAPES[k, 0], z + _SHAPES[k, 1]
        inside = (bx | bz) & ~_LAST == 0
        word = np.uint64(_SHAPES[k, 2]) >> down if inside else np.uint64(0)
        bits[bx & _LAST, bz & _LAST, half] |= word << shift
        if parted:
            bits[bx & _LAST, bz & _LAST, 1] |= word >> (np.uint64(_WORD) - shift)


@kernel
def _write_marked(bits: NDArray[np.uint64], block: int, out: NDArray[np.uint16]) -> None:
    """Turn the natural stone whose bits are set into `block` and clear the bits."""
    bits, out = borrowed(bits), borrowed(out)
    for x in range(CHUNK):
        for z in range(CHUNK):
            for half in range(2):
                word = bits[x, z, half]
                if word == 0:
                    continue
                bits[x, z, half] = 0
                for low in range(0, _WORD, _RUN):
                    run = out[x, z, half * _WORD + low : half * _WORD + low + _RUN]
                    marked = np.uint32(word >> np.uint64(low))
                    if marked:
                        _write_run(marked, np.uint16(block), run)


@inline_kernel
def _write_run(marked: np.uint32, block: np.uint16, run: NDArray[np.uint16]) -> None:
    """Turn natural stone among 32 cells into `block` where bits are set, without branches."""
    for y in range(_RUN):
        kind = run[y] & _BLOCK_MASK
        natural = (kind == STONE) | (kind == GRANITE) | (kind == DIORITE) | (kind == ANDESITE)
        chosen = natural & (marked & _BITS[y] != 0)
        run[y] = block if chosen else run[y]


@inline_kernel
def _vein_height(stream: np.uint64, low: int, high: int, peaked: int) -> int:
    if peaked:
        half = (high - low) // 2 + 1
        return low + int(_draw(stream, 2) * half) + int(_draw(mix(stream), 2) * half)
    return low + int(_draw(stream, 2) * (high - low + 1))


@kernel
def place_rule(
    seed: np.uint64, cx: int, cz: int, rule: int, highest: int, out: NDArray[np.uint16]
) -> None:
    """Lay the veins of one rule that touch a chunk.

    rule: row of `VEIN_RULES`.
    highest (y): the chunk has no stone above this height.
    out (uint16[16, 16, 128], voxels): the chunk, changed in place; only natural stone is replaced.
    """
    out = borrowed(out)
    block, count, reach = VEIN_RULES[rule, 0], VEIN_RULES[rule, 2], REACHES[rule]
    low, high, peaked = VEIN_RULES[rule, 3], VEIN_RULES[rule, 4], VEIN_RULES[rule, 5]
    rule_seed = salted(seed, 100 + rule)
    marks = np.zeros((CHUNK, CHUNK, 2), np.uint64)
    bits = borrowed(marks)
    for nx in range(-1, 2):
        for nz in range(-1, 2):
            base = hash2(rule_seed, cx + nx, cz + nz)
            for k in range(count):
                stream = mix(base + np.uint64(k) * _WEYL)
                x = int(stream & _NIBBLE) + nx * CHUNK
                z = int((stream >> _FOUR) & _NIBBLE) + nz * CHUNK
                if not (-reach <= x < CHUNK + reach and -reach <= z < CHUNK + reach):
                    continue
                y = _vein_height(stream, low, high, peaked)
                if y <= highest + DEEP:
                    form = FIRST_FORMS[rule] + int(_draw(stream, 1) * FORM_COUNTS[rule])
                    _mark_vein(bits, form, x, y, z)
    for x in range(CHUNK):
        for z in range(CHUNK):
            bits[x, z, 0] &= _NO_FLOOR
    _write_marked(marks, block, out)


@kernel
def place_veins(seed: np.uint64, cx: int, cz: int, highest: int, out: NDArray[np.uint16]) -> None:
    """Lay all veins that touch a chunk, in the order of the rules.

    highest (y): the chunk has no stone above this height.
    out (uint16[16, 16, 128], voxels): the chunk, changed in place.
    """
    for rule in range(len(VEIN_RULES)):
        place_rule(seed, cx, cz, rule, highest, out)


@kernel
def place_emeralds(
    seed: np.uint64, cx: int, cz: int, biome: NDArray[np.int64], out: NDArray[np.uint16]
) -> None:
    """Put single blocks of emerald ore into stone under mountains.

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
