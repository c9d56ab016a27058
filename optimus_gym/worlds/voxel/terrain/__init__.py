"""Endless land from a seed: a chunk depends on the seed and its coordinates alone."""
