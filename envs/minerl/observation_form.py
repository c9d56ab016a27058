"""Converts pictures and reports of the game to observations of MineRL's tasks."""

from collections.abc import Callable, Collection
from copy import deepcopy
from typing import Any, Final, TypeAlias

import numpy as np
from gymnasium.spaces import Box, Dict, Space
from numpy.typing import NDArray

from optimus_gym.envs.minerl.enum_space import EnumSpace
from optimus_gym.envs.minerl.life_and_place import (
    LIFE_SPACE,
    PLACE_SPACE,
    bounded,
    life_of,
    location_of,
    scalar,
)
from optimus_gym.envs.minerl.minerl_tasks import MineRLTask
from optimus_gym.envs.minerl.statistics_form import statistics_of, statistics_spaces
from optimus_gym.worlds.malmo.games import WireMoment
from optimus_gym.worlds.malmo.reports import AIR_NAME, Report, Worn

_COUNT: Final = scalar(0, 2304, np.int32)
"""Pieces of an item: 36 slots of 64."""
_DAMAGE: Final = scalar(-1, 1562, np.int64)
"""Uses of a tool so far, and most uses."""
_ANGLE: Final = scalar(-180, 180, np.float32)
OTHER_ITEM: Final = "other"
_Reader: TypeAlias = Callable[[Report], Any]


class ObservationForm:
    """The observations of a task: their space, and their conversion.

    Attributes:
        space: `pov` uint8[height, width, 3], and what the task's fields name. Numbers are arrays without
            dimensions, which cannot be written, since the zeros of an observation are one array; names are
            texts.
    """

    def __init__(self, task: MineRLTask) -> None:
        self._readers: dict[str, _Reader] = {}
        size = (task.mission.height, task.mission.width, 3)
        self._spaces: dict[str, Space[Any]] = {"pov": Box(0, 255, size, np.uint8)}
        if task.inventory:
            self._add_inventory(task)
        if task.worn:
            self._add_worn(task)
        if task.compass:
            self._add("compass", Dict({"angle": _ANGLE}), _compass_of)
        if task.statistics:
            self._add("life_stats", LIFE_SPACE, lambda report: life_of(report.life))
            self._add("location_stats", PLACE_SPACE, lambda report: location_of(report.location))
            self._spaces |= statistics_spaces()
        self._has_statistics = task.statistics
        # A copy: environments share no random generators.
        self.space = deepcopy(Dict(self._spaces))

    def _add(self, key: str, space: Space[Any], reader: _Reader) -> None:
        self._spaces[key] = space
        self._readers[key] = reader

    def _add_inventory(self, task: MineRLTask) -> None:
        names: dict[str, Space[Any]] = dict.fromkeys(sorted(task.inventory), _COUNT)
        self._add("inventory", Dict(names), lambda report: _counts_of(report, names))

    def _add_worn(self, task: MineRLTask) -> None:
        types = tuple(sorted(task.types))
        one = Dict({"damage": _DAMAGE, "maxDamage": _DAMAGE, "type": EnumSpace(types, AIR_NAME)})
        known = frozenset(types)
        self._add(
            "equipped_items",
            Dict(dict.fromkeys(sorted(task.worn), one)),
            lambda report: {
                name: _worn_of(report.worn.get(name, Worn()), known) for name in sorted(task.worn)
            },
        )

    def observation(self, moment: WireMoment) -> dict[str, Any]:
        """Return what a moment shows; the picture is a copy."""
        report = moment.report
        made: dict[str, Any] = {"pov": _picture(moment.picture)}
        made |= {key: reader(report) for key, reader in self._readers.items()}
        if self._has_statistics:
            made |= statistics_of(report.statistics)
        return {key: made[key] for key in self.space.spaces}


def _picture(picture: NDArray[np.uint8]) -> NDArray[np.uint8]:
    return np.array(picture[..., :3], np.uint8, order="C")


def old_log(name: str) -> str:
    """Return an item's name, with Minecraft 1.11's second kind of logs counted as logs, as MineRL does."""
    return "log" if name == "log2" else name


def _counts_of(report: Report, names: Collection[str]) -> dict[str, Any]:
    """Return the pieces of each item; items outside the task's list are left out."""
    found: dict[str, int] = {}
    for stack in report.stacks:
        name = stack.item if stack.item in names else old_log(stack.item)
        if name in names:
            found[name] = found.get(name, 0) + stack.count
    made = dict.fromkeys(names, bounded(0, _COUNT))
    return {**made, **{name: bounded(count, _COUNT) for name, count in found.items()}}


def _worn_of(worn: Worn, known: frozenset[str]) -> dict[str, Any]:
    stranger = OTHER_ITEM if OTHER_ITEM in known else AIR_NAME
    return {
        "damage": bounded(worn.damage, _DAMAGE),
        "maxDamage": bounded(worn.most_damage, _DAMAGE),
        "type": worn.item if worn.item in known else stranger,
    }


def _compass_of(report: Report) -> dict[str, Any]:
    return {"angle": bounded(report.compass or 0.0, _ANGLE)}
