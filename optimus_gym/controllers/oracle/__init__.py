"""The privileged, scripted executor of mine sub-goals."""
