"""The worlds of the real game, over a small server: setups, ticks, answers, commands, breakdowns."""

import numpy as np
import pytest

from optimus_gym.core.actions import camera_turns, noop, pressing
from optimus_gym.core.errors import BadValue, UnknownName, WorldFailed
from optimus_gym.core.types import Event, Setup
from optimus_gym.core.world_powers import UNKNOWN_SCREEN
from optimus_gym.game.blocks import block_names
from optimus_gym.game.items import item
from optimus_gym.testing.world_play import held_counts, tick_idly
from optimus_gym.worlds.malmo.client.remote_game import RemoteGame
from optimus_gym.worlds.malmo.client.world import MineRL1World, MineRLWorld
from optimus_gym.worlds.malmo.dialects import MINERL_1_0
from tests.worlds.malmo.client.small_server import answering, serving
from tests.worlds.malmo.client.toy_game import ToyGame


@pytest.fixture
def server():
    with serving(ToyGame) as made:
        yield made


def world_at(server, count=1, **options):
    given = {"address": str(server.address), "settle": 0, "timeout": 5.0, **options}
    return MineRLWorld(count, **given)


def begun(server, setup=None, count=1, **options):
    world = world_at(server, count, **options)
    for row in range(count):
        world.reset(row, setup or Setup(row))
    return world


def test_a_setup_becomes_a_mission_and_commands(server):
    setup = Setup(
        seed=7,
        biome="snowy_plains",
        position=(1.0, 70.0, -2.25),
        inventory={"oak_log": 70, "iron_sword": 2},
        time=6000,
        weather="rain",
        assists=("keep_inventory", "always_day", "night_vision", "starting_axe"),
        difficulty="easy",
    )
    world = begun(server, setup, settle=3)
    game = server.games[0]
    ((mission, seed),) = game.missions
    assert (seed, mission.biome, mission.weather, mission.time) == (7, "snowy_tundra", "rain", 6000)
    assert (mission.width, mission.height, mission.gui_scale) == (640, 360, 1.0)
    assert (mission.gamma, mission.fov, mission.creatures) == (2.0, 70.0, False)
    assert (mission.placement.x, mission.placement.y, mission.placement.z) == (1.0, 70.0, -2.25)
    assert [(one.slot, one.item, one.count) for one in mission.inventory] == [
        *((0, "oak_log", 64), (1, "oak_log", 6)),
        *((2, "iron_sword", 1), (3, "iron_sword", 1), (4, "iron_axe", 1)),
    ]
    assert [action.chat for action in game.actions[:3]] == [""] * 3
    assert game.chats == [
        "/gamerule sendCommandFeedback false",
        "/gamerule doImmediateRespawn true",
        "/tp @s 1.0 70.0 -2.25",
        "/gamerule doMobSpawning false",
        "/difficulty easy",
        "/gamerule doDaylightCycle false",
        "/time set 6000",
        "/weather rain",
        "/gamerule keepInventory true",
        "/effect give @s minecraft:night_vision 1000000 0 true",
    ]
    assert world.assists(0) == setup.assists
    assert held_counts(world) == {"oak_log": 70, "iron_sword": 2, "iron_axe": 1}
    world.close()


@pytest.mark.parametrize("assist", ["instant_smelting", "fast_breaking", "ores_under_agent"])
def test_an_assist_that_the_game_lacks_is_refused_by_name(server, assist):
    world = begun(server)
    with pytest.raises(BadValue, match=f"keep_inventory, .* in the world 'minerl', got {assist}"):
        world.reset(0, Setup(1, assists=("peaceful", assist)))
    with pytest.raises(UnknownName, match="unknown assist 'peacefull'"):
        world.reset(0, Setup(1, assists=("peacefull",)))
    with pytest.raises(UnknownName, match="unknown difficulty 'eazy'"):
        world.reset(0, Setup(1, difficulty="eazy"))
    assert len(server.games[0].missions) == 1
    world.close()


def test_keys_and_turns_reach_the_game(server):
    world = begun(server, Setup(0, screens=True))
    keys = {"forward": 2, "left": 1, "jump": 1, "use": 1, "hotbar": 4, "swap_hands": 1, "yaw": 8}
    world.tick([0], pressing(keys)[None])
    sent = server.games[0].actions[-1]
    # MineStudio's game has no key to swap hands.
    assert sent.keys == {"back", "left", "jump", "use", "hotbar.4"}
    assert (sent.pitch, sent.yaw) == tuple(camera_turns(pressing(keys)[None])[0])
    world.tick([0], pressing({"pitch": 2, "drop": 1})[None], np.array([[0.15, -100.0]]))
    sent = server.games[0].actions[-1]
    assert (sent.keys, sent.pitch, sent.yaw) == (frozenset(), 0.15, -100.0)
    assert world.poses([0])[0, 3] == pytest.approx(
        (camera_turns(pressing(keys)[None])[0, 1] - 100) % 360
    )
    world.close()


