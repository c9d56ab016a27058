"""Reads the XML of missions, by a parser that XML bombs cannot harm."""

from collections.abc import Callable
from types import MappingProxyType
from typing import Any, Final
from xml.etree.ElementTree import Element, ParseError

from defusedxml.common import DefusedXmlException
from defusedxml.ElementTree import fromstring

from optimus_gym.core.errors import shown
from optimus_gym.worlds.malmo.framing import WireFault
from optimus_gym.worlds.malmo.mission_xml import LANDS, START_FLAGS, START_TEXTS
from optimus_gym.worlds.malmo.missions import (
    BlockGoal,
    ItemGoal,
    Mission,
    Navigation,
    Placement,
    StartStack,
)
from optimus_gym.worlds.malmo.wire_messages import MOST_SEED
from optimus_gym.worlds.malmo.xml_values import (
    any_number,
    any_text,
    attribute_of,
    attribute_or,
    child_of,
    child_text,
    children_of,
    full_text,
    number_from,
    tag_of,
    truth,
    whole_from,
)

_SIDE: Final = whole_from(1, 4096)
"""Width or height of a picture, pixels."""
_COUNT: Final = whole_from(1, 1_000_000)
"""Number of pieces that a reward or an end asks for."""
_DISTANCE: Final = whole_from(0, 1_000_000)
"""Blocks from the start."""
_PLACE: Final = number_from(-3.0e7, 3.0e7)
"""Coordinate inside the world's border; Minecraft Wiki, "World boundary"."""
_SLOT: Final = whole_from(0, 40)
"""Slot of the player's inventory, up to the off hand's."""
_PIECES: Final = whole_from(1, 64)
"""Pieces in a stack at the start; Malmo 0.37.0, `Mission.xsd`."""
_VARIANT: Final = whole_from(0, 32767)
"""Metadata of an item in Minecraft 1.11."""
_START_READERS: Final = MappingProxyType[str, Callable[[str], Any]](
    {
        "gui_scale": any_number,
        "gamma": any_number,
        "fov": any_number,
        "cursor_size": whole_from(0, 4096),
        "biome": any_text,
        "world_file": any_text,
        "seed": whole_from(-MOST_SEED - 1, MOST_SEED),
    }
)
"""Readers of `START_TEXTS`."""
_WITH_FIELDS: Final = frozenset(
    (
        *("VideoProducer", "RewardForPossessingItem", "RewardForTouchingBlockType"),
        *("RewardForDistanceTraveledToCompassTarget", "AgentQuitFromPossessingItem"),
        *("AgentQuitFromCraftingItem", "AgentQuitFromTouchingBlockType"),
    )
)
"""Elements of the agent's handlers that have fields in `Mission`."""
_MISSING: Final = Mission()
"""Values of a mission whose XML does not have them."""


def read_mission(message: bytes) -> Mission:
    """Return the mission that an XML text holds; unknown elements do nothing.

    Raises:
        WireFault: the text is no XML, holds entities or a DTD, is no mission, or has a value that a mission
            cannot have; the message names the element.
    """
    try:
        root = fromstring(message, forbid_dtd=True)
    except (ParseError, DefusedXmlException, ValueError, LookupError) as error:
        raise WireFault(f"mission: expected XML without a DTD, got {shown(str(error))}") from None
    if tag_of(root) != "MissionInit":
        raise WireFault(f"mission: expected the element MissionInit, got {shown(tag_of(root))}")
    server = child_of(root, "Mission", "ServerSection")
    agent = child_of(root, "Mission", "AgentSection")
    handlers = child_of(agent, "AgentHandlers")
    name = child_text(child_of(root, "Mission", "About"), "Summary", any_text, "")
    return Mission(
        name=name or _MISSING.name,
        **_picture(handlers),
        **_sky(child_of(server, "ServerInitialConditions")),
        **_land(child_of(server, "ServerHandlers")),
        **_start(child_of(agent, "AgentStart"), child_of(server, "ServerHandlers")),
        **_goals(handlers),
    )


def _picture(handlers: Element | None) -> dict[str, Any]:
    """Return the size of the picture."""
    video = child_of(handlers, "VideoProducer")
    if video is None:
        return {}
    return {
        "width": child_text(video, "Width", _SIDE, _MISSING.width),
        "height": child_text(video, "Height", _SIDE, _MISSING.height),
        "depth": attribute_or(video, "want_depth", truth, missing=False),
    }


def _sky(start: Element | None) -> dict[str, Any]:
    """Return time of day, weather and whether creatures spawn."""
    time = child_of(start, "Time")
    return {
        "time": child_text(time, "StartTime", whole_from(0, 2**31 - 1), None),
        "time_passes": child_text(time, "AllowPassageOfTime", truth, missing=True),
        "weather": child_text(start, "Weather", any_text, None),
        "creatures": child_text(start, "AllowSpawning", truth, missing=True),
    }


