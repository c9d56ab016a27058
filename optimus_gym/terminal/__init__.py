"""A command at its terminal: bars, printable texts, signals, and how it ends."""
