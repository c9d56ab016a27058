"""The game's part on the wire, played by a world of this package: missions, keys, reports, goals."""
