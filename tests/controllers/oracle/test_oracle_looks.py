"""The oracle's actions depend on the world, not on loaded land."""

import pytest

from optimus_gym.controllers.oracle.miner import Miner
from optimus_gym.envs.config import EnvConfig
from optimus_gym.envs.subgoal import SubGoalView
from optimus_gym.worlds.voxel.land.chunks import is_loaded


@pytest.mark.parametrize("seed", [52_300, 52_301, 52_302])
def test_the_oracle_asks_only_for_loaded_cells(monkeypatch, seed):
    """An unloaded cell counts as air, so asking for one would make actions depend on drawn frames."""
    flags, asked = Miner.flags, []

    def watched(miner, x, y, z):
        for dx, dz in ((0, 0), (1, 0), (-1, 0), (0, 1), (0, -1)):
            assert is_loaded(miner.worlds, miner.row, (x + dx) >> 4, (z + dz) >> 4), (x, z)
        asked.append((x, z))
        return flags(miner, x, y, z)

    monkeypatch.setattr(Miner, "flags", watched)
    view = SubGoalView(EnvConfig.of({"task": "CraftWoodenAxe"}), 1, threads=1)  # draws nothing
    view.begin([0], [seed], {})
    view.follow([0])
    view.close()
    assert len(asked) > 20
