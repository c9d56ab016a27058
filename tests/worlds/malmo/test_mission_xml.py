"""Missions: written as XML and read back; missions of the clients' form; XML that harms or makes no sense."""

import tracemalloc

import pytest
from hypothesis import given, settings

from optimus_gym.core.errors import BadValue
from optimus_gym.worlds.malmo.dialects import MINERL_0_4, MINERL_1_0, MINESTUDIO
from optimus_gym.worlds.malmo.framing import MOST_COMMAND, WireFault
from optimus_gym.worlds.malmo.mission_reading import read_mission
from optimus_gym.worlds.malmo.mission_xml import write_mission
from optimus_gym.worlds.malmo.missions import (
    BlockGoal,
    ItemGoal,
    Mission,
    Navigation,
    Placement,
    StartStack,
    dialect_of,
)
from optimus_gym.worlds.malmo.wire_messages import command_of
from tests.worlds.malmo.values import missions

HEAD = '<MissionInit xmlns="http://ProjectMalmo.microsoft.com" PlatformVersion="0.37.0">'
OF_MINERL_0_4 = """
<Mission><About><Summary>MineRLNavigateDense-v0</Summary></About>
<ServerSection><ServerInitialConditions>
  <Time><StartTime>6000</StartTime><AllowPassageOfTime>false</AllowPassageOfTime></Time>
  <Weather>clear</Weather><AllowSpawning>false</AllowSpawning>
</ServerInitialConditions><ServerHandlers>
  <BiomeGenerator forceReset="true" biome="3"/><NavigationDecorator><randomPlacementProperties>
    <maxRandomizedRadius>64</maxRandomizedRadius><minRandomizedRadius>60</minRandomizedRadius>
    <maxRadius>8</maxRadius><block>diamond_block</block><placement>surface</placement>
  </randomPlacementProperties><minRandomizedDistance>1</minRandomizedDistance>
  <maxRandomizedDistance>8</maxRandomizedDistance>
  <randomizeCompassLocation>true</randomizeCompassLocation></NavigationDecorator>
  <VillageSpawnDecorator/>
  <ServerQuitFromTimeUp timeLimitMs="300000" description="out_of_time"/>
  <ServerQuitWhenAnyAgentFinishes/></ServerHandlers></ServerSection>
<AgentSection mode="Survival"><Name>MineRLAgent0</Name><AgentStart>
  <Inventory><InventoryObject slot="0" type="compass" metadata="0" quantity="1"/>
    <InventoryObject slot="1" type="planks" metadata="2" quantity="64"/></Inventory>
  <StartingHealth maxHealth="20" health="2.5"/><StartingHealth food="7" foodSaturation="1"/>
</AgentStart><AgentHandlers><FileBasedPerformanceProducer/>
  <VideoProducer want_depth="false"><Width>64 </Width><Height>64</Height></VideoProducer>
  <ObservationFromCompass/><PlaceCommands/>
  <RewardForPossessingItem sparse="false" excludeLoops="true">
    <Item amount="1" reward="1" type="log"/><Item amount="1" reward="2.5" type="planks"/>
  </RewardForPossessingItem>
  <RewardForTouchingBlockType>
    <Block reward="100.0" type="diamond_block" behaviour="onceOnly"/></RewardForTouchingBlockType>
  <RewardForDistanceTraveledToCompassTarget rewardPerBlock="1" density="PER_TICK"/>
  <AgentQuitFromTouchingBlockType><Block type="diamond_block"/></AgentQuitFromTouchingBlockType>
  <AgentQuitFromPossessingItem><Item type="diamond" amount="1"/></AgentQuitFromPossessingItem>
  <AgentQuitFromCraftingItem><Item type="bed" amount="2"/></AgentQuitFromCraftingItem>
</AgentHandlers></AgentSection></Mission></MissionInit>"""
"""A mission with most handlers of MineRL 0.4.4, in the form of its templates."""
OF_MINESTUDIO = """
<Mission><About><Summary>MineRLHumanSurvival-v0</Summary></About><AgentSection mode="Survival">
<AgentStart><LowLevelInputs>true</LowLevelInputs><GuiScale>1.0</GuiScale>
  <GammaSetting>2.0</GammaSetting><FOVSetting>70.0</FOVSetting><FakeCursorSize>16</FakeCursorSize>
  <Inventory><InventoryObject slot="5" type="oak_log" quantity="3"/></Inventory>
  <PreferredSpawnBiome>forest</PreferredSpawnBiome><DoneOnDeath>true</DoneOnDeath></AgentStart>
<AgentHandlers><VideoProducer want_depth="false"><Width>640</Width><Height>360</Height>
  </VideoProducer><HumanLevelCommands/><ChatCommands> </ChatCommands></AgentHandlers>
</AgentSection></Mission></MissionInit>"""
"""A mission of MineStudio, without the parts that say what is the default."""