def test_all_rows_are_sent_before_an_answer_is_read(server, monkeypatch):
    order = []
    for name in ("send", "receive"):
        method = getattr(RemoteGame, name)

        def noting(game, *action, method=method, name=name):
            order.append(name)
            return method(game, *action)

        monkeypatch.setattr(RemoteGame, name, noting)
    world = begun(server, count=3)
    order.clear()
    tick_idly(world, (0, 1, 2))
    assert order == ["send"] * 3 + ["receive"] * 3
    world.close()


def test_screens_open_only_if_the_setup_says_so(server):
    world = begun(server, Setup(0, screens=True))
    world.tick([0], pressing({"inventory": 1})[None])
    assert world.screens([0]).tolist() == [UNKNOWN_SCREEN]
    world.reset(0, Setup(0))
    world.tick([0], pressing({"inventory": 1})[None])
    assert world.screens([0]).tolist() == [0]
    server.games[-1].open = True  # as by the key "use" on a block
    tick_idly(world)
    assert world.screens([0]).tolist() == [UNKNOWN_SCREEN]
    world.tick([0], pressing({"forward": 1})[None])
    assert world.screens([0]).tolist() == [0]
    assert server.games[-1].actions[-1].keys == {"inventory"}
    world.close()


def test_frames_come_in_any_size(server):
    world = begun(server)
    whole = np.zeros((1, 360, 640, 3), np.uint8)
    world.frames([0], whole)
    assert (whole[0, :, :, 0] == np.arange(360)[:, None] * 255 // 360).all()
    assert (whole[0, :, :, 1] == np.arange(640) * 255 // 640).all()
    for height, width in ((128, 128), (720, 1280), (720, 64), (36, 1000)):
        image = np.full((1, height, width, 3), 7, np.uint8)
        world.frames([0], image)
        across = np.diff(image[0, 0, :, 1].astype(int))
        down = np.diff(image[0, :, 0, 0].astype(int))
        assert (across >= 0).all(), (height, width)
        assert (down >= 0).all(), (height, width)
        assert image[0, -1, -1].tolist()[:2] >= [250, 250]
    world.close()


def test_commands_take_a_tick_and_make_events(server):
    world = begun(server)
    assert world.command(0, "give @s minecraft:diamond 3") == ""
    assert held_counts(world) == {"diamond": 3}
    assert world.assists(0) == ("commands",)
    assert world.command(0, "/give @s diamond 2") == ""
    assert world.events(0) == (Event("picked_up", "diamond", 5),)
    tick_idly(world)
    assert world.events(0) == ()
    for text in (
        "/gve @s stick",
        "/give @s stik",
        "/give @s stick 0",
        "",
        "/",
        None,
        "/say \n jump 1",
    ):
        with pytest.raises((BadValue, UnknownName)):
            world.command(0, text)
    world.reset(0, Setup(0))
    assert world.assists(0) == ()
    world.close()


def test_the_dead_stand_still_until_they_respawn(server):
    world = begun(server)
    with pytest.raises(BadValue, match="expected a dead player in world 0"):
        world.respawn(0)
    world.command(0, "/kill")
    assert not world.alive([0])[0]
    assert [event.kind for event in world.events(0)] == []  # nothing tells what killed the player
    count = len(server.games[0].actions)
    tick_idly(world)
    assert len(server.games[0].actions) == count
    world.respawn(0)
    assert world.alive([0])[0]
    assert world.bodies([0])[1][0, 0] == 20.0
    world.close()


def test_a_deadly_fall_is_an_event(server):
    # /tp and the command after it take two ticks, in which the player falls 8 of 20 blocks.
    setup = Setup(0, position=(0.5, 84.0, 0.5), difficulty="normal", creatures=True)
    world = begun(server, setup)
    told = []
    while world.alive([0])[0] and len(told) < 9:
        tick_idly(world)
        told.append(world.events(0))
    assert told == [(), (), (Event("hurt", "fall", 20), Event("died", "fall", 1))]
    world.close()


def test_a_game_that_never_revives_fails_in_the_next_tick(server):
    world = begun(server)
    server.games[0].revives = False
    world.command(0, "/kill")
    world.respawn(0)
    assert not world.alive([0])[0]
    with pytest.raises(WorldFailed, match="row 0: expected a revived player within 100 ticks"):
        tick_idly(world)
    world.close()


def test_surroundings_come_with_the_next_tick(server):
    world = begun(server)
    assert world.surroundings(0) is None
    tick_idly(world)
    assert world.surroundings(0) is None
    world.ask_surroundings(0, (-3, 3, -1, 1, -2, 2))
    tick_idly(world)
    told = world.surroundings(0)
    assert told.corner == (-3, 63, -2)
    assert told.blocks.shape == (7, 3, 5)
    assert block_names()[told.blocks[5, 1, 3]] == "crafting_table"
    assert block_names()[told.blocks[0, 0, 0]] == "grass_block"
    (cow,) = told.creatures
    assert (cow.name, cow.x, cow.y, cow.z, cow.health) == ("cow", 2.0, 64.0, -1.5, 8.0)
    assert world.stations(0) == ("crafting_table",)
    tick_idly(world)
    assert world.surroundings(0) is None
    world.ask_surroundings(0, (0, 0, 0, 0, 0, 0))
    tick_idly(world)
    assert world.surroundings(0).blocks.shape == (1, 1, 1)
    with pytest.raises(BadValue, match="reach"):
        world.ask_surroundings(0, (0, 60, 0, 0, 0, 0))
    assert world.conditions(0).biome == "plains"
    world.close()


def test_a_row_that_breaks_down_fails_alone_and_gets_a_new_game(server):
    world = begun(server, count=3, restarts=2)
    forward = np.stack([pressing({"forward": 1})] * 3)
    for _ in range(2):
        before = world.poses([0, 2])
        world.command(1, "/say break")
        for _ in range(2):
            with pytest.raises(WorldFailed, match=r"row 1: expected a length .*own log") as told:
                world.tick([0, 1, 2], forward)
            assert set(told.value.reasons) == {1}
        assert (world.poses([0, 2])[:, 2] > before[:, 2]).all()
        world.reset(1, Setup(1))
        world.tick([0, 1, 2], forward)
    world.command(1, "/say break")
    with pytest.raises(WorldFailed, match="all restarts are used up"):
        world.reset(1, Setup(1))
    tick_idly(world, (0, 2))
    world.close()


def test_a_dawdling_game_costs_its_own_row_alone(server):
    with answering() as silent:
        world = MineRLWorld(
            2, address=[str(server.address), str(silent)], settle=0, timeout=0.2, restarts=0
        )
        world.reset(0, Setup(0))
        with pytest.raises(WorldFailed, match="row 1: "):
            world.reset(1, Setup(0))
        with pytest.raises(WorldFailed) as told:
            tick_idly(world, (0, 1))
        assert set(told.value.reasons) == {1}
        assert world.alive([0, 1]).tolist() == [True, True]
        world.close()


def test_a_tick_before_a_reset_is_refused(server):
    world = world_at(server)
    with pytest.raises(BadValue, match="a reset"):
        tick_idly(world)
    world.close()
    world.close()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"address": "localhost"}, "host:port"),
        ({"address": "localhost:70000"}, "host:port"),
        ({"address": "localhost:9-8"}, "host:port"),
        ({"address": []}, "host:port"),
        ({"address": 9000}, "host:port"),
        ({"address": "localhost:9000-9001", "count": 3}, "each of 3 rows.* got 2"),
        ({"address": "localhost:9000", "jar": "game.jar"}, "jar: expected no such option together"),
        ({"address": "localhost:9000", "memory": "2 GB"}, "memory: expected"),
        ({"address": "localhost:9000", "headless": 1}, "headless: expected True, False or None"),
        ({"address": "localhost:9000", "restarts": -1}, "restarts: expected"),
        ({"address": "localhost:9000", "settle": 0.5}, "settle: expected"),
        ({"address": "localhost:9000", "timeout": 0}, "timeout: expected a number of seconds"),
        ({"address": "localhost:9000", "timeout": True}, "timeout: expected"),
        ({"address": "localhost:9000", "picture_size": 64}, "picture_size: expected a width and"),
        ({"address": "localhost:9000", "picture_size": (64, 0)}, "picture_size: expected"),
    ],
    ids=str,
)
def test_bad_options_are_refused(options, message):
    with pytest.raises(BadValue, match=message):
        MineRLWorld(options.pop("count", 1), **options)


def test_minerl_1_0_has_neither_chat_nor_slots():
    with serving(ToyGame, dialect=MINERL_1_0) as server:
        world = MineRL1World(1, address=str(server.address), settle=2, timeout=5.0)
        world.reset(0, Setup(1, position=(1, 65, 2), assists=("starting_axe",), difficulty="easy"))
        (mission, seed), game = server.games[0].missions[0], server.games[0]
        assert (seed, mission.placement.y, game.chats) == (1, 65.0, [])
        assert len(game.actions) == 2
        world.tick([0], pressing({"inventory": 1, "drop": 1})[None])
        assert game.actions[-1].keys == {"inventory", "drop"}
        assert game.open
        with pytest.raises(
            BadValue, match=r"expected some of starting_axe in .* got keep_inventory"
        ):
            world.reset(0, Setup(1, assists=("keep_inventory",)))
        assert world.counts([0])[0, item("iron_axe").id] == 1
        for method in ("pockets", "screens", "command", "surroundings", "respawn"):
            assert not hasattr(world, method)
        world.close()


def test_the_noop_turns_nothing(server):
    world = begun(server)
    before = world.poses([0])
    world.tick([0], noop()[None])
    assert (world.poses([0]) == before).all()
    world.close()
