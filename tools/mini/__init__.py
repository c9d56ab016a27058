"""Train the aligner `mini`, measure it and write its card: `python -m tools.mini`."""
