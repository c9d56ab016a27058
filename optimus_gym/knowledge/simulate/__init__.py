"""What a plan does to an inventory: the self-check tries plans with it, the symbolic world plays by it."""
