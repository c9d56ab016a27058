"""Controllers turn sub-goals into low-level actions (this file imports nothing)."""
