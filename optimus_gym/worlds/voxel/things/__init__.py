"""Things: the player's slots, what lies about, ovens, chests, what is made of what."""
