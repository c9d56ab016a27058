"""What a world is made of: arrays, what their rows hold, what no row can hold, chance, events."""
