"""Playing, showing and measuring: the command line and what it calls. The last row."""
