"""Data files of the generated pictures: looks of blocks and items, drawings, letters."""
