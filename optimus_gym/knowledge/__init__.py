"""The hierarchical directed knowledge graph (HDKG), from which agents know the ways to get items."""
