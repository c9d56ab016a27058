"""Data: the verbs, stations, blocks and creatures of the game that each world has."""
