"""Agents: the parts that plan, judge sub-goals, recover from trouble and remember."""
