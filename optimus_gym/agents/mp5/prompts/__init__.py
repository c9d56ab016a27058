"""The prompts of DEPS, one file each."""
