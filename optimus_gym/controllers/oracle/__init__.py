"""The privileged, scripted executor of mine sub-goals, and of the helper's on its guard."""
