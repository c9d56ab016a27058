"""Read files that were changed at random: see `tools/mutate_files.py`."""
