"""Where the world ends."""

BORDER = 29_999_984
"""Blocks from the middle, east, west, north and south, at which bodies are stopped; Minecraft Wiki, "World
border" (1.16: 59,999,968 blocks wide)."""
