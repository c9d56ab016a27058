"""Data files of STEVE-1: the prompts for sub-goals."""
