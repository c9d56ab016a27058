"""Data: the part of the game that each world can do."""
