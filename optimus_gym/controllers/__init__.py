"""Controllers turn sub-goals into low-level actions (imports nothing heavy)."""
