"""Knowledge of agents: the knowledge graph (HDKG)."""
