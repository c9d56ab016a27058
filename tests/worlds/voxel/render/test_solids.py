"""Boxes in a picture: drawn where rays meet them, in any pose, unless something is nearer."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from optimus_gym.worlds.voxel.render.camera import point_eye
from optimus_gym.worlds.voxel.render.frame import FRAME
from optimus_gym.worlds.voxel.render.solids import SOLID, draw_solid, keep_colours, shade_sides

WHITE = np.full(256, -1, np.int32)
REACH = 64.0
SIZES = ((128, 128), (64, 64), (640, 360), (300, 20), (5, 3))


def frame_of(yaw: float, pitch: float, size: tuple[int, int], roll: float = 0.0) -> np.ndarray:
    """Return a frame without fog whose eye is at (20, 70, 20)."""
    frame = np.zeros(1, FRAME)
    point_eye(frame, yaw, pitch, roll, *size)
    frame["ox"], frame["oy"], frame["oz"] = 20.0, 70.0, 20.0
    frame["reach"], frame["fog_from"] = REACH, 2 * REACH
    return frame


def box(rng: np.random.Generator, near: float) -> np.ndarray:
    """Return a box of any size and pose, its origin about `near` blocks around the eye."""
    solid = np.zeros(1, SOLID)
    turn, _ = np.linalg.qr(rng.normal(size=(3, 3)))
    solid["turn"] = (turn * np.sign(np.linalg.det(turn))).ravel()
    solid["joint"] = (20.0, 70.0, 20.0) + near * rng.normal(size=3)
    solid["low"], solid["high"] = -rng.uniform(0, 2, 3), rng.uniform(0.05, 2, 3)
    solid["light"] = 0xFFFFFF
    keep_colours(solid)
    shade_sides(solid)
    return solid


def places(length: int, full: int) -> np.ndarray:
    """Return the places of the rays in pixels of the picture: middles of the screen's pixels."""
    if length >= full:
        return np.arange(length)
    held = (2 * np.arange(length) + 1) * full // (2 * length)
    return (held + 0.5) * length / full - 0.5


def distances(frame: np.ndarray, solid: np.ndarray, size: tuple[int, int]) -> np.ndarray:
    """Return how far each pixel's ray goes until it enters the box; inf = it does not."""
    f, s = frame[0], solid[0]
    columns, rows = np.meshgrid(
        *(places(n, full) for n, full in zip(size, (640, 360), strict=True))
    )
    rays = [f["b" + a] + columns * float(f["r" + a]) + rows * float(f["u" + a]) for a in "xyz"]
    turn = s["turn"].astype(float).reshape(3, 3)
    eye = turn @ (np.array([f["ox"], f["oy"], f["oz"]], float) - s["joint"])
    along = np.einsum("ab,bhw->ahw", turn, np.array(rays))
    ends = np.array([(s[end] - eye)[:, None, None] / along for end in ("low", "high")])
    enters, leaves = ends.min(axis=0).max(axis=0), ends.max(axis=0).min(axis=0)
    far = enters * np.sqrt((np.array(rays) ** 2).sum(axis=0))
    return np.where((enters < leaves) & (enters > 0) & (far < REACH), far, np.inf)


@settings(deadline=None, max_examples=150)
@given(
    seed=st.integers(0, 10**6),
    near=st.sampled_from((0.3, 1.0, 3.0, 10.0, 30.0)),
    size=st.sampled_from(SIZES),
    yaw=st.floats(-180, 180),
    pitch=st.floats(-90, 90),
    roll=st.floats(0, 14),
)
def test_a_box_is_drawn_where_rays_meet_it(seed, near, size, yaw, pitch, roll):
    frame, solid = frame_of(yaw, pitch, size, roll), box(np.random.default_rng(seed), near)
    wanted = distances(frame, solid, size)
    image = np.zeros((size[1], size[0], 3), np.uint8)
    depth = np.full(image.shape[0] * image.shape[1], 2 * REACH, np.float32)
    draw_solid(frame, solid, WHITE, image, depth)
    drawn = depth.reshape(image.shape[:2])
    other = (drawn < REACH) != np.isfinite(wanted)
    assert other.sum() <= 0.01 * size[0] + 1, "only rays along an edge may go either way"
    both = (drawn < REACH) & np.isfinite(wanted)
    np.testing.assert_allclose(drawn[both], wanted[both], rtol=2e-3, atol=2e-3)
    assert (image.any(axis=2) == (drawn < REACH)).all()


def test_nearer_pixels_hide_a_box():
    frame, solid = frame_of(0.0, 0.0, (64, 64)), box(np.random.default_rng(1), 0.0)
    solid["joint"] = 20.0, 70.0, 26.0
    image = np.zeros((64, 64, 3), np.uint8)
    depth = np.full(64 * 64, 2 * REACH, np.float32)
    depth[: 32 * 64] = 1.0
    draw_solid(frame, solid, WHITE, image, depth)
    assert not image[:32].any()
    assert image[32:].any()
    assert (depth[: 32 * 64] == 1.0).all()


def test_transparent_texels_draw_nothing():
    frame, solid = frame_of(0.0, 0.0, (64, 64)), box(np.random.default_rng(1), 0.0)
    solid["joint"] = 20.0, 70.0, 26.0
    image = np.zeros((64, 64, 3), np.uint8)
    depth = np.full(64 * 64, 2 * REACH, np.float32)
    draw_solid(frame, solid, np.zeros(256, np.int32), image, depth)
    assert not image.any()
    assert (depth == 2 * REACH).all()
