"""The game's statistics as MineRL 1.0's observations."""

import json
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import Any, Final

import numpy as np
from gymnasium.spaces import Dict

from optimus_gym.envs.minerl.life_and_place import bounded, scalar
from optimus_gym.game.blocks import block_names
from optimus_gym.game.dataset import dataset
from optimus_gym.game.items import item_names
from optimus_gym.worlds.malmo.reports import Statistics

_TALLY: Final = scalar(0, 100_000_000, np.int64)
_CUSTOM: Final = "custom"
_DEALT: Final = "damage_dealt"
_ALL: Final = "full_stats"
_SHOWN: Final = (
    *("use_item", "drop", "pickup", "break_item", "craft_item", "mine_block"),
    *("entity_killed_by", "kill_entity"),
)
"""Groups with an observation of their own."""


@cache
def _names() -> Mapping[str, tuple[str, ...]]:
    """Return the names of each group of statistics, in MineRL's order of groups."""
    creatures = tuple(str(entry["name"]) for entry in dataset().entities_list)
    text = files("optimus_gym.envs.minerl.data").joinpath("statistics.json").read_text("utf-8")
    return MappingProxyType(
        {
            "mine_block": block_names(),
            **dict.fromkeys(
                ("craft_item", "use_item", "break_item", "pickup", "drop"), item_names()
            ),
            "kill_entity": creatures,
            "entity_killed_by": creatures,
            _CUSTOM: tuple(json.loads(text)[_CUSTOM]),
        }
    )


@cache
def _sources() -> Mapping[str, Mapping[str, str]]:
    """Return for each observation its keys, each with the group that it is taken from.

    MineRL finds the keys of `drop` by the word, so that the statistic "drop" of the group "custom" (throws of
    all items) is among them. In `full_stats` groups share the names of items: the last group counts.
    """
    names = _names()
    made: dict[str, dict[str, str]] = {
        group: dict.fromkeys(names[group], group) for group in _SHOWN
    }
    made["drop"]["drop"] = _CUSTOM
    made[_DEALT] = {_DEALT: _CUSTOM}
    made[_ALL] = {name: group for group, own in names.items() for name in own}
    return MappingProxyType({key: dict(sorted(own.items())) for key, own in made.items()})


def statistics_spaces() -> dict[str, Dict]:
    """Return the spaces of all observations of statistics, each number in int64."""
    return {key: Dict(dict.fromkeys(own, _TALLY)) for key, own in _sources().items()}


def statistics_of(statistics: Statistics) -> dict[str, Any]:
    """Return all observations of statistics; names that MineRL lacks are left out."""
    sources = _sources()
    zero = bounded(0, _TALLY)
    made = {key: dict.fromkeys(own, zero) for key, own in sources.items()}
    for key, own in made.items():
        groups = set(sources[key].values()) if key == _ALL else {key, _CUSTOM}
        for group in groups:
            for name, count in statistics.get(group, {}).items():
                if sources[key].get(name) == group and count:
                    own[name] = bounded(count, _TALLY)
    return made
