"""Saved policies of stable-baselines3, and what their actions press (this file imports nothing)."""
