"""What each world can do of all that the game has."""
