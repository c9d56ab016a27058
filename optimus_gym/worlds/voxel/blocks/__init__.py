"""Rules of blocks: falling, flowing, burning, growing, breaking, reacting to neighbours."""
