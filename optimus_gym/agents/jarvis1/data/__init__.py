"""Data of JARVIS-1: the wordings of skills."""
