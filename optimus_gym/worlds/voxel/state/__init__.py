"""The state of worlds: arrays, ranges of their numbers, chance, events."""
