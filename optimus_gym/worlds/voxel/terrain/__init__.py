"""Endless land from a seed: a chunk depends on nothing but the seed and its coordinates."""
