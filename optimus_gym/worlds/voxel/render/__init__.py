"""The first-person picture of a world: rays through voxels, one a pixel, in Numba."""
