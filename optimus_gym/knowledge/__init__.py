"""What an agent knows and remembers: the knowledge graph (HDKG)."""
