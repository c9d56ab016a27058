"""Data files of the game: what the package `minecraft-data` lacks or has wrong, and the tasks."""
