"""The chat commands of the game: their texts, checks and effects."""
