"""Agents: the thinking parts, composed of planner, backbone and knowledge; named in `core.registry`."""
