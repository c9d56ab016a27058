"""Simulates the effects of plans on inventories, for agents' self-check and for the symbolic world."""
