"""Sines and cosines come from the game's table of angles."""

from optimus_gym.worlds.voxel.tables.trigonometry import SINES, STEPS_A_TURN, cosine, sine


def test_angles_are_cut_off_to_entries_of_the_table():
    """The game looks angles up in a table of 65,536 sines, rounding towards zero."""
    for entry in (1, 777, 20_000, 50_001):
        degrees = (entry + 0.9) * 360.0 / STEPS_A_TURN
        assert sine(degrees) == SINES[entry]
        assert cosine(degrees) == SINES[(entry + STEPS_A_TURN // 4) % STEPS_A_TURN]
    assert sine(-0.9 * 360.0 / STEPS_A_TURN) == 0.0
