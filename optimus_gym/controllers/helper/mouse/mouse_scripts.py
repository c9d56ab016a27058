"""The scripts of the helper by mouse, one for each verb of a sub-goal that it carries out."""

from collections.abc import Callable, Mapping

from optimus_gym.controllers.helper.mouse.making import (
    craft_by_mouse,
    equip_by_mouse,
    smelt_by_mouse,
)
from optimus_gym.controllers.helper.mouse.pointing import ByMouse, MouseBody
from optimus_gym.controllers.helper.putting import place, place_by_trying
from optimus_gym.controllers.helper.recovering import recover
from optimus_gym.controllers.helper.shafts import dig_to_height, dig_to_sky
from optimus_gym.controllers.helper.using import use_held_item
from optimus_gym.controllers.script import Script
from optimus_gym.core.types import RECOVER, SubGoal

HANDS_BY_MOUSE: Mapping[str, Callable[[ByMouse, SubGoal], Script]] = {
    "craft": craft_by_mouse,
    "smelt": smelt_by_mouse,
    "equip": equip_by_mouse,
    "place": place_by_trying,
    RECOVER: recover,
    "dig_down": dig_to_height,
    "dig_up": dig_to_sky,
    "use": use_held_item,
}
"""For each verb, the script that works in any world with a mouse, even if its blocks cannot be read."""
BODY_BY_MOUSE: Mapping[str, Callable[[MouseBody, SubGoal], Script]] = {
    **HANDS_BY_MOUSE,
    "place": place,
}
"""For each verb, the script for a world with a mouse whose blocks can be read."""
