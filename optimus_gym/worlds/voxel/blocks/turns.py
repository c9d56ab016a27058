"""Scheduled ticks of cells, and the land in which scheduled and random ticks happen.

Scheduled and random ticks happen only in land that every tick loads, so that land loaded for pictures changes
no result. Scheduled cells act in the 5 x 5 chunks around the player without their outermost 8 blocks, so that
no cell outside these chunks is read; this land reaches at least 24 blocks to each side of the player. Random
ticks happen in the 3 x 3 chunks around the player. Scheduled cells farther from the player wait until the
player comes near, as in chunks that the game has unloaded.

Reference: Minecraft Wiki, "Tick" (game process: scheduled ticks, then random ticks).
"""

from optimus_gym.worlds.voxel.blocks.falling import begin_fall
from optimus_gym.worlds.voxel.blocks.fire import burn
from optimus_gym.worlds.voxel.blocks.flow import flow
from optimus_gym.worlds.voxel.compiling.kernels import kernel
from optimus_gym.worlds.voxel.land.cells import block_at
from optimus_gym.worlds.voxel.land.notes import has_room
from optimus_gym.worlds.voxel.land.schedule import tidy_schedule
from optimus_gym.worlds.voxel.land.surroundings import NEAR_CHUNKS
from optimus_gym.worlds.voxel.state.worlds import BLOCK_MASK, CHUNK, DONE, Worlds
from optimus_gym.worlds.voxel.tables.properties import FALLS, FLUIDS, IS_FIRE

_RIM = 8
"""Width in blocks of the outermost strip of the 5 x 5 chunks around the player; scheduled cells in the strip
wait."""
_NEVER = 2**62


@kernel
def run_scheduled(worlds: Worlds, i: int) -> None:
    """Let the due cells act, in the order in which they were scheduled.

    Once a tick's list of changed cells has no room for more, the remaining due cells wait for the next tick,
    and keep their order.
    """
    p = worlds.players[i]
    if p.scheduled == 0 or p.tick < p.soonest:
        return
    cx, cz = p.middle_x, p.middle_z
    p.soonest = _NEVER
    x0, x1 = (cx - NEAR_CHUNKS) * CHUNK + _RIM, (cx + NEAR_CHUNKS + 1) * CHUNK - _RIM
    z0, z1 = (cz - NEAR_CHUNKS) * CHUNK + _RIM, (cz + NEAR_CHUNKS + 1) * CHUNK - _RIM
    done = 0
    for k in range(p.scheduled):
        row = worlds.scheduled[i, k]
        if row.due == DONE:
            done += 1
        elif x0 <= row.x < x1 and z0 <= row.z < z1:
            if row.due > p.tick or not has_room(worlds, i):
                p.soonest = min(p.soonest, max(row.due, p.tick + 1))
                continue
            row.due = DONE
            done += 1
            x, y, z = row.x, row.y, row.z
            voxel = block_at(worlds, i, x, y, z)
            block = voxel & BLOCK_MASK
            if FLUIDS[block]:
                flow(worlds, i, x, y, z)
            elif FALLS[block]:
                begin_fall(worlds, i, x, y, z)
            elif IS_FIRE[block]:
                burn(worlds, i, x, y, z, voxel)
    if 2 * done >= p.scheduled:
        tidy_schedule(worlds, i)
