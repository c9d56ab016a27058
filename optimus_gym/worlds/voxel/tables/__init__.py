"""The game's numbers packed into arrays for kernels."""
