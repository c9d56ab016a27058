"""The table of the environment ids that are registered when the package is imported."""
