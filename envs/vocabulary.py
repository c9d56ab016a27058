"""Vocabularies: the items of an environment's observations and actions."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from importlib.resources import files

import numpy as np
from numpy.typing import NDArray

from optimus_gym.game.items import item_names, items

_NONE = 0
"""Index of "no item" in the `equipment` observation."""


@dataclass(frozen=True)
class Vocabulary:
    """Item names in the order of the observation's and the action's indices."""

    names: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.names)

    @cached_property
    def ids(self) -> NDArray[np.int64]:
        """Item ids by index (int64[V])."""
        table = items()
        return np.array([table[name].id for name in self.names], np.int64)

    @cached_property
    def worn_index(self) -> NDArray[np.float32]:
        """Value of each item in the raw observation `equipment`, by item id (float32[976]).

        0 means no item, 1 + k the item with the index k, V + 1 an item that the vocabulary lacks.
        """
        table = np.full(len(item_names()), len(self.names) + 1, np.float32)
        table[0] = _NONE
        table[self.ids] = np.arange(1, len(self.names) + 1)
        return table

    @cached_property
    def index(self) -> dict[str, int]:
        """Index of each item of the vocabulary, by name."""
        return {name: k for k, name in enumerate(self.names)}


def all_items() -> Vocabulary:
    """Return the vocabulary of all items of the game, in the order of item ids."""
    return Vocabulary(tuple(items()))


def of_items(names: Iterable[str]) -> Vocabulary:
    """Return the vocabulary of some items in the given order, each item once."""
    return Vocabulary(tuple(dict.fromkeys(names)))


@cache
def suite_vocabularies() -> Mapping[str, Vocabulary]:
    """Return each suite's vocabulary: the items that plans for the suite's tasks may name, in any world.

    Source: `data/vocabularies.json`, written by `python tools/vocabularies.py`, which only appends new names
    to a vocabulary.
    """
    text = files("optimus_gym.envs.data").joinpath("vocabularies.json").read_text("utf-8")
    return {name: Vocabulary(tuple(names)) for name, names in json.loads(text)["suites"].items()}
