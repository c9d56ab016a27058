"""Effects of plans on inventories: the self-check tries plans here, and the symbolic world plays by them."""
