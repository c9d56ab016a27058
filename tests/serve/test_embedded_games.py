"""Games of the embedded world: in this process and behind the server they are the same."""

import threading

import numpy as np
import pytest

from optimus_gym.serve.embedded_games import embedded_games
from optimus_gym.serve.game_server import GameServer
from optimus_gym.worlds.malmo.client.remote_game import Address, RemoteGame
from optimus_gym.worlds.malmo.dialects import MINESTUDIO
from optimus_gym.worlds.malmo.missions import CHAT_HANDLER, Mission, StartStack
from optimus_gym.worlds.malmo.report_json import report_message
from optimus_gym.worlds.malmo.wire_actions import WireAction

MISSION = Mission(
    width=48,
    height=36,
    gui_scale=1.0,
    inventory=(StartStack(0, "oak_log", 2), StartStack(9, "stone_pickaxe")),
    handlers=frozenset({CHAT_HANDLER}),
)
TICKS = (
    *([WireAction(frozenset({"forward", "jump"}), 2.0, -7.5)] * 8),
    WireAction(chat="/give @p bread 2", voxels=(-1, 1, -1, 1, -1, 1), mobs=(-9, 9, -4, 4, -9, 9)),
    *([WireAction(frozenset({"attack"}), 1.0, 0.0)] * 6),
    WireAction(frozenset({"inventory"})),
    WireAction(frozenset(), 3.0, 12.0),
)


@pytest.fixture(scope="module")
def games():
    """Two games of one server and a game of another, with the lines of their log."""
    lines = []
    make = embedded_games(lines.append, first_seed=3)
    return [make(0), make(1), embedded_games(lines.append, first_seed=4)(0)], lines


def test_each_game_draws_seeds_of_its_own(games):
    first, second, again = games[0]
    assert not np.array_equal(
        first.begin(MISSION, None).picture, second.begin(MISSION, None).picture
    )
    np.testing.assert_array_equal(second.begin(MISSION, 9).picture, again.begin(MISSION, 9).picture)


def test_a_refused_command_is_logged_once(games):
    (game, *_), lines = games
    game.begin(MISSION, 9)
    for _ in range(3):
        game.send(WireAction(chat="/no-such-command"))
        game.receive()
    assert [line for line in lines if "no-such" in line] == [
        line for line in lines if line.startswith("WARN world 0: /no-such-command: ")
    ]
    assert sum("no-such" in line for line in lines) == 1


def told(moment):
    return report_message(moment.report, MINESTUDIO)


def test_the_wire_changes_nothing(games):
    """Pictures, reports, rewards and ends of an episode are equal in process and over the wire."""
    (hosted, *_), _ = games
    with GameServer(embedded_games(lambda line: None)) as server:
        thread = threading.Thread(target=server.serve)
        thread.start()
        remote = RemoteGame(Address(*server.address), MINESTUDIO, 60.0)
        for seed in (11, 12):
            here, there = hosted.begin(MISSION, seed), remote.begin(MISSION, seed)
            for action in TICKS:
                for game in (hosted, remote):
                    game.send(action)
                assert told(there) == told(here)
                np.testing.assert_array_equal(there.picture, here.picture)
                here, there = hosted.receive(), remote.receive()
            assert told(there) == told(here)
            assert (there.reward, there.done) == (here.reward, here.done)
            assert here.report.screen_open
        remote.close()
        server.stop()
        thread.join(5)
