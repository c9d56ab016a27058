"""Every number of a world's state has a range."""

from optimus_gym.worlds.voxel.state.bounds import columns
from optimus_gym.worlds.voxel.state.ranges import RANGES
from optimus_gym.worlds.voxel.state.worlds import DERIVED, make_worlds


def test_every_number_of_the_state_has_a_range():
    for name, array in make_worlds(1, 0).arrays().items():
        if name not in DERIVED:
            assert set(RANGES[name]) == {field for field, _ in columns(array)}, name
    assert set(RANGES) == set(make_worlds(1, 0).arrays()) - set(DERIVED)
