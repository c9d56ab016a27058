"""Reports: what the clients need is there, what the games send is read, and the rest is a fault."""

import json
import tracemalloc
from types import MappingProxyType

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from optimus_gym.worlds.malmo.dialects import DIALECTS, MINERL_0_4, MINERL_1_0, MINESTUDIO
from optimus_gym.worlds.malmo.framing import WireFault
from optimus_gym.worlds.malmo.report_json import MOST_REPORT, read_report, report_message
from optimus_gym.worlds.malmo.reports import (
    EQUIPMENT,
    STATISTICS,
    NearBlock,
    NearCreature,
    PlayerLife,
    Report,
    WireStack,
    Worn,
)
from tests.worlds.malmo.values import reports

each_dialect = pytest.mark.parametrize("dialect", DIALECTS.values(), ids=DIALECTS)
NEW = Report(worn=MappingProxyType(dict.fromkeys(EQUIPMENT, Worn())))
"""Report on a player who has just spawned, with all names of equipment."""
LOCATION = (
    *("xpos", "ypos", "zpos", "yaw", "pitch", "biome_id", "biome_rainfall", "biome_temperature"),
    *("can_see_sky", "is_raining", "light_level", "sea_level", "sky_light_level", "sun_brightness"),
)
LIFE = ("life", "score", "food", "saturation", "xp", "is_alive", "air")


def sent(report, dialect):
    """Return the JSON that a client gets."""
    return json.loads(report_message(report, dialect))


def told(**keys):
    """Return the report that is read from an object."""
    return read_report(json.dumps(keys).encode())


@each_dialect
@settings(max_examples=25)
@given(data=st.data())
def test_a_report_comes_back(dialect, data):
    report = data.draw(reports(dialect))
    assert read_report(report_message(report, dialect)) == report


@each_dialect
def test_a_report_has_every_key_that_a_client_reads(dialect):
    """Keys as in the clients' handlers: life at the top for MineRL 0.4.4, nested for 1.0."""
    said = sent(NEW, dialect)
    assert {"isGuiOpen", "inventory", "equipped_items", *LIFE, *LOCATION, *STATISTICS} <= set(said)
    assert set(said["life_stats"]) == set(LIFE)
    assert set(said["equipped_items"]) == set(EQUIPMENT)
    assert ({"health", "food_level"} <= set(said)) == dialect.near


def test_minestudio_gets_slots_and_equipment_as_texts():
    report = Report(
        stacks=(WireStack(0, "oak_log", 3), WireStack(35, "stick", 64)),
        worn={"mainhand": Worn("iron_pickaxe", 7, 250)},
    )
    said = sent(report, MINESTUDIO)
    assert said["inventory"] == [
        {"type": "oak_log", "quantity": 3, "slot_id": 0},
        {"type": "stick", "quantity": 64, "slot_id": 35},
    ]
    hand = said["equipped_items"]["mainhand"]
    assert json.loads(hand) == {"type": "iron_pickaxe", "damage": 7, "maxDamage": 250}
    assert json.loads(said["equipped_items"]["head"])["type"] == "air"


def test_minerl_1_0_gets_stacks_without_slots():
    said = sent(Report(stacks=(WireStack(4, "oak_log", 3),)), MINERL_1_0)
    assert said["inventory"] == [{"type": "oak_log", "quantity": 3}]
    assert "voxels" not in said
    assert "mobs" not in said


