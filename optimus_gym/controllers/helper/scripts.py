"""The helper's scripts by verb."""

from collections.abc import Callable, Mapping

from optimus_gym.controllers.body import Body
from optimus_gym.controllers.hands import Hands
from optimus_gym.controllers.helper.functions import craft, equip, smelt
from optimus_gym.controllers.helper.putting import place, place_by_trying
from optimus_gym.controllers.helper.recovering import recover
from optimus_gym.controllers.script import Script
from optimus_gym.core.types import RECOVER, SubGoal

BY_HAND: Mapping[str, Callable[[Hands, SubGoal], Script]] = {
    "craft": craft,
    "smelt": smelt,
    "equip": equip,
    "place": place_by_trying,
    RECOVER: recover,
}
"""Scripts for any world."""
SCRIPTS: Mapping[str, Callable[[Body, SubGoal], Script]] = {**BY_HAND, "place": place}
"""Scripts for a world whose arrays may be read."""
