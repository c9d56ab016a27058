"""The state of worlds: arrays, allowed ranges of values, random numbers, events."""
