"""A world of things without space: whole sub-goals, for planners alone."""
