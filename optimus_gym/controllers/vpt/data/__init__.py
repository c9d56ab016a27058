"""Data files of the controllers that play VPT's network."""
