"""The use key: touching blocks, placing blocks, using and eating the held item."""
