"""The worlds of the real game for tests of contracts: over servers of the embedded world in this process."""

import os
import sys
import threading
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from types import ModuleType
from unittest.mock import patch

from optimus_gym.core.registry import load
from optimus_gym.serve.embedded_games import embedded_games, prepare_embedded_games
from optimus_gym.serve.game_server import GameServer
from optimus_gym.worlds.malmo.client.finding import JAR, STUDIO_VARIABLE
from tests.worlds.malmo.client.toy_envs import StudioEnv

SIZE = (64, 36)
"""Size of the pictures, small so that the tests take little time."""
GAMES = 8
SERVED = ("minerl", "minerl-1.0", "minestudio")
LOG = []


@cache
def address():
    """Return where a server of the embedded world listens, started at the first call."""
    prepare_embedded_games()
    server = GameServer(embedded_games(LOG.append), GAMES, say=LOG.append)
    threading.Thread(target=server.serve, daemon=True).start()
    return "{}:{}".format(*server.address)


class SmallStudioEnv(StudioEnv):
    """MineStudio's simulator with small pictures."""

    size = SIZE


def simulator(**options):
    """Return what stands for MineStudio's simulator, over the embedded world."""
    return SmallStudioEnv(game=embedded_games(LOG.append)(0), **options)


def studio_world(count):
    """Return the world "minestudio", with a stand-in for the package that it needs."""
    modules = {name: ModuleType(name) for name in ("minestudio", "minestudio.simulator")}
    modules["minestudio.simulator"].MinecraftSim = simulator
    with TemporaryDirectory() as home:
        jar = Path(home) / JAR
        jar.parent.mkdir(parents=True)
        jar.touch()
        with patch.dict(sys.modules, modules), patch.dict(os.environ, {STUDIO_VARIABLE: home}):
            return load("world", "minestudio")(count, settle=1)


def served_world(name, count):
    """Return one of the worlds `SERVED`."""
    if name == "minestudio":
        return studio_world(count)
    return load("world", name)(count, address=address(), settle=0, timeout=20.0, picture_size=SIZE)
