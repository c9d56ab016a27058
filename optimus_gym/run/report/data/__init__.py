"""The template, style sheet and script of the report's HTML page."""
