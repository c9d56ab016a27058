"""What agents are composed of and no paper owns: plans, dialogue, eyes, recall, reflection, remembering."""
