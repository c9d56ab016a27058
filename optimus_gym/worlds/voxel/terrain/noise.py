"""Random numbers and smooth noise that depend on the seed and on coordinates alone.

Hashes are integers and gradient noise is IEEE arithmetic without libm, so that every machine makes the
same land. The multipliers of `mix` come from David Stafford's "Mix13" (as in SplitMix64); the noise is Ken
Perlin's ("Improving noise", 2002) with gradients drawn from a cube.
"""

import numpy as np
from numpy.typing import NDArray

from optimus_gym.worlds.voxel.compiling.kernels import inline_kernel, kernel

_MIX_A = np.uint64(0xBF58476D1CE4E5B9)
_MIX_B = np.uint64(0x94D049BB133111EB)
_STEP_X = np.uint64(0x9E3779B97F4A7C15)
_STEP_Y = np.uint64(0xC2B2AE3D27D4EB4F)
_STEP_Z = np.uint64(0xD6E8FEB86659FD93)
_S27, _S30, _S31 = np.uint64(27), np.uint64(30), np.uint64(31)
_S11, _S21, _S42 = np.uint64(11), np.uint64(21), np.uint64(42)
_LOW_21 = np.uint64((1 << 21) - 1)
_TO_UNIT = 1.0 / (1 << 53)
_TO_SIGNED = 1.0 / (1 << 20)

Floats = NDArray[np.float64]


@inline_kernel
def mix(value: np.uint64) -> np.uint64:
    """Return the 64-bit hash of a 64-bit value."""
    value = (value ^ (value >> _S30)) * _MIX_A
    value = (value ^ (value >> _S27)) * _MIX_B
    return value ^ (value >> _S31)


@inline_kernel
def salted(seed: np.uint64, salt: int) -> np.uint64:
    """Return a seed for one purpose, derived from the world's seed and the purpose's number (`salt`)."""
    return mix(seed + np.uint64(salt) * _STEP_Y)


@inline_kernel
def hash2(seed: np.uint64, x: int, z: int) -> np.uint64:
    """Return 64 random bits that depend on the seed and a column."""
    return mix(mix(seed + np.uint64(x) * _STEP_X) + np.uint64(z) * _STEP_Z)


@inline_kernel
def _hash3(seed: np.uint64, x: int, y: int, z: int) -> np.uint64:
    return mix(seed ^ (np.uint64(x) * _STEP_X + np.uint64(y) * _STEP_Y + np.uint64(z) * _STEP_Z))


@inline_kernel
def unit(bits: np.uint64) -> float:
    """Return 64 random bits as a number in [0, 1)."""
    return float(bits >> _S11) * _TO_UNIT


@inline_kernel
def lerp(a: float, b: float, t: float) -> float:
    """Return the value interpolated between a (`t` = 0) and b (`t` = 1)."""
    return a + (b - a) * t


@inline_kernel
def smooth_step(low: float, high: float, value: float) -> float:
    """Return a smooth step: 0 below `low`, 1 above `high`, and a cubic S-curve between the two."""
    t = min(max((value - low) / (high - low), 0.0), 1.0)
    return t * t * (3.0 - 2.0 * t)


@inline_kernel
def _fade(t: float) -> float:
    return t * t * t * (t * (t * 6.0 - 15.0) + 10.0)


@inline_kernel
def _slope2(bits: np.uint64, x: float, z: float) -> float:
    gx = float(bits & _LOW_21) * _TO_SIGNED - 1.0
    gz = float((bits >> _S21) & _LOW_21) * _TO_SIGNED - 1.0
    return gx * x + gz * z


@inline_kernel
def _slope3(bits: np.uint64, x: float, y: float, z: float) -> float:
    gx = float(bits & _LOW_21) * _TO_SIGNED - 1.0
    gy = float((bits >> _S21) & _LOW_21) * _TO_SIGNED - 1.0
    gz = float((bits >> _S42) & _LOW_21) * _TO_SIGNED - 1.0
    return gx * x + gy * y + gz * z


