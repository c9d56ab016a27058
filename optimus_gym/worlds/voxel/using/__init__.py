"""What the use key does: touch blocks, place blocks, use and eat the held item."""
