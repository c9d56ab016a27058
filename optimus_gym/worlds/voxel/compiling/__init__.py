"""The compiler and the store of machine code."""
