"""Data of the encoders; README.md says where each file comes from."""
