"""Effects of the use key: on blocks, with blocks, with the held item."""
