"""The prompts of JARVIS-1, one file each."""
