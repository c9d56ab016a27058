"""Things: the player's slots, dropped items, ovens, chests, crafting."""
