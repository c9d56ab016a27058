"""STEVE-1's prompt for a sub-goal: from this project's table, the sub-goal's text or a user's table.

The prompt tables of public systems are not included; `docs/controllers.md` says where each system keeps its
table.
"""

import json
from collections.abc import Callable, Mapping
from functools import cache, partial
from importlib.resources import files
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from optimus_gym.core.checks import check_home_path
from optimus_gym.core.errors import BadValue, shown
from optimus_gym.core.plain import read_json
from optimus_gym.core.types import SubGoal
from optimus_gym.game.items import item_names
from optimus_gym.game.things import things
from optimus_gym.prompts.words import in_words

Prompts = Callable[[SubGoal], str]
"""A function that returns the prompt for a sub-goal."""
_OWN: Final = "own"
_TEXT: Final = "text"
_ANY: Final = "*"
"""Key of the prompt for all items that a prompt table does not name; "{item}" stands for the item's name."""
_LARGEST: Final = 1 << 20
"""Maximum size in bytes of a user's table of prompts."""


def prompts_named(named: str) -> Prompts:
    """Return the prompt function that an option selects: "own", "text" or the path of a `.json` file.

    The file holds one JSON object from items to prompts, such as
    {"oak_log": "chop a tree", "*": "get {item}"}. This project's prompts serve items that a table without "*"
    does not name and, for "text", sub-goals without a text.

    Raises:
        BadValue: the option is of another form, or the file cannot be used.

    >>> prompts_named("text")(SubGoal("mine", "oak_log", text="get 3 logs"))
    'get 3 logs'
    """
    if named == _OWN:
        return own_prompt
    if named == _TEXT:
        return _text_of
    if isinstance(named, str) and named.endswith(".json"):
        return partial(_of_table, _read(check_home_path("prompts", named)))
    raise BadValue(f"prompts: expected {_OWN!r}, {_TEXT!r} or a .json file, got {shown(named)}")


def own_prompt(subgoal: SubGoal) -> str:
    """Return this project's prompt for a sub-goal; the prompts for ores tell the policy to dig down.

    The result is the table's prompt for the sub-goal's item, else for another item that the sub-goal accepts,
    else for the verb.

    >>> own_prompt(SubGoal("mine", "birch_log")), own_prompt(SubGoal("mine", "iron_ore"))
    ('chop a tree', 'dig down and mine iron ore')
    >>> own_prompt(SubGoal("kill", "beef", creature="cow"))
    'kill a cow'
    """
    by_item, by_verb = _own()
    for item in (subgoal.item, *subgoal.kinds):
        if (subgoal.verb, item) in by_item:
            return by_item[subgoal.verb, item]
    item = in_words(subgoal.item)
    creature = in_words(subgoal.creature or subgoal.item)
    return by_verb[subgoal.verb].format(item=item, creature=creature)


def _text_of(subgoal: SubGoal) -> str:
    return subgoal.text if subgoal.text.strip() else own_prompt(subgoal)


def _of_table(table: Mapping[str, str], subgoal: SubGoal) -> str:
    """Return a table's prompt for a sub-goal's item, else for another accepted item, else under "*"."""
    for item in (subgoal.item, *subgoal.kinds):
        if item in table:
            return table[item]
    if _ANY in table:
        return table[_ANY].replace("{item}", in_words(subgoal.item))
    return own_prompt(subgoal)


def _read(path: Path) -> Mapping[str, str]:
    """Return a user's table from items to prompts.

    Raises:
        BadValue: the file is missing, is too large, holds no JSON object, or has invalid keys or prompts.
    """
    if not path.is_file():
        raise BadValue(f"prompts: expected a file, got '{path}'")
    if path.stat().st_size > _LARGEST:
        raise BadValue(
            f"prompts: expected at most {_LARGEST} bytes, got {path.stat().st_size} ('{path}')"
        )
    table = read_json(path.read_bytes(), str(path))
    if not isinstance(table, dict):
        raise BadValue(
            f"prompts: expected a JSON object from items to prompts, got {shown(table)} ('{path}')"
        )
    known = {*item_names(), *things(), _ANY}
    for item, words in table.items():
        if item not in known:
            raise BadValue(
                f"prompts: expected every key to be an item or {_ANY!r}, got {shown(item)} ('{path}')"
            )
        if not isinstance(words, str) or not words.strip():
            raise BadValue(
                f"prompts: expected a text that is not blank as the prompt for {item}, "
                f"got {shown(words)} ('{path}')"
            )
    return MappingProxyType(table)


@cache
def _own() -> tuple[Mapping[tuple[str, str], str], Mapping[str, str]]:
    """Return this project's prompts by verb and item, and its prompts by verb."""
    text = files("optimus_gym.controllers.steve1.data").joinpath("prompts.json").read_text("utf-8")
    held: dict[str, Any] = json.loads(text)
    by_item = {
        (verb, item): prompt
        for verb, prompts in held["items"].items()
        for prompt, items in prompts.items()
        for item in items
    }
    return MappingProxyType(by_item), MappingProxyType(held["verbs"])
