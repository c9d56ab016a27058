"""Tables (JSON) of the ticks it costs to find each block and creature; each row names its source."""
