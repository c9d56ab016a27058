"""The state of worlds: arrays, types of their rows, ranges of their numbers, chance, events."""
