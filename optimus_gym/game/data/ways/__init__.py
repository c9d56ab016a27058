"""Ways of getting items that are no recipe of a grid or a furnace: JSON, each row with its source."""
