"""Ways of getting items without a recipe of grid or furnace: JSON, each row with its source."""
