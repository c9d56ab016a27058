"""Endless land from a seed; a chunk depends on seed and coordinates alone."""
