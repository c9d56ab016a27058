"""Read the texts of language models: plans in the formats of public agents, and verdicts."""
