"""Files that were changed at random, and what comes of reading them: see `tools/mutate_files.py`."""
