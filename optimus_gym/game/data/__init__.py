"""Data files of the game: data that the package `minecraft-data` lacks or has wrong, and the tasks."""
