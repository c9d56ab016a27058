"""A world of items without space, which carries out whole sub-goals to measure planners."""
