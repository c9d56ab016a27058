"""The helper: executor of craft, smelt, equip, place and recover sub-goals by low-level actions."""
