"""The tasks of lessons and the biomes of explorations."""
