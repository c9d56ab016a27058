"""Common parts of agents: plans, dialogue, eyes, recall, reflection, remembering."""
