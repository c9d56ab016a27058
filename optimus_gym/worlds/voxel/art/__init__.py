"""Generated pictures of the embedded world: block faces, icons, letters, screen sprites."""
