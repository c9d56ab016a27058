"""The oracle: privileged, scripted executor of all sub-goals, which also fights, hides, rests and eats."""
