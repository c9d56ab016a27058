"""What turns a sub-goal into low-level actions: oracle, helper, random, sb3 (imports nothing heavy)."""
