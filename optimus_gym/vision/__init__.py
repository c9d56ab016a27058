"""What pictures are compared with: encoders of frames, videos and texts."""
