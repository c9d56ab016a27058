"""The prompts of the agents that are one file each."""
