"""Vision: encoders of frames, videos and texts, and readers of the screen."""