@kernel
def noise2(seed: np.uint64, x: float, z: float) -> float:
    """Return smooth noise with features of size 1, in (-1, 1), standard deviation 0.18."""
    return _noise2(seed, x, z)


@inline_kernel
def _noise2(seed: np.uint64, x: float, z: float) -> float:
    floor_x, floor_z = np.floor(x), np.floor(z)
    ix, iz = int(floor_x), int(floor_z)
    fx, fz = x - floor_x, z - floor_z
    near = lerp(
        _slope2(hash2(seed, ix, iz), fx, fz),
        _slope2(hash2(seed, ix + 1, iz), fx - 1.0, fz),
        _fade(fx),
    )
    far = lerp(
        _slope2(hash2(seed, ix, iz + 1), fx, fz - 1.0),
        _slope2(hash2(seed, ix + 1, iz + 1), fx - 1.0, fz - 1.0),
        _fade(fx),
    )
    return lerp(near, far, _fade(fz))


@kernel
def octaves2(seed: np.uint64, x: float, z: float, count: int) -> float:
    """Return the sum of `count` octaves of `noise2`, each half as large and strong as the octave before.

    The seed also shifts the fields, because unshifted fields would all be zero at 0, 0 in every world.
    """
    x, z = x + unit(seed), z + unit(mix(seed))
    total, strength = 0.0, 1.0
    for octave in range(count):
        total += strength * noise2(seed + np.uint64(octave) * _STEP_X, x, z)
        strength *= 0.5
        x, z = x * 2.0 + 0.37, z * 2.0 + 0.61
    return total


@kernel
def all_noise2(seed: np.uint64, x: Floats, z: Floats, size: float, out: Floats) -> None:
    """Write `noise2` at x / size, z / size for many columns, in a loop that is vectorised.

    x, z (float64[n], blocks): the columns.
    out (float64[n]): written.
    """
    for k in range(len(out)):
        out[k] = _noise2(seed, x[k] / size, z[k] / size)


@kernel
def all_octaves2(
    seed: np.uint64, x: Floats, z: Floats, size: float, count: int, scratch: Floats, out: Floats
) -> None:
    """Write `octaves2` at x / size, z / size for many columns, in loops that are vectorised.

    x, z (float64[n], blocks): the columns.
    size (blocks): size of the first octave's features.
    scratch (float64[2, n]): overwritten.
    out (float64[n]): written.
    """
    px, pz = scratch[0], scratch[1]
    shift_x, shift_z = unit(seed), unit(mix(seed))
    for k in range(len(out)):
        px[k], pz[k] = x[k] / size + shift_x, z[k] / size + shift_z
        out[k] = 0.0
    strength = 1.0
    for octave in range(count):
        field = seed + np.uint64(octave) * _STEP_X
        for k in range(len(out)):
            out[k] += strength * _noise2(field, px[k], pz[k])
            px[k], pz[k] = px[k] * 2.0 + 0.37, pz[k] * 2.0 + 0.61
        strength *= 0.5


@inline_kernel
def noise3(seed: np.uint64, x: float, y: float, z: float) -> float:
    """Return smooth noise in space with features of size 1, standard deviation 0.19."""
    floor_x, floor_y, floor_z = np.floor(x), np.floor(y), np.floor(z)
    ix, iy, iz = int(floor_x), int(floor_y), int(floor_z)
    fx, fy, fz = x - floor_x, y - floor_y, z - floor_z
    u, v = _fade(fx), _fade(fy)
    below = 0.0
    result = 0.0
    for dz in range(2):
        low = lerp(
            _slope3(_hash3(seed, ix, iy, iz + dz), fx, fy, fz - dz),
            _slope3(_hash3(seed, ix + 1, iy, iz + dz), fx - 1.0, fy, fz - dz),
            u,
        )
        high = lerp(
            _slope3(_hash3(seed, ix, iy + 1, iz + dz), fx, fy - 1.0, fz - dz),
            _slope3(_hash3(seed, ix + 1, iy + 1, iz + dz), fx - 1.0, fy - 1.0, fz - dz),
            u,
        )
        result = lerp(low, high, v)
        if dz == 0:
            below = result
    return lerp(below, result, _fade(fz))
