"""The player's body: health, breath, food, effects, damage, death and digging."""
