"""Compositions of planner, backbone and memory; named in `optimus_gym.core.registry`."""
