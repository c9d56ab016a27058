"""Templates of prompts, facts as labelled lines of a prompt, and words for items."""
