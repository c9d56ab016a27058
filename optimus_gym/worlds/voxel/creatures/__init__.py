"""Creatures: how they come, move, think, fight and go."""
