"""Numba's compiler as kernels need it: the same machine code, in less than half the time."""
