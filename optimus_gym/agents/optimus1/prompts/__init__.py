"""The prompts of Optimus-1, one file each."""
