"""What the embedded world shows, all generated: block faces, icons, letters, screen sprites."""
