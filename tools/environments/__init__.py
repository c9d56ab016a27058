"""Calibrate how sure an aligner is of the environment (biome, cave ...) in a frame, and measure it."""
