"""Import of the public memories of Optimus-1 and JARVIS-1."""
