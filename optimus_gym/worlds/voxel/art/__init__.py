"""Generated pictures: block faces, icons, letters, sprites of the screen."""