def read(text):
    return read_mission((HEAD + text).encode())


def with_start(xml):
    """Return a mission whose agent's start holds an element."""
    return read(
        "<Mission><AgentSection><AgentStart>"
        f"{xml}</AgentStart></AgentSection></Mission></MissionInit>"
    )


def with_handlers(xml):
    """Return a mission whose agent's handlers hold an element."""
    return read(
        "<Mission><AgentSection><AgentHandlers>"
        f"{xml}</AgentHandlers></AgentSection></Mission></MissionInit>"
    )


def with_server(xml):
    """Return a mission whose server's handlers hold an element."""
    return read(
        "<Mission><ServerSection><ServerHandlers>"
        f"{xml}</ServerHandlers></ServerSection></Mission></MissionInit>"
    )


@settings(max_examples=40)
@given(mission=missions())
def test_a_mission_comes_back(mission):
    message = write_mission(mission, "e")
    assert command_of(message) == "mission"
    assert read_mission(message) == mission


def test_a_mission_of_minerl_0_4_4_is_read():
    mission = read(OF_MINERL_0_4)
    assert dialect_of(mission) is MINERL_0_4
    assert mission == Mission(
        name="MineRLNavigateDense-v0",
        width=64,
        height=64,
        time=6000,
        time_passes=False,
        weather="clear",
        creatures=False,
        land="biome",
        land_options="3",
        seconds=300.0,
        inventory=(StartStack(0, "compass"), StartStack(1, "planks", 64, 2)),
        in_village=True,
        health=2.5,
        food=7,
        handlers=frozenset(
            {"FileBasedPerformanceProducer", "ObservationFromCompass", "PlaceCommands"}
        ),
        possessions=(ItemGoal("log", 1, 1.0), ItemGoal("planks", 1, 2.5)),
        once=False,
        touched=(BlockGoal("diamond_block", 100.0),),
        compass_reward=1.0,
        ends_with=(ItemGoal("diamond"),),
        ends_crafting=(ItemGoal("bed", 2),),
        ends_touching=("diamond_block",),
        navigation=Navigation("diamond_block", 60, 64, 1, 8, random_compass=True),
    )


@pytest.mark.parametrize("text", [OF_MINERL_0_4, OF_MINESTUDIO])
def test_a_mission_that_was_read_is_written_as_the_same(text):
    mission = read(text)
    assert read_mission(write_mission(mission, "e")) == mission


def test_a_mission_of_minestudio_is_read():
    mission = read(OF_MINESTUDIO)
    assert dialect_of(mission) is MINESTUDIO
    assert mission == Mission(
        gui_scale=1.0,
        gamma=2.0,
        fov=70.0,
        cursor_size=16,
        low_level=True,
        inventory=(StartStack(5, "oak_log", 3),),
        biome="forest",
        ends_at_death=True,
        handlers=frozenset({"HumanLevelCommands", "ChatCommands"}),
    )


def test_a_client_is_known_by_its_mission():
    assert dialect_of(Mission(gui_scale=1.0, handlers=frozenset({"CameraCommands"}))) is MINERL_1_0
    assert dialect_of(Mission(handlers=frozenset({"ChatCommands"}))) is MINESTUDIO
    assert dialect_of(Mission()) is MINERL_0_4


def test_an_empty_mission_and_one_without_the_namespace_have_the_defaults():
    assert read("</MissionInit>") == Mission()
    assert read_mission(b"<MissionInit/>") == Mission()
    plain = f"<MissionInit>{OF_MINESTUDIO}"
    assert read_mission(plain.encode()) == read(OF_MINESTUDIO)


def test_unknown_elements_do_nothing():
    assert with_start('<Velocity x="1"/><Dance>yes</Dance>') == Mission()
    assert with_server('<RemoteServer>example.org</RemoteServer><Draw a="b"/>') == Mission()


