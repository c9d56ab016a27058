"""Steering by the camera's bins and the eight directions of the keys."""

import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from optimus_gym.controllers.keys import (
    arctangent,
    nearest_bin,
    pitch_towards,
    turn,
    walk_to,
    wrapped,
    yaw_towards,
)
from optimus_gym.core.actions import CAMERA_DEGREES, camera_bin, noop
from tests.worlds.flat import FEET, Flat, tick_world

coordinates = st.floats(-100, 100, allow_nan=False)


@given(coordinates, coordinates)
def test_the_arctangent_is_accurate(y, x):
    assume(y != 0.0 or x != 0.0)
    assert abs(wrapped(arctangent(y, x) - math.degrees(math.atan2(y, x)))) < 2e-6


@given(st.floats(0.01, 50), st.floats(-180, 179.9), st.floats(-85, 85))
def test_yaw_and_pitch_point_back_at_the_direction(length, yaw, pitch):
    level = math.cos(math.radians(pitch))
    dx = -math.sin(math.radians(yaw)) * level * length
    dy = -math.sin(math.radians(pitch)) * length
    dz = math.cos(math.radians(yaw)) * level * length
    assert abs(wrapped(yaw_towards(dx, dz) - yaw)) < 1e-3
    assert pitch_towards(dx, dy, dz) == pytest.approx(pitch, abs=1e-3)


@given(st.floats(-200, 200))
def test_the_nearest_bin_agrees_with_the_table(degrees):
    expected = CAMERA_DEGREES[camera_bin(degrees)]
    assert abs(CAMERA_DEGREES[nearest_bin(degrees)] - degrees) == abs(expected - degrees)


@pytest.mark.parametrize("yaw", [0.0, 3.0, 45.0, 90.0, 179.0, 181.0, 270.0, 359.5])
@pytest.mark.parametrize("pitch", [-89.0, -20.0, 0.0, 7.3, 90.0])
def test_every_direction_is_reached_soon_and_accurately(yaw, pitch):
    flat = Flat()
    for _ in range(24):
        action = noop()
        turn(flat.worlds, 0, yaw, pitch, action)
        tick_world(flat.worlds, 0, action)
    assert abs(wrapped(flat.yaw - yaw)) < 0.4
    assert abs(flat.pitch - pitch) < 0.4


@pytest.mark.parametrize("target", [(6.5, 0.5), (-3.5, 4.5), (0.5, -7.5), (2.5, 1.5), (0.9, 0.1)])
def test_the_player_walks_to_a_point_and_stops_there(target):
    flat = Flat()
    for _ in range(80):
        action = noop()
        walk_to(flat.worlds, 0, *target, True, False, action)
        tick_world(flat.worlds, 0, action)
    assert max(abs(flat.x - target[0]), abs(flat.z - target[1])) < 0.16
    assert flat.y == FEET
    assert np.hypot(flat.vx, flat.vz) < 0.01
