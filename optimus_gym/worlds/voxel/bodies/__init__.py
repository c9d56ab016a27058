"""Bodies in the land: where boxes stop, what fluids do to them, how the player moves and aims."""
