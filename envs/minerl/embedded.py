"""A game of the embedded world in this process."""

from typing import Final

from optimus_gym.worlds.malmo.hosting.hosted_game import HostedGame
from optimus_gym.worlds.voxel.world import VoxelWorld

_VIEW_BLOCKS: Final = 64
"""How far the pictures show."""


class EmbeddedGame(HostedGame):
    """A game with an embedded world of its own, which `close` releases."""

    def __init__(self) -> None:
        world = VoxelWorld(1, view_distance=_VIEW_BLOCKS)
        super().__init__(world)
        self._own = world

    def close(self) -> None:
        """Release the world; may be called twice."""
        super().close()
        self._own.close()
