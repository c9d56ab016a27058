"""Agents: the thinking parts, which plan, judge, recover and remember."""
