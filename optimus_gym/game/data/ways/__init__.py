"""Tables (JSON) of ways to get items without the crafting grid or a furnace; each row names its source."""
