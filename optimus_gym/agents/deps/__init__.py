"""DEPS: describe, explain, plan and select, a dialogue with a planner (Wang et al. 2023)."""
