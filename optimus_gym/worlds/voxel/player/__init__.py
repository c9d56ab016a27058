"""The player's body: health, breath, food, effects, what hurts, death, and the arm that digs."""
