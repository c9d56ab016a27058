"""Compare player physics and recipes with PrismarineJS, other people's code for the same game."""