def test_attributes_may_be_missing_where_the_game_has_a_default():
    assert with_start("<StartingHealth/>").health == 20.0
    assert with_start('<StartingHealth maxHealth="6"/>').health == 6.0
    assert with_start("<StartingFood/>").food == 20
    assert with_start('<StartingFood food="3"/>').food == 3
    assert with_start('<Placement x="1" y="2.5" z="-3"/>').placement == Placement(1, 2.5, -3)
    assert with_server('<FileWorldGenerator src="a.zip"/>').land_options == "a.zip"
    assert with_handlers("<RewardForDistanceTraveledToCompassTarget/>").compass_reward == 1.0


BOMB = (
    '<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa">'
    + "".join(f'<!ENTITY {chr(98 + k)} "{("&" + chr(97 + k) + ";") * 10}">' for k in range(8))
    + "]><MissionInit>&i;</MissionInit>"
)
"""Nine entities, the last of a billion letters."""


@pytest.mark.parametrize(
    "message",
    [
        *(b"", b"<MissionInit", b"\xff\xfe<", b"<MissionInit>" + b"\x00" * 99, b"<a></b>"),
        BOMB.encode(),
        b'<!DOCTYPE x SYSTEM "http://127.0.0.1:9/x.dtd"><MissionInit/>',
        b"<!DOCTYPE x><MissionInit/>",
        b'<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/hostname">]><MissionInit>&a;</MissionInit>',
        b"<MissionInit>&undefined;</MissionInit>",
        b'<?xml version="1.0" encoding="nonsense"?><MissionInit/>',
        b'<?xml version="1.0" encoding="utf-32"?><MissionInit/>',
        b'<?xml version="1.0" encoding="\xff"?><MissionInit/>',
        b"<MissionInit>" * 1000,
    ],
)
def test_what_is_no_harmless_xml_is_a_short_fault(message):
    with pytest.raises(WireFault, match=r"mission: expected XML without a DTD, got") as caught:
        read_mission(message)
    assert len(str(caught.value)) < 300


def test_another_root_is_a_fault():
    with pytest.raises(WireFault, match="expected the element MissionInit, got 'Mission'"):
        read_mission(b"<Mission/>")
    with pytest.raises(WireFault, match="expected the element MissionInit, got") as caught:
        read_mission(b"<" + b"x" * 100_000 + b"/>")
    assert len(str(caught.value)) < 300


@pytest.mark.parametrize("whole", ["<a>" * 37_000 + "</a>" * 37_000, "<a/>" * 65_000])
def test_deep_and_wide_xml_takes_bounded_memory(whole):
    message = (HEAD + whole + "</MissionInit>").encode()
    assert MOST_COMMAND * 0.95 < len(message) < MOST_COMMAND
    tracemalloc.start()
    try:
        assert read_mission(message) == Mission()
        assert tracemalloc.get_traced_memory()[1] < 100 * MOST_COMMAND
    finally:
        tracemalloc.stop()


