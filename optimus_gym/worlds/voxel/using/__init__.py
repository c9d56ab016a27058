"""What the use key does: to blocks, with blocks, with what is in the hand."""
