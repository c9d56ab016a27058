"""Events of a tick, stored in rows of `Worlds.events` until the next tick."""

from optimus_gym.worlds.voxel.compiling.kernels import kernel
from optimus_gym.worlds.voxel.state.worlds import Worlds


@kernel
def emit(worlds: Worlds, i: int, kind: int, subject: int, count: int) -> None:
    """Note an event; events of the same kind and subject in a tick share a row and add their counts.

    Events that find no free row in `worlds.events` are lost; a tick needs far fewer rows.
    """
    player = worlds.players[i]
    for k in range(player.events):
        event = worlds.events[i, k]
        if event.kind == kind and event.subject == subject:
            event.count += count
            return
    if player.events < worlds.events.shape[1]:
        event = worlds.events[i, player.events]
        event.kind = kind
        event.subject = subject
        event.count = count
        player.events += 1
