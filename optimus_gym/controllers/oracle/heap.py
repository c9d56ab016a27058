"""The open list of a path search: a binary heap in the scratch arrays, smallest key on top."""

import numpy as np

from optimus_gym.controllers.oracle.grid import Scratch
from optimus_gym.worlds.voxel.compiling.kernels import kernel


@kernel
def push_node(scratch: Scratch, key: float, node: int) -> None:
    """Add a node with its key; if the heap is full, leave the node out."""
    n = scratch.used[0]
    if n >= scratch.keys.shape[0]:
        return
    scratch.used[0] = n + 1
    keys, heap = scratch.keys, scratch.heap
    k = np.float32(key)
    while n > 0:
        above = (n - 1) >> 1
        if keys[above] <= k:
            break
        keys[n], heap[n] = keys[above], heap[above]
        n = above
    keys[n], heap[n] = k, node


@kernel
def pop_node(scratch: Scratch) -> int:
    """Remove and return the node with the smallest key, -1 if the heap is empty."""
    n = scratch.used[0]
    if n == 0:
        return -1
    keys, heap = scratch.keys, scratch.heap
    top = heap[0]
    n -= 1
    scratch.used[0] = n
    key, node = keys[n], heap[n]
    hole = 0
    while True:
        below = 2 * hole + 1
        if below >= n:
            break
        if below + 1 < n and keys[below + 1] < keys[below]:
            below += 1
        if keys[below] >= key:
            break
        keys[hole], heap[hole] = keys[below], heap[below]
        hole = below
    keys[hole], heap[hole] = key, node
    return int(top)
