"""The embedded world: Minecraft 1.16.5's survival rules in Numba kernels, seen in the first person."""
