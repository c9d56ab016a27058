"""The controller `pixel`: a small network that sees what a player sees."""
