"""The loaded land: its cells, edits, light and distance field; which chunks a tick or a frame needs."""