LONG = "9" * 5000
OF_START = [
    ("<GuiScale>big</GuiScale>", "GuiScale: expected a number from .*, got 'big'"),
    ("<GammaSetting>nan</GammaSetting>", "GammaSetting: expected a number"),
    ("<FOVSetting>inf</FOVSetting>", "FOVSetting: expected a number"),
    ("<FakeCursorSize>1.5</FakeCursorSize>", "FakeCursorSize: expected a whole number from 0 to"),
    ("<FakeCursorSize/>", "FakeCursorSize: expected a whole number from 0 to 4096, got ''"),
    (f"<WorldSeed>{2**63}</WorldSeed>", "WorldSeed: expected a whole number from -9223"),
    (f"<WorldSeed>{LONG}</WorldSeed>", "WorldSeed: expected a whole number from -9223"),
    ("<DoneOnDeath>1</DoneOnDeath>", "DoneOnDeath: expected true or false, got '1'"),
    ('<Placement x="1" y="2"/>', r"Placement\.z: expected a value, got no such attribute"),
    ('<Placement x="1e9" y="0" z="0"/>', r"Placement\.x: expected a number from -3e\+07 to"),
    ('<StartingFood food="2.5"/>', r"StartingFood\.food: expected a whole number from 0 to 20"),
    ('<StartingHealth health="-1"/>', r"StartingHealth\.health: expected a number from 0 to 1024"),
]
STACK = '<Inventory><InventoryObject slot="0" type="stick" {}/></Inventory>'
OF_STACKS = [
    ('quantity="0"', r"InventoryObject\.quantity: expected a whole number from 1 to 64, got '0'"),
    ('quantity="65"', r"InventoryObject\.quantity: expected a whole number from 1 to 64"),
    ('metadata="-1"', r"InventoryObject\.metadata: expected a whole number from 0 to 32767"),
]
OF_HANDLERS = [
    (
        "<VideoProducer><Width>0</Width></VideoProducer>",
        "Width: expected a whole number from 1 to 4096, got '0'",
    ),
    (
        f"<VideoProducer><Height>{LONG}</Height></VideoProducer>",
        "Height: expected a whole number from 1 to 4096, got '999",
    ),
    ('<VideoProducer want_depth="yes"/>', r"VideoProducer\.want_depth: expected true or false"),
    (
        '<RewardForPossessingItem sparse="no"/>',
        r"RewardForPossessingItem\.sparse: expected true or false, got 'no'",
    ),
    (
        '<RewardForPossessingItem><Item reward="1"/></RewardForPossessingItem>',
        r"Item\.type: expected a value, got no such attribute",
    ),
    (
        '<RewardForPossessingItem><Item type=" "/></RewardForPossessingItem>',
        r"Item\.type: expected a text, got ' '",
    ),
    (
        '<AgentQuitFromPossessingItem><Item type="a" amount="0"/></AgentQuitFromPossessingItem>',
        r"Item\.amount: expected a whole number from 1 to 1000000, got '0'",
    ),
    (
        '<RewardForTouchingBlockType><Block type="a"/></RewardForTouchingBlockType>',
        r"Block\.reward: expected a value",
    ),
    ("<VideoProducer/>" * 65, "VideoProducer: expected at most 64 elements, got 65"),
]
OF_SERVER = [
    ("<ServerQuitFromTimeUp/>", r"ServerQuitFromTimeUp\.timeLimitMs: expected a value"),
    ('<ServerQuitFromTimeUp timeLimitMs="-1"/>', r"timeLimitMs: expected a number from 0 to"),
    (
        "<NavigationDecorator><minRandomizedDistance>9</minRandomizedDistance>"
        "</NavigationDecorator>",
        "NavigationDecorator: expected a maximum of at least 9, got 0",
    ),
]


@pytest.mark.parametrize(
    ("made", "xml", "fault"),
    [
        *((with_start, *row) for row in OF_START),
        *((with_start, STACK.format(said), fault) for said, fault in OF_STACKS),
        *((with_handlers, *row) for row in OF_HANDLERS),
        *((with_server, *row) for row in OF_SERVER),
    ],
)
def test_a_value_that_no_mission_has_is_a_short_fault_that_names_the_element(made, xml, fault):
    with pytest.raises(WireFault, match=fault) as caught:
        made(xml)
    assert len(str(caught.value)) < 300


@pytest.mark.parametrize("slot", ["41", "-1", "x"])
def test_a_slot_beyond_the_players_is_a_fault(slot):
    with pytest.raises(
        WireFault, match=r"InventoryObject\.slot: expected a whole number from 0 to"
    ):
        with_start(f'<Inventory><InventoryObject slot="{slot}" type="stick"/></Inventory>')


def test_texts_that_xml_cannot_hold_are_refused_when_written():
    with pytest.raises(BadValue, match=r"a text that XML can hold, got 'a\\x00'"):
        write_mission(Mission(name="a\x00"), "e")
    with pytest.raises(BadValue, match="a text that XML can hold"):
        write_mission(Mission(land_options="\ud800"), "e")
    with pytest.raises(BadValue, match="the tag of a handler, got 'a b'"):
        write_mission(Mission(handlers=frozenset({"a b"})), "e")


def test_texts_cannot_add_elements():
    name = '</Summary><X a="b">&amp;'
    mission = Mission(name=name, land_options='"/><Y/>', biome="<Z/>")
    assert read_mission(write_mission(mission, "e")) == mission


def test_the_inventory_is_asked_for_as_a_list_of_stacks():
    asked = frozenset({"ObservationFromFullInventory"})
    text = write_mission(Mission(handlers=asked), "episode")
    assert b'<ObservationFromFullInventory flat="false" />' in text
    assert read_mission(text).handlers == asked
