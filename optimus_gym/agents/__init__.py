"""Agents: all that thinks, composed of planner, backbone and knowledge; named in `core.registry`."""
