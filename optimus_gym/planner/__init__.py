"""From a goal to checked sub-goals."""
