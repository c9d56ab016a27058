"""The game's screen: the view with the held item and the HUD over it."""
