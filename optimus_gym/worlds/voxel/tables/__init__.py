"""The game's data on blocks, items, recipes and foods, packed into arrays for kernels."""
