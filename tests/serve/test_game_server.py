"""The server through real sockets, with a scripted game."""

import json

import numpy as np
import pytest

from optimus_gym.core.errors import BadValue
from optimus_gym.serve.game_server import GameServer
from optimus_gym.worlds.malmo.missions import Mission
from optimus_gym.worlds.malmo.wire_messages import (
    DISCONNECT,
    EXIT,
    QUIT,
    STEP_SERVER,
    number_message,
    read_number,
)
from tests.serve.conftest import serving
from tests.serve.scripted_game import ScriptedGame


def test_an_episode_from_the_greeting_to_the_end():
    with serving(make=lambda: ScriptedGame(length=2)) as served:
        player = served.player()
        picture, report, over = player.reset(seed=7)
        assert not over
        assert report.stacks[0].count == 1
        rows = np.frombuffer(picture, np.uint8).reshape(3, 4, 3)
        assert rows[-1, 0].tolist() == [200, 7, 200], "the top row comes last"
        assert rows[0, 0].tolist() == [0, 7, 0]
        picture, reply, report = player.step("forward 1\ncamera 1.5 -2.0")
        assert (reply.reward, reply.done) == (0.5, False)
        assert np.frombuffer(picture, np.uint8)[0] == 1
        assert report.stacks[0].count == 2
        assert player.step()[1].done
        assert player.peek()[2]
        (game,) = served.games
        assert game.actions[0].keys == {"forward"}
        assert (game.actions[0].pitch, game.actions[0].yaw) == (1.5, -2.0)
        ((mission, seed),) = game.begun
        assert (mission.name, mission.width, mission.height, seed) == ("Small", 4, 3, 7)
        player.close()


@pytest.mark.parametrize(
    ("mission", "nested", "slots"),
    [
        (Mission(width=2, height=2), True, False),
        (Mission(width=2, height=2, gui_scale=1.0), False, False),
        (Mission(width=2, height=2, handlers=frozenset({"ChatCommands"})), False, True),
    ],
    ids=["minerl-0.4.4", "minerl-1.0", "minestudio"],
)
def test_reports_have_the_form_of_the_missions_client(served, mission, nested, slots):
    player = served.player()
    assert player.begin(mission) == 1
    player.ask(b"<Peek/>")
    told = json.loads(player.channel.receive())
    assert isinstance(told["equipped_items"]["mainhand"], dict if nested else str)
    assert ("slot_id" in told["inventory"][0]) is slots


def test_a_client_that_reconnects_at_each_reset_keeps_its_game(served):
    for seed in (1, 2, 3):
        player = served.player()
        player.reset(seed=seed)
        player.step()
        player.channel.send(DISCONNECT)
        player.close()
    assert [seed for _, seed in served.games[0].begun] == [1, 2, 3]
    assert len(served.games) == 1
    assert served.lines == []


def test_a_client_resets_on_its_connection(served):
    player = served.player()
    player.reset(seed=1)
    player.step()
    player.reset(seed=2)
    assert player.begin(seed=3) == 1
    assert [seed for _, seed in served.games[0].begun] == [1, 2, 3]
    assert len(served.games) == 1


def test_two_clients_play_at_once():
    with serving(games=2) as served:
        one, other = served.player(), served.player()
        first, second = one.reset(seed=1)[1].location.x, other.reset(seed=2)[1].location.x
        assert first != second
        for tick in range(1, 4):
            one.step("jump 1")
            assert one.step("jump 1")[2].stacks[0].count == 2 * tick + 1
            assert other.step("attack 1")[2].stacks[0].count == tick + 1
        assert {len(game.actions) for game in served.games} == {3, 6}


def test_a_slow_game_does_not_hold_up_the_others():
    with serving(games=2) as served:
        slow, quick = served.player(), served.player()
        slow.reset()
        served.games[0].gate.clear()
        slow.channel.send(b"<StepClient0>jump 1</StepClient0 >")
        quick.reset()
        for _ in range(20):
            quick.step()
        served.games[0].gate.set()
        slow.channel.receive()
        assert len(served.games[0].actions) == 1


def test_a_client_without_a_free_game_has_to_wait(served):
    one, other = served.player(), served.player()
    one.reset()
    assert other.begin() == 0
    assert other.begin() == 0
    assert served.lines == ["ERROR connection 2: all 1 worlds are in use; the client has to wait"]
    one.channel.send(DISCONNECT)
    one.close()
    while other.begin() == 0:
        pass
    assert other.step()[2].stacks[0].count == 2


@pytest.mark.parametrize(
    ("message", "answer"),
    [
        (QUIT, number_message(1)),
        (b"<Init>", number_message(1)),
        (b"<Close>token</Close>", number_message(1)),
        (b"<Find>token</Find>", number_message(0)),
        (b"<Interact>token</Interact>", number_message(0)),
        (b"<Echo>a</Echo>", b"<Echo><Echo>a</Echo></Echo>"),
        (b"<Status>", b"{}"),
        (EXIT, number_message(0)),
    ],
)
def test_small_questions_are_answered(served, message, answer):
    player = served.player()
    assert player.ask(message) == answer
    player.channel.send(STEP_SERVER)
    assert player.ask(QUIT) == number_message(1), "the conversation goes on, in step"
    refused = ["ERROR connection 1: refused to end the server, which no client launched"]
    assert served.lines == (refused if message == EXIT else [])
    assert served.thread.is_alive()


def test_a_client_ends_the_server_that_it_launched():
    with serving(may_exit=True) as served:
        player = served.player()
        player.reset()
        assert read_number(served.player().ask(EXIT)) == 1
        served.thread.join(5)
        assert not served.thread.is_alive()
        served.server.close()
        assert served.games[0].closed == 1
        assert player.is_closed()
        assert served.lines == []


def test_the_end_of_the_server_closes_connections_and_games():
    with serving(games=2) as served:
        one, other = served.player(), served.player()
        one.reset()
        other.reset()
        other.channel.send(DISCONNECT)
        assert served.quiet(1)
    assert one.is_closed()
    assert [game.closed for game in served.games] == [1, 1]
    assert served.lines == []
    assert served.server.connections == 0


def test_a_port_in_use_is_refused(served):
    _, port = served.server.address
    with pytest.raises(BadValue, match=rf"address: expected a free address .* 127\.0\.0\.1:{port}"):
        GameServer(ScriptedGame, port=port)


@pytest.mark.parametrize("place", [("no such host", 0), ("192.0.2.1", 0), ("\ud800", 0)])
def test_an_address_of_another_machine_is_refused(place):
    with pytest.raises(BadValue, match="address: expected a free address to listen on"):
        GameServer(ScriptedGame, 1, *place)


def test_the_server_listens_on_this_machine_alone(served):
    assert served.server.address[0] == "127.0.0.1"
