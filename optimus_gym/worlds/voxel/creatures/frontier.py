"""The data of a search for a path: the places found so far, and a heap of the places to examine next.

Each place is a row of the array `places`; the rows are in the order in which the search found the places. A
hash table maps a cell to the row of its place. A binary heap holds the places still to be examined, the place
of least `hope` (estimated cost of a path through the place) first.
Reference: Cormen, Leiserson, Rivest and Stein, "Introduction to Algorithms", chapters 6 and 11.
"""

from optimus_gym.worlds.voxel.compiling.kernels import kernel
from optimus_gym.worlds.voxel.state.fauna import MOST_PLACES, PLACE_SLOTS
from optimus_gym.worlds.voxel.state.worlds import Worlds

NOWHERE = -1
_LAST = PLACE_SLOTS - 1


@kernel
def forget_places(worlds: Worlds, i: int) -> None:
    """Forget all places of the previous search for a path."""
    search = worlds.searches[i]
    search.found, search.waiting = 0, 0
    for slot in range(PLACE_SLOTS):
        search.table[slot] = 0


@kernel
def _slot_of(worlds: Worlds, i: int, x: int, y: int, z: int) -> int:
    """Return the slot of the hash table that holds a cell, or the free slot where the cell would go."""
    search = worlds.searches[i]
    # The primes of Teschner et al., "Optimized Spatial Hashing" (2003), spread neighbouring cells.
    slot = (x * 73856093 ^ y * 19349663 ^ z * 83492791) & _LAST
    # The table never fills up: it has more slots than there can be places.
    while search.table[slot] != 0:
        place = search.places[search.table[slot] - 1]
        if place.x == x and place.y == y and place.z == z:
            break
        slot = (slot + 1) & _LAST
    return slot


@kernel
def find_place(worlds: Worlds, i: int, x: int, y: int, z: int) -> int:
    """Return the row of a cell's place, or NOWHERE if the search has not found the cell yet."""
    return int(worlds.searches[i].table[_slot_of(worlds, i, x, y, z)]) - 1


@kernel
def add_place(worlds: Worlds, i: int, x: int, y: int, z: int, shunned: float) -> int:
    """Add a cell that the search has not found before; return its row, or NOWHERE if `places` is full."""
    search = worlds.searches[i]
    row = int(search.found)
    if row == MOST_PLACES:
        return NOWHERE
    search.found += 1
    search.table[_slot_of(worlds, i, x, y, z)] = row + 1
    place = search.places[row]
    place.x, place.y, place.z = x, y, z
    place.shunned, place.before, place.spot = shunned, NOWHERE, NOWHERE
    return row


@kernel
def put_in(worlds: Worlds, i: int, row: int) -> None:
    """Put a place into the heap, or move it up if its `hope` (estimated path cost) has become less."""
    search = worlds.searches[i]
    place = search.places[row]
    if place.spot == NOWHERE:
        place.spot = search.waiting
        search.waiting += 1
    spot, hope = int(place.spot), place.hope
    while spot > 0:
        other = int(search.heap[(spot - 1) >> 1])
        if hope >= search.places[other].hope:
            break
        search.heap[spot] = other
        search.places[other].spot = spot
        spot = (spot - 1) >> 1
    search.heap[spot] = row
    place.spot = spot


@kernel
def take_next(worlds: Worlds, i: int) -> int:
    """Take the place of least `hope` (estimated path cost) out of the heap; return its row, or NOWHERE."""
    search = worlds.searches[i]
    if search.waiting == 0:
        return NOWHERE
    search.waiting -= 1
    taken, row, last = int(search.heap[0]), int(search.heap[search.waiting]), int(search.waiting)
    search.places[taken].spot = NOWHERE
    if last == 0:
        return taken
    spot, hope = 0, search.places[row].hope
    while 2 * spot + 1 < last:
        below = 2 * spot + 1
        other = int(search.heap[below])
        if below + 1 < last:
            beside = int(search.heap[below + 1])
            if search.places[beside].hope < search.places[other].hope:
                below, other = below + 1, beside
        if hope <= search.places[other].hope:
            break
        search.heap[spot] = other
        search.places[other].spot = spot
        spot = below
    search.heap[spot] = row
    search.places[row].spot = spot
    return taken
