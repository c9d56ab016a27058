"""Compare player physics and recipes with PrismarineJS, another implementation of the same game."""
