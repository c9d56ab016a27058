"""Worlds, the simulators of the game: the embedded world and the symbolic world."""
