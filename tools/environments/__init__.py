"""Calibrate how certain an aligner's environment of a frame is, and measure the result in episodes."""
