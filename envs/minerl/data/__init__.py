"""Tables of MineRL's tasks and of the game's statistics."""
