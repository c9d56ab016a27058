"""Numba's compiler as kernels need it: the same results, sooner."""
