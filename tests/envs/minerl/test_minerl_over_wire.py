"""MineRL's tasks over a game at an address play as over the same game in this process."""

import threading
from contextlib import contextmanager

import pytest
from gymnasium.utils.env_checker import data_equivalence

from optimus_gym.core.errors import WorldFailed
from optimus_gym.serve.game_server import GameServer
from optimus_gym.worlds.malmo.reports import Location, Report, WireStack
from tests.envs.minerl.conftest import ScriptedGame, make

SCRIPT = (
    Report(location=Location(x=0.5, yaw=12.0)),
    Report(stacks=(WireStack(0, "stick", 2),), location=Location(x=0.75)),
    Report(stacks=(WireStack(0, "stick", 1), WireStack(4, "stone_pickaxe", 1))),
)


@contextmanager
def served(game):
    """Serve a game; the value is the server's address."""
    with GameServer(lambda number: game, say=lambda line: None) as server:
        thread = threading.Thread(target=server.serve)
        thread.start()
        try:
            yield "{}:{}".format(*server.address)
        finally:
            server.stop()
            thread.join(10)


@pytest.mark.parametrize(
    "env_id",
    ["MineRL/ObtainDiamond-v0", "MineRL/ObtainDiamondShovel-v0", "MineRL/BasaltFindCave-v0"],
)
def test_a_game_at_an_address_plays_as_in_this_process(env_id):
    game, own = ScriptedGame(*SCRIPT), ScriptedGame(*SCRIPT)
    with served(game) as address:
        env, beside = make(env_id, address), make(env_id, lambda: own)
        env.action_space.seed(3)
        for seed in (5, 6):
            assert data_equivalence(env.reset(seed=seed), beside.reset(seed=seed))
            for _ in range(3):
                action = env.action_space.sample()
                action.pop("ESC", None)
                assert data_equivalence(env.step(action), beside.step(action))
        env.close()
    assert game.actions == own.actions
    assert game.begun == own.begun


def test_a_game_that_is_not_there_is_named():
    with served(ScriptedGame()) as address:
        pass
    with pytest.raises(WorldFailed, match=f"expected a game at {address}"):
        make("MineRL/Treechop-v0", address).reset(seed=1)
