"""Colours, patterns and drawings, as data."""
