"""Self-evolution: agents explore, are taught and remember, round by round, and are evaluated each epoch."""
