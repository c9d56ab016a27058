"""The skill table."""
