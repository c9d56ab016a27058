"""Parts of a command: progress bars, safe printing, signals, exit codes."""
