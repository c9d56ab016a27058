"""The first-person picture of a world, drawn by one ray for each pixel."""
