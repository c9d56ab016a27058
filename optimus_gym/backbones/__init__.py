"""Language models, stand-ins for language models, and parsers of their texts."""
