"""The first-person picture of a world, drawn by rays through voxels, one ray for each pixel, in Numba."""
