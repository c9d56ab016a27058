"""Optimus-1 (Li et al. 2024): planner with knowledge, reflector with experience, and a memory of both."""
