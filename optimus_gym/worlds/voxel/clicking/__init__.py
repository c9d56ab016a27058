"""Clicking: the game's screens, their cursor, and what clicks and keys do in them."""
