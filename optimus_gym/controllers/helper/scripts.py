"""The helper's scripts, one for each verb of a sub-goal that the helper carries out."""

from collections.abc import Callable, Mapping

from optimus_gym.controllers.body import Body
from optimus_gym.controllers.hands import Hands
from optimus_gym.controllers.helper.functions import (
    craft_by_function,
    equip_by_function,
    smelt_by_function,
)
from optimus_gym.controllers.helper.putting import place, place_by_trying
from optimus_gym.controllers.helper.recovering import recover
from optimus_gym.controllers.helper.shafts import dig_to_height, dig_to_sky
from optimus_gym.controllers.helper.using import use_held_item
from optimus_gym.controllers.script import Script
from optimus_gym.core.types import RECOVER, SubGoal

HAND_SCRIPTS: Mapping[str, Callable[[Hands, SubGoal], Script]] = {
    "craft": craft_by_function,
    "smelt": smelt_by_function,
    "equip": equip_by_function,
    "place": place_by_trying,
    RECOVER: recover,
    "dig_down": dig_to_height,
    "dig_up": dig_to_sky,
    "use": use_held_item,
}
"""For each verb, the script that works in any world, even if its blocks cannot be read."""
BODY_SCRIPTS: Mapping[str, Callable[[Body, SubGoal], Script]] = {**HAND_SCRIPTS, "place": place}
"""For each verb, the script for a world whose blocks can be read."""
