"""Filling and reading of prompts: templates, facts as labelled lines, and words for items."""
