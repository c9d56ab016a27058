"""Stands for Java in tests: serves a toy game at `--envPort`, as the game's jar does."""

import os
import sys
import time

from optimus_gym.worlds.malmo.client.remote_game import Address
from optimus_gym.worlds.malmo.wire_messages import command_of
from tests.worlds.malmo.client.small_server import SmallServer
from tests.worlds.malmo.client.toy_game import ToyGame


class Ending(SmallServer):
    """A server whose process ends at the command exit."""

    def answer(self, game, channel, message):
        goes_on = super().answer(game, channel, message)
        if command_of(message) == "exit":
            os._exit(0)
        return goes_on


if __name__ == "__main__":
    server = Ending(ToyGame)
    assert sys.argv[-1].startswith("--envPort="), sys.argv
    print("loading", *sys.argv[1:], flush=True)
    assert isinstance(server.address, Address)
    # The wanted port counts as taken, so that the game names another.
    print(f"[main] ***** Start MalmoEnvServer on port {server.address.port}", flush=True)
    print("[main] CLIENT enter state: DORMANT", flush=True)
    time.sleep(600)
