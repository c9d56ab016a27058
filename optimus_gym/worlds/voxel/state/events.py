"""What happened in a tick, as rows that anybody may read until the next tick."""

from optimus_gym.worlds.voxel.compiling.kernels import kernel
from optimus_gym.worlds.voxel.state.worlds import Worlds


@kernel
def clear_events(worlds: Worlds, i: int) -> None:
    """Forget the last tick's events."""
    worlds.players[i].events = 0


@kernel
def emit(worlds: Worlds, i: int, kind: int, subject: int, count: int) -> None:
    """Note that `kind` happened to `subject`; the same kind and subject of a tick share a row.

    Rows beyond the last of `worlds.events` are lost: a tick has far fewer kinds of them.
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