def test_minerl_0_4_4_gets_every_slot_and_equipment_as_objects():
    """As its game: 36 slots, armour from the feet up, the off hand; nothing for an empty hand."""
    report = Report(
        stacks=(WireStack(2, "planks", 3, 5),),
        worn={"feet": Worn("iron_boots", 9, 195), "offhand": Worn("log2", metadata=1)},
    )
    said = sent(report, MINERL_0_4)
    full = {each["index"]: each for each in said["inventory"] if each["type"] != "air"}
    assert [each["index"] for each in said["inventory"]] == list(range(41))
    assert {each["quantity"] for each in said["inventory"] if each["type"] == "air"} == {0}
    assert full == {
        2: {"type": "planks", "quantity": 3, "metadata": 5, "index": 2},
        36: {"type": "iron_boots", "quantity": 1, "metadata": 0, "index": 36},
        40: {"type": "log2", "quantity": 1, "metadata": 1, "index": 40},
    }
    assert said["equipped_items"]["mainhand"] == {}
    assert said["equipped_items"]["feet"] == {
        **{"type": "iron_boots", "metadata": 0},
        **{"damage": 9, "currentDamage": 9, "maxDamage": 195},
    }
    assert said["equipped_items"]["offhand"]["maxDamage"] == -1


def test_the_games_worn_items_that_never_wear_out_are_read():
    hand = {"type": "planks", "metadata": 2, "quantity": 1, "currentDamage": -1, "maxDamage": -1}
    read = told(equipped_items={"mainhand": hand, "belt": 1})
    assert read.worn == {"mainhand": Worn("planks", 0, 0, 2)}


def test_an_empty_object_gives_the_defaults():
    assert told() == Report()
    assert (told().life.health, told().life.food, told().life.air) == (20.0, 20, 300)
    assert (told().location.temperature, told().location.sea_level) == (0.5, 63)


def test_vitals_are_read_nested_flat_and_by_minestudios_names():
    wanted = PlayerLife(health=7.5, food=3)
    assert told(life_stats={"life": 7.5, "food": 3}).life == wanted
    assert told(life=7.5, food=3).life == wanted
    assert told(health=7.5, food_level=3).life == wanted
    assert told(life=1.0, food=1, life_stats={"life": 7.5, "food": 3}).life == wanted
    assert told(health=1.0, food_level=1, life=7.5, food=3).life == wanted


def test_a_player_without_health_is_dead_unless_the_game_says_otherwise():
    assert not told(health=0.0).life.alive
    assert told(health=0.5).life.alive
    assert told(life=0.0, is_alive=True).life.alive
    assert not told(life_stats={"life": 20.0, "is_alive": 0}).life.alive


def test_inventories_have_slots_or_an_order():
    stacks = [{"type": "air", "quantity": 0}, {"type": "minecraft:stick", "quantity": 2.0}]
    assert told(inventory=stacks).stacks == (WireStack(1, "stick", 2),)
    stacks = [{"type": "a", "quantity": 1, "slot_id": k, "index": 0} for k in (35, 36, 40)]
    assert told(inventory=stacks).stacks == (WireStack(35, "a", 1),)
    stacks = [{"type": "a", "quantity": 1, "index": 7, "metadata": 3}]
    assert told(inventory=stacks).stacks == (WireStack(7, "a", 1, 3),)
    many = [{"type": "a", "quantity": 1}] * 41
    assert len(told(inventory=many).stacks) == 41


def test_blocks_and_creatures_lose_the_games_prefix():
    block = {"type": "minecraft:stone", "x": 1, "y": -2, "z": 3.0}
    creature = {"type": "minecraft:pig", "x": 1.5, "y": 0, "z": 0}
    assert told(voxels=[block]).voxels == (NearBlock("stone", 1, -2, 3),)
    assert told(mobs=[creature]).mobs == (NearCreature("pig", 1.5, 0.0, 0.0, 0.0),)
    assert told(voxels=[], mobs=[]) == Report(voxels=(), mobs=())
    assert told(mine_block={"minecraft:dirt": 2}).statistics == {"mine_block": {"dirt": 2}}


