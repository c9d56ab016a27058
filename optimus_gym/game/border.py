"""The border of the world."""

BORDER = 29_999_984
"""Blocks from the middle at which the border stops bodies, to the east, west, north and south; Minecraft
Wiki, "World border" (1.16: 59,999,968 blocks wide)."""