def _land(handlers: Element | None) -> dict[str, Any]:
    """Return the kind of land, the block to be found, and the episode's length."""
    made: dict[str, Any] = {}
    for land, (tag, options) in LANDS.items():
        generator = child_of(handlers, tag)
        if generator is not None:
            made = {"land": land, "land_options": generator.get(options) or ""}
    limit = child_of(handlers, "ServerQuitFromTimeUp")
    if limit is not None:
        made["seconds"] = attribute_of(limit, "timeLimitMs", number_from(0, 1e12)) / 1000
    decorator = child_of(handlers, "NavigationDecorator")
    if decorator is not None:
        made["navigation"] = _navigation(decorator)
    return made


def _navigation(decorator: Element) -> Navigation:
    """Return the block to be found.

    Raises:
        WireFault: a least distance is greater than its most distance.
    """
    places = child_of(decorator, "randomPlacementProperties")
    made = Navigation(
        block=child_text(places, "block", full_text, "diamond_block"),
        least_radius=child_text(places, "minRandomizedRadius", _DISTANCE, 0),
        most_radius=child_text(places, "maxRandomizedRadius", _DISTANCE, 0),
        least_distance=child_text(decorator, "minRandomizedDistance", _DISTANCE, 0),
        most_distance=child_text(decorator, "maxRandomizedDistance", _DISTANCE, 0),
        random_compass=child_text(decorator, "randomizeCompassLocation", truth, missing=False),
    )
    for least, most in (
        (made.least_radius, made.most_radius),
        (made.least_distance, made.most_distance),
    ):
        if least > most:
            raise WireFault(
                f"NavigationDecorator: expected a maximum of at least {least}, got {most}"
            )
    return made


def _start(start: Element | None, decorators: Element | None) -> dict[str, Any]:
    """Return what the agent begins with."""
    made: dict[str, Any] = {
        name: child_text(start, tag, _START_READERS[name], None) for name, tag in START_TEXTS
    }
    made |= {name: child_text(start, tag, truth, missing=False) for name, tag in START_FLAGS}
    if child_of(decorators, "VillageSpawnDecorator") is not None:  # MineRL 0.4.4
        made["in_village"] = True
    place = child_of(start, "Placement")
    if place is not None:
        x, y, z = (attribute_of(place, axis, _PLACE) for axis in "xyz")
        made["placement"] = Placement(
            x,
            y,
            z,
            yaw=attribute_or(place, "yaw", any_number, 0.0),
            pitch=attribute_or(place, "pitch", any_number, 0.0),
        )
    made["inventory"] = tuple(
        StartStack(
            slot=attribute_of(entry, "slot", _SLOT),
            item=attribute_of(entry, "type", full_text),
            count=attribute_or(entry, "quantity", _PIECES, 1),
            metadata=attribute_or(entry, "metadata", _VARIANT, 0),
        )
        for entry in children_of(child_of(start, "Inventory"), "InventoryObject")
    )
    return made | _vitals(start)


def _vitals(start: Element | None) -> dict[str, Any]:
    """Return health and food at the start."""
    made: dict[str, Any] = {}
    # MineRL 0.4.4 writes food with a saturation as a second StartingHealth.
    for entry in (*children_of(start, "StartingHealth"), *children_of(start, "StartingFood")):
        if "food" in entry.attrib or tag_of(entry) == "StartingFood":
            made["food"] = attribute_or(entry, "food", whole_from(0, 20), 20)
        else:
            most = attribute_or(entry, "maxHealth", number_from(0, 1024), 20.0)
            made["health"] = attribute_or(entry, "health", number_from(0, 1024), most)
    return made


def _goals(handlers: Element | None) -> dict[str, Any]:
    """Return what is rewarded, what ends the episode, and the names of the other handlers."""
    possession = child_of(handlers, "RewardForPossessingItem")
    compass = child_of(handlers, "RewardForDistanceTraveledToCompassTarget")
    others = [] if handlers is None else [tag_of(child) for child in handlers]
    return {
        "handlers": frozenset(others) - _WITH_FIELDS,
        "once": possession is None or attribute_or(possession, "sparse", truth, missing=True),
        "possessions": _item_goals(possession),
        "touched": tuple(
            BlockGoal(
                block=attribute_of(entry, "type", full_text),
                reward=attribute_of(entry, "reward", any_number),
                once=attribute_or(entry, "behaviour", any_text, "onceOnly") == "onceOnly",
            )
            for entry in children_of(child_of(handlers, "RewardForTouchingBlockType"), "Block")
        ),
        "compass_reward": None
        if compass is None
        else attribute_or(compass, "rewardPerBlock", any_number, 1.0),
        "ends_with": _item_goals(child_of(handlers, "AgentQuitFromPossessingItem")),
        "ends_crafting": _item_goals(child_of(handlers, "AgentQuitFromCraftingItem")),
        "ends_touching": tuple(
            attribute_of(entry, "type", full_text)
            for entry in children_of(child_of(handlers, "AgentQuitFromTouchingBlockType"), "Block")
        ),
    }


def _item_goals(element: Element | None) -> tuple[ItemGoal, ...]:
    return tuple(
        ItemGoal(
            item=attribute_of(entry, "type", full_text),
            count=attribute_or(entry, "amount", _COUNT, 1),
            reward=attribute_or(entry, "reward", any_number, 0.0),
        )
        for entry in children_of(element, "Item")
    )
