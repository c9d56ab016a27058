"""Any environment with MineRL's reset and step is a world, and so is MineStudio's simulator."""

import sys
from types import ModuleType

import numpy as np
import pytest

from optimus_gym.core.actions import FUNCTION, ITEM, Function, noop, pressing
from optimus_gym.core.errors import BadValue, MissingExtra, WorldFailed
from optimus_gym.core.types import Event, Setup
from optimus_gym.game.items import item
from optimus_gym.testing.world_play import held_counts, tick_idly
from optimus_gym.worlds.malmo.client import from_env
from optimus_gym.worlds.malmo.client.env_worlds import MineStudioWorld
from optimus_gym.worlds.malmo.client.finding import JAR, MissingGame
from tests.worlds.malmo.client.toy_envs import NewEnv, OldEnv, StudioEnv

KINDS = {"0.4.4": OldEnv, "1.0": NewEnv, "minestudio": StudioEnv}


@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)
def test_an_environment_plays_as_a_world(kind):
    env, other = kind(), kind()
    world = from_env(env, other)
    for row in range(2):
        world.reset(row, Setup(row + 3))
    assert (env.seeds, other.seeds) == ([3], [4])
    action = pressing({"forward": 1, "jump": 1, "attack": 1, "yaw": 8})
    world.tick([1], action[None], np.array([[2.5, -30.0]]))
    sent = other.taken[-1]
    pressed = sorted(key for key, value in sent.items() if isinstance(value, int) and value)
    assert pressed == ["attack", "forward", "jump"]
    assert sent["camera"].tolist() == [2.5, -30.0]
    image = np.zeros((1, 90, 160, 3), np.uint8)
    world.frames([1], image)
    assert len(np.unique(image)) > 20
    assert world.alive([0, 1]).all()
    world.close()
    assert env.closed == 0
    from_env(env, closes=True).close()
    assert env.closed == 1


def test_minerl_0_4_4_crafts_by_name():
    env = OldEnv()
    world = from_env(env)
    assert world.can == {"keys", "camera", "pictures", "functions"}
    world.reset(0, Setup(1))
    assert held_counts(world) == {"oak_log": 3, "crafting_table": 1}
    for function, name, key, old in (
        (Function.CRAFT, "birch_planks", "craft", "planks"),
        (Function.CRAFT, "wooden_pickaxe", "nearbyCraft", "wooden_pickaxe"),
        (Function.SMELT, "iron_ingot", "nearbySmelt", "iron_ingot"),
        (Function.EQUIP, "wooden_pickaxe", "equip", "wooden_pickaxe"),
        (Function.PLACE, "crafting_table", "place", "crafting_table"),
        (Function.PLACE, "kelp", "place", "none"),
        (Function.CRAFT, "diamond_axe", "craft", "none"),
    ):
        action = noop()
        action[[FUNCTION, ITEM]] = function, item(name).id
        world.tick([0], action[None])
        chosen = {each: env.taken[-1][each] for each in env.action_space.spaces}
        assert chosen == {**dict.fromkeys(chosen, "none"), key: old}


def test_minerl_1_0_tells_vitals_places_and_events():
    env = NewEnv()
    world = from_env(env)
    assert world.can == {"keys", "camera", "pictures"}
    world.reset(0, Setup(2))
    equipment, vitals = world.bodies([0])
    assert equipment[0].tolist() == [item("oak_log").id, 0, item("iron_boots").id, 0, 0, 0]
    assert vitals[0].tolist() == [20.0, 17.0, 2.5, 300.0, 2.0, 1.0]
    assert held_counts(world) == {"oak_log": 3, "crafting_table": 1, "iron_boots": 1}
    assert world.poses([0])[0].tolist() == [2.5, 64.0, 0.5, 0.0, 0.0]
    assert world.biome(0) == "forest"
    env.game.count("pickup", "dirt", 2)
    world.tick([0], pressing({"inventory": 1})[None])
    assert env.taken[-1]["inventory"] == 1
    assert world.events(0) == (Event("picked_up", "dirt", 2),)
    for setup in (Setup(1, inventory={"stone": 1}), Setup(1, biome="plains"), Setup(1, time=5)):
        with pytest.raises(BadValue, match=r"takes no chat commands; got a (inventory|biome|time)"):
            world.reset(0, setup)


def test_minestudio_takes_setups_by_chat():
    env = StudioEnv()
    world = from_env(env, settle=2)
    assert world.can >= {"commands", "mouse", "surroundings", "respawn"}
    setup = Setup(5, biome="desert", inventory={"stone": 65}, difficulty="easy", creatures=True)
    world.reset(0, setup)
    assert env.game.chats == [
        "/gamerule sendCommandFeedback false",
        "/teleportbiome @a desert 0 ~0 0",
        "/replaceitem entity @s hotbar.0 minecraft:stone 64",
        "/replaceitem entity @s hotbar.1 minecraft:stone 1",
        "/gamerule doImmediateRespawn true",
        "/difficulty easy",
    ]
    world.command(0, "/give @s diamond 2")
    assert world.pockets([0])[0, 0].tolist() == [item("diamond").id, 2]
    world.ask_surroundings(0, (-2, 2, -1, 1, -2, 2))
    tick_idly(world)
    assert env.taken[-1]["voxels"].tolist() == [-2, 2, -1, 1, -2, 2]
    assert (world.surroundings(0).blocks >= 0).all()
    tick_idly(world)  # the info still has the blocks of the tick before
    assert world.surroundings(0) is None


