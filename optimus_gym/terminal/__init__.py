"""What a command shows and hears at a terminal: bars, printable texts, signals, and how it ends."""