LONG = "9" * 5000
WRONG = [
    (b"", "report: expected JSON"),
    (b"\xff\xfe\xfd", "report: expected JSON"),
    (b'{"a": 1', "report: expected JSON"),
    (b"[]", r"report: expected an object, got \[\]"),
    (b"null", "report: expected an object, got None"),
    (b"[" * 100_000, "report: expected JSON"),
    (b'{"a":' * 100_000, "report: expected JSON"),
    (f'{{"life": {LONG}}}'.encode(), "report: expected JSON"),
    (b'{"life": NaN}', "life: expected a number, got nan"),
    (b'{"xpos": 1e999}', "xpos: expected a number, got inf"),
    (b'{"xpos": -Infinity}', "xpos: expected a number, got -inf"),
    (f'{{"xpos": {"9" * 4000}}}'.encode(), "xpos: expected a number, got 999"),
    (b'{"xpos": "1"}', "xpos: expected a number, got '1'"),
    (b'{"xpos": true}', "xpos: expected a number, got True"),
    (b'{"food": 1.5}', r"food: expected a whole number, got 1\.5"),
    (b'{"food": 1e30}', r"food: expected a whole number, got"),
    (b'{"isGuiOpen": "no"}', "isGuiOpen: expected true or false, got 'no'"),
    (b'{"isGuiOpen": [1]}', r"isGuiOpen: expected true or false, got \[1\]"),
    (b'{"life_stats": []}', "life_stats: expected an object"),
    (b'{"life_stats": {"life": {}}}', "life: expected a number, got {}"),
    (b'{"inventory": {}}', "inventory: expected a list, got {}"),
    (b'{"inventory": [1]}', r"inventory\[0\]: expected an object, got 1"),
    (b'{"inventory": [{}]}', r"inventory\[0\]\.type: expected a name, got None"),
    (b'{"inventory": [{"type": "a"}]}', r"inventory\[0\]\.quantity: expected a whole number"),
    (b'{"inventory": [{"type": "a", "quantity": 1, "slot_id": 41}]}', "slot_id: expected 0 to 40"),
    (b'{"inventory": [{"type": "a", "quantity": 1, "index": -1}]}', "index: expected 0 to 40"),
    (b'{"equipped_items": 3}', "equipped_items: expected an object, got 3"),
    (b'{"equipped_items": {"head": "{"}}', r"equipped_items\.head: expected JSON, got '{'"),
    (b'{"equipped_items": {"head": "[]"}}', r"equipped_items\.head: expected an object"),
    (b'{"equipped_items": {"head": {"type": 1}}}', r"head\.type: expected a name, got 1"),
    (b'{"equipped_items": {"head": {"damage": "a"}}}', r"head\.damage: expected a whole number"),
    (b'{"mine_block": {"dirt": "a"}}', r"mine_block\.dirt: expected a whole number"),
    (b'{"mine_block": 1}', "mine_block: expected an object"),
    (b'{"voxels": 1}', "voxels: expected a list, got 1"),
    (b'{"voxels": [{"type": "a", "x": 0, "y": 0}]}', r"voxels\[0\]\.z: expected a whole number"),
    (b'{"voxels": [{"x": 0, "y": 0, "z": 0}]}', r"voxels\[0\]\.type: expected a name"),
    (b'{"mobs": [[]]}', r"mobs\[0\]: expected an object"),
    (b'{"mobs": [{"type": "a", "x": 0, "y": 0, "z": NaN}]}', r"mobs\[0\]\.z: expected a number"),
    (b'{"compassAngle": null}', "compassAngle: expected a number, got None"),
]


@pytest.mark.parametrize(("message", "fault"), WRONG, ids=range(len(WRONG)))
def test_a_wrong_report_is_a_short_fault_that_names_the_key(message, fault):
    with pytest.raises(WireFault, match=fault) as caught:
        read_report(message)
    assert len(str(caught.value)) < 400


def test_a_long_report_is_refused_before_it_is_parsed():
    message = b"[" + b"[]," * (MOST_REPORT // 3) + b"[]]"
    tracemalloc.start()
    try:
        with pytest.raises(WireFault, match=f"expected at most {MOST_REPORT} bytes, got"):
            read_report(message)
        assert tracemalloc.get_traced_memory()[1] < 100_000
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("number", [float("nan"), float("inf")])
def test_no_client_gets_a_number_that_json_lacks(number):
    with pytest.raises(ValueError, match="JSON"):
        report_message(Report(compass=number), MINERL_0_4)