def test_a_broken_environment_fails_its_row_alone():
    env, sound = NewEnv(), NewEnv()
    world = from_env(env, sound)
    for row in range(2):
        world.reset(row, Setup(row))
    step, env.step = env.step, lambda action: (_ for _ in ()).throw(KeyError("life_stats"))
    for _ in range(2):
        with pytest.raises(WorldFailed, match="row 0: KeyError: 'life_stats'"):
            tick_idly(world, (0, 1))
    assert len(sound.taken) == 2
    env.step = lambda action: (*step(action)[:3], {"error": "Connection timed out!"})
    world.reset(0, Setup(1))
    with pytest.raises(WorldFailed, match="timed out"):
        tick_idly(world, (0, 1))
    world.reset(0, Setup(1))
    for answer in (
        None,
        (1, 2),
        ({}, 0, False, {}),
        ({"pov": 3}, 0, False, {}),
        ([], 0, False, {}),
    ):
        env.step = lambda action, answer=answer: answer
        with pytest.raises(WorldFailed, match="expected"):
            tick_idly(world, (0, 1))
        world.reset(0, Setup(1))


def test_other_objects_are_refused():
    with pytest.raises(BadValue, match="at least one environment"):
        from_env()
    with pytest.raises(BadValue, match="reset and step, got a object without reset, step"):
        from_env(object())
    agent = StudioEnv()
    agent.noop_action = lambda: {"buttons": 0, "camera": 60}
    with pytest.raises(BadValue, match='action_type="env"'):
        from_env(agent)
    silent = OldEnv()
    silent.seed = None
    with pytest.raises(BadValue, match="with a method seed"):
        from_env(silent)
    with pytest.raises(BadValue, match=r"environments of minerl-0.4.4, got one of minerl-1.0"):
        from_env(OldEnv(), NewEnv())


class Callback:
    """A callback with an argument, as MineStudio's are."""

    def __init__(self, interval=1):
        self.interval = interval


@pytest.fixture
def minestudio(monkeypatch, tmp_path):
    """Install a package that looks like MineStudio, with its engine."""
    made = []

    def simulator(**options):
        made.append(StudioEnv(**options))
        return made[-1]

    modules = {name: ModuleType(name) for name in ("minestudio", "minestudio.simulator")}
    modules["minestudio.simulator"].MinecraftSim = simulator
    callbacks = modules["minestudio.simulator.callbacks"] = ModuleType("callbacks")
    callbacks.SpeedTestCallback = Callback
    for name, module in modules.items():
        monkeypatch.setitem(sys.modules, name, module)
    monkeypatch.setenv("MINESTUDIO_DIR", str(tmp_path))
    jar = tmp_path / "engine" / JAR
    jar.parent.mkdir(parents=True)
    jar.touch()
    return made


def test_minestudio_s_simulator_is_a_world(minestudio):
    world = MineStudioWorld(
        2,
        callbacks=[{"name": "SpeedTestCallback", "interval": 50}, f"{__name__}:Callback"],
        settle=7,
    )
    assert minestudio == []
    world.reset(1, Setup(4, inventory={"dirt": 3}))
    (env,) = minestudio
    assert env.seeds == [4]
    assert [one.interval for one in env.callbacks] == [50, 1]
    assert env.frames == 7
    env.step = lambda action: 1 / 0
    with pytest.raises(WorldFailed, match="row 1: ZeroDivisionError"):
        tick_idly(world, (1,))
    world.reset(1, Setup(5))
    assert len(minestudio) == 2
    assert env.closed == 1
    world.close()
    assert minestudio[1].closed == 1


@pytest.mark.parametrize(
    ("callbacks", "message"),
    [
        ("SpeedTestCallback", "expected a list"),
        (["NoSuchCallback"], "'NoSuchCallback' cannot be made"),
        ([{"name": "SpeedTestCallback", "rate": 1}], "cannot be made"),
        ([{"interval": 1}], "expected a class's name"),
        (["no_such_module:Callback"], "cannot be made"),
    ],
)
def test_bad_callbacks_are_refused(minestudio, callbacks, message):
    with pytest.raises(BadValue, match=message):
        MineStudioWorld(1, callbacks=callbacks).reset(0, Setup(1))


def test_minestudio_names_what_is_missing(minestudio, monkeypatch, tmp_path):
    mine = Callback()
    with pytest.raises(BadValue, match="names or mappings for several rows"):
        MineStudioWorld(2, callbacks=[mine])
    world = MineStudioWorld(1, callbacks=[mine])
    world.reset(0, Setup(1))
    assert minestudio[0].callbacks == [mine]
    (tmp_path / "engine" / JAR).unlink()
    with pytest.raises(MissingGame, match=r"docs/minerl.md"):
        MineStudioWorld(1)
    monkeypatch.setitem(sys.modules, "minestudio.simulator", None)
    with pytest.raises(MissingExtra, match=r"\[minestudio\]"):
        MineStudioWorld(1)
