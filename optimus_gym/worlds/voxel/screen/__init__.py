"""The game's screen: the view with what lies over it."""
