"""What turns a sub-goal into low-level actions: oracle, helper, random (imports nothing heavy)."""
