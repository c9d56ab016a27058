"""The helper: executor of craft, smelt, equip, place, use, dig and recover sub-goals by low-level actions."""
