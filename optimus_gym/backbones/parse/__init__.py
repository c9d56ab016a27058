"""Reads what language models write: plans in the formats of public agents, and verdicts."""
