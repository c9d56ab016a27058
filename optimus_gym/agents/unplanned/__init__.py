"""The agent without a planner: a baseline for every planner."""
