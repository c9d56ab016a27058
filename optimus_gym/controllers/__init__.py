"""Controllers turn sub-goals into low-level actions: oracle, helper, random, sb3 (imports nothing heavy)."""
