"""One-line mutants of the package, and what the tests say to them; see `__main__.py`."""
