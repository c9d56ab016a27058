"""Parts of a command-line program: progress bars, safe printing, signals, exit statuses."""
