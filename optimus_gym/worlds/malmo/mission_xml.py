"""Missions as XML, written as MineRL's clients write them; `mission_reading` reads them.

Source: `mission.xml.j2`, `_multiagent.py` and the handlers of MineRL 0.4.4 and MineStudio 1.1.6.
"""

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final
from xml.etree.ElementTree import Element, SubElement, tostring

from optimus_gym.core.errors import BadValue, shown
from optimus_gym.worlds.malmo.missions import LandKind, Mission, Navigation
from optimus_gym.worlds.malmo.wire_messages import VERSION
from optimus_gym.worlds.malmo.xml_values import XML_NAMESPACE

_TICK_MS: Final = 50
LANDS: Final[Mapping[LandKind, tuple[str, str]]] = MappingProxyType(
    {
        "default": ("DefaultWorldGenerator", "generatorOptions"),
        "flat": ("FlatWorldGenerator", "generatorString"),
        "biome": ("BiomeGenerator", "biome"),
        "file": ("FileWorldGenerator", "src"),
    }
)
"""For each kind of land, its element and the attribute with its options."""
START_TEXTS: Final = (
    ("gui_scale", "GuiScale"),
    ("gamma", "GammaSetting"),
    ("fov", "FOVSetting"),
    ("cursor_size", "FakeCursorSize"),
    ("biome", "PreferredSpawnBiome"),
    ("world_file", "LoadWorldFile"),
    ("seed", "WorldSeed"),
)
"""Fields of a mission that are texts of elements at the agent's start; fields that are None are left out."""
START_FLAGS: Final = (
    ("low_level", "LowLevelInputs"),
    ("in_village", "SpawnInVillage"),
    ("ends_at_death", "DoneOnDeath"),
)
"""Fields of a mission that are true if the element stands at the agent's start."""
_PORTS: Final = (
    *("ClientMissionControl", "ClientCommands", "AgentMissionControl", "AgentVideo", "AgentDepth"),
    *("AgentLuminance", "AgentObservations", "AgentRewards", "AgentColourMap"),
)
"""Ports that a mission names and the game chooses; all are 0."""
_HANDLER_ATTRIBUTES: Final[Mapping[str, Mapping[str, bool]]] = MappingProxyType(
    {"ObservationFromFullInventory": MappingProxyType({"flat": False})}
)
"""Attributes that handlers have in every client's missions; without this one the game's report would have a
key for each slot in place of a list of stacks."""
_NO_TEXT: Final = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that XML cannot hold."""
_TAG: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_.-]*")


def write_mission(mission: Mission, episode: str) -> bytes:
    """Return a mission's XML for the episode with a name.

    Raises:
        BadValue: a text of the mission has characters that XML cannot hold, or a handler is no tag.
    """
    root = Element(
        "MissionInit", {"xmlns": XML_NAMESPACE, "SchemaVersion": "", "PlatformVersion": VERSION}
    )
    body = SubElement(root, "Mission")
    _put(SubElement(body, "About"), "Summary", mission.name)
    _put(SubElement(body, "ModSettings"), "MsPerTick", _TICK_MS)
    _write_server(SubElement(body, "ServerSection"), mission)
    agent = SubElement(body, "AgentSection", {"mode": "Survival"})
    _put(agent, "Name", "MineRLAgent0")
    _write_start(SubElement(agent, "AgentStart"), mission)
    _write_handlers(SubElement(agent, "AgentHandlers"), mission)
    _put(root, "ExperimentUID", episode)
    _put(root, "ClientRole", 0)
    connection = SubElement(root, "ClientAgentConnection")
    for owner in ("Client", "Agent"):
        _put(connection, f"{owner}IPAddress", "127.0.0.1")
    for port in _PORTS:
        _put(connection, f"{port}Port", 0)
    return tostring(root)


def _put(parent: Element, tag: str, value: Any = None, **attributes: Any) -> Element:
    """Add an element with a text and attributes; None leaves the text out."""
    made = SubElement(parent, tag, {key: _said(each) for key, each in attributes.items()})
    if value is not None:
        made.text = _said(value)
    return made


def _said(value: Any) -> str:
    text = str(value).lower() if isinstance(value, bool) else str(value)
    if _NO_TEXT.search(text):
        raise BadValue(f"mission: expected a text that XML can hold, got {shown(text)}")
    return text


def _write_server(server: Element, mission: Mission) -> None:
    """Write the land, the sky and the end by time."""
    start = SubElement(server, "ServerInitialConditions")
    time = SubElement(start, "Time")
    if mission.time is not None:
        _put(time, "StartTime", mission.time)
    _put(time, "AllowPassageOfTime", mission.time_passes)
    if mission.weather is not None:
        _put(start, "Weather", mission.weather)
    _put(start, "AllowSpawning", mission.creatures)
    handlers = SubElement(server, "ServerHandlers")
    tag, options = LANDS[mission.land]
    _put(handlers, tag, **{"forceReset": True, options: mission.land_options})
    if mission.navigation is not None:
        _write_navigation(handlers, mission.navigation)
    if mission.seconds is not None:
        limit = round(mission.seconds * 1000)
        _put(handlers, "ServerQuitFromTimeUp", timeLimitMs=limit, description="out_of_time")
    _put(handlers, "ServerQuitWhenAnyAgentFinishes")


def _write_navigation(handlers: Element, goal: Navigation) -> None:
    decorator = SubElement(handlers, "NavigationDecorator")
    places = SubElement(decorator, "randomPlacementProperties")
    _put(places, "maxRandomizedRadius", goal.most_radius)
    _put(places, "minRandomizedRadius", goal.least_radius)
    _put(places, "block", goal.block)
    _put(places, "placement", "surface")
    _put(decorator, "minRandomizedDistance", goal.least_distance)
    _put(decorator, "maxRandomizedDistance", goal.most_distance)
    _put(decorator, "randomizeCompassLocation", goal.random_compass)


def _write_start(start: Element, mission: Mission) -> None:
    """Write what the agent begins with."""
    for name, tag in START_FLAGS:
        if getattr(mission, name):
            _put(start, tag, True)
    for name, tag in START_TEXTS:
        value = getattr(mission, name)
        if value is not None:
            _put(start, tag, value)
    if mission.placement is not None:
        place = mission.placement
        _put(start, "Placement", x=place.x, y=place.y, z=place.z, yaw=place.yaw, pitch=place.pitch)
    if mission.health is not None:
        _put(start, "StartingHealth", maxHealth=20, health=mission.health)
    if mission.food is not None:
        _put(start, "StartingFood", food=mission.food)
    if mission.inventory:
        stacks = SubElement(start, "Inventory")
        for stack in mission.inventory:
            variant = {"metadata": stack.metadata} if stack.metadata else {}
            _put(
                stacks,
                "InventoryObject",
                slot=stack.slot,
                type=stack.item,
                quantity=stack.count,
                **variant,
            )


def _write_handlers(handlers: Element, mission: Mission) -> None:
    """Write what the agent sees and may do, what is rewarded, and what ends the episode."""
    video = _put(handlers, "VideoProducer", want_depth=mission.depth)
    _put(video, "Width", mission.width)
    _put(video, "Height", mission.height)
    for tag in sorted(mission.handlers):
        if not _TAG.fullmatch(tag):
            raise BadValue(f"mission: expected the tag of a handler, got {shown(tag)}")
        _put(handlers, tag, **_HANDLER_ATTRIBUTES.get(tag, {}))
    if mission.possessions:
        rewards = _put(handlers, "RewardForPossessingItem", sparse=mission.once, excludeLoops=True)
        for goal in mission.possessions:
            _put(rewards, "Item", amount=goal.count, reward=goal.reward, type=goal.item)
    if mission.touched:
        rewards = SubElement(handlers, "RewardForTouchingBlockType")
        for block in mission.touched:
            behaviour = "onceOnly" if block.once else "constant"
            _put(rewards, "Block", reward=block.reward, type=block.block, behaviour=behaviour)
    if mission.compass_reward is not None:
        _put(
            handlers,
            "RewardForDistanceTraveledToCompassTarget",
            rewardPerBlock=mission.compass_reward,
            density="PER_TICK",
        )
    for tag, goals in (
        ("AgentQuitFromPossessingItem", mission.ends_with),
        ("AgentQuitFromCraftingItem", mission.ends_crafting),
    ):
        if goals:
            ends = SubElement(handlers, tag)
            for goal in goals:
                _put(ends, "Item", type=goal.item, amount=goal.count)
    if mission.ends_touching:
        ends = SubElement(handlers, "AgentQuitFromTouchingBlockType")
        for name in mission.ends_touching:
            _put(ends, "Block", type=name)
