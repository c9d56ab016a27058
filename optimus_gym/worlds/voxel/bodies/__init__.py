"""Bodies in the land: collisions, fluids, the player's movement and aim."""
