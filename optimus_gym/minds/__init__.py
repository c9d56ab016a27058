"""Parts that agents have in common: plans, dialogue, eyes, recall, reflection, remembering."""
