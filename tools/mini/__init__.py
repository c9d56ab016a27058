"""Trains the aligner `mini`, measures it and writes its card: `python -m tools.mini`."""
