"""Creatures of a world: their arrival, motion, decisions, fights and removal."""
