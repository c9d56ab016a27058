"""Data files of STEVE-1: the words for sub-goals."""
