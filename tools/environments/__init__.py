"""Calibrate the certainty of the words for environments, and measure it in play."""
