"""The prompts, one file each, and the words in which they speak of items."""
