"""The executor of craft, smelt, equip and place sub-goals by low-level actions."""
