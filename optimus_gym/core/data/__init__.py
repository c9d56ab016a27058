"""Names that are registered when the package is imported."""
