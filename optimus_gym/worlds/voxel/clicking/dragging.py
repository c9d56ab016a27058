"""Dragging a stack over slots: the left button shares it evenly, the right button leaves one piece in each.

Reference: Minecraft Wiki, "Inventory" (dragging).
"""

from optimus_gym.game.screens import PLACE_COUNT
from optimus_gym.worlds.voxel.clicking.places import may_place, most_at, put_stack_at, stack_at
from optimus_gym.worlds.voxel.clicking.taking import at_cursor, put_at_cursor
from optimus_gym.worlds.voxel.compiling.kernels import kernel
from optimus_gym.worlds.voxel.state.screen_row import RIGHT_BUTTON
from optimus_gym.worlds.voxel.state.worlds import Worlds


@kernel
def _takes_more(worlds: Worlds, i: int, place: int) -> bool:
    """Return whether a place is empty, or holds the same items, and takes the stack at the cursor."""
    item, _, damage = stack_at(worlds, i, place)
    held, _, uses = at_cursor(worlds, i)
    return (item == 0 or (item == held and damage == uses)) and may_place(worlds, i, place, held)


@kernel
def crossed(worlds: Worlds, i: int) -> int:
    """Return the number of places that the drag has crossed."""
    count = 0
    for place in range(PLACE_COUNT):
        count += worlds.screens[i].dragged[place]
    return count


@kernel
def cross(worlds: Worlds, i: int, place: int) -> None:
    """Add a place to the drag, if it takes the stack and at least one piece is left for it."""
    dragged = worlds.screens[i].dragged
    if at_cursor(worlds, i)[1] > crossed(worlds, i) and _takes_more(worlds, i, place):
        dragged[place] = 1


@kernel
def end_drag(worlds: Worlds, i: int) -> None:
    """Share the stack at the cursor among the places of the drag; the rest stays at the cursor."""
    screen = worlds.screens[i]
    held, pieces, uses = at_cursor(worlds, i)
    places = crossed(worlds, i)
    part = 1 if screen.drags == RIGHT_BUTTON else pieces // max(places, 1)
    left = pieces
    for place in range(PLACE_COUNT):
        if screen.dragged[place] and _takes_more(worlds, i, place) and pieces >= places:
            count = stack_at(worlds, i, place)[1]
            whole = max(min(count + part, most_at(place, held)), count)
            put_stack_at(worlds, i, place, held, whole, uses)
            left -= whole - count
    put_at_cursor(worlds, i, held, left, uses)


@kernel
def forget_drag(worlds: Worlds, i: int) -> None:
    """End the drag without an effect."""
    worlds.screens[i].drags = 0
    worlds.screens[i].dragged[:] = 0
