"""The border of the world."""

BORDER = 29_999_984
"""Distance in blocks from the world's middle at which its border stops bodies in all four directions;
Minecraft Wiki, "World border" (1.16: 59,999,968 blocks wide)."""
