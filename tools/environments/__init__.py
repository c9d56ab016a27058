"""Fits how certain the words for environments are, and measures them in play."""
