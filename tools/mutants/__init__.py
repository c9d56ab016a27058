"""One-line mutants of the package, and the tests' response to them; see `__main__.py`."""
