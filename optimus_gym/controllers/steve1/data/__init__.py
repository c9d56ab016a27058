"""What STEVE-1 is told for a sub-goal, as data."""
