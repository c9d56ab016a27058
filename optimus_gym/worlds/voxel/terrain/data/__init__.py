"""The terrain's tables: biomes and trees, each row with its source."""
