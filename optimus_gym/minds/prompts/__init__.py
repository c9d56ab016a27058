"""Common prompts of agents, one file each."""
