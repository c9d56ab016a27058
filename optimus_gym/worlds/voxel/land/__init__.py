"""The loaded land: its cells, edits, light, distance field and chunks."""
