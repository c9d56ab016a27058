"""The words of a mind's calls and of the tools' answers: counts, verbs, outcomes and items as texts."""

from collections.abc import Mapping
from typing import Any, Final

from optimus_gym.core.errors import shown
from optimus_gym.core.types import Verb
from optimus_gym.game.sources import Source, game_sources
from optimus_gym.prompts.lines import NOTHING
from optimus_gym.prompts.words import kinds_of

COLLECTING: Final[tuple[Verb, ...]] = ("shear", "milk", "kill", "fill", "grow")
"""The verbs behind the tool `collect`; an earlier one is taken if several are possible: our choice."""
_MOST_NUMBER: Final = 10**9
"""Larger counts are shown without their digits, since Python writes no integer of more than 4,300 digits."""


def collecting_verb(item: object, held: Mapping[str, int]) -> Verb:
    """Return the first verb of `COLLECTING` that gives an item with what is held, else without it.

    >>> collecting_verb("white_wool", {}), collecting_verb("white_wool", {"shears": 1})
    ('kill', 'shear')
    """
    kinds = kinds_of(item) if isinstance(item, str) else ()
    ways = sorted(
        (way for way in game_sources() if way.product in kinds and way.verb in COLLECTING),
        key=lambda way: (not _can_begin(way, held), COLLECTING.index(way.verb)),
    )
    return ways[0].verb if ways else "kill"


def not_done(why: str) -> str:
    """Return the answer to a call that was not carried out, as a sentence.

    >>> not_done("unknown tool 'mien'; did you mean 'mine'?")
    "Not done: unknown tool 'mien'; did you mean 'mine'?"
    """
    return f"Not done: {why}" + ("" if why.endswith((".", "?")) else ".")


def said_count(count: object) -> Any:
    """Return a count as the parser of plans reads it: a text or a number; of other values the text."""
    if isinstance(count, str | float) or (isinstance(count, int) and abs(count) < _MOST_NUMBER):
        return count
    return shown(count)


def ended_in_words(info: Mapping[str, Any]) -> str:
    """Return how a step's sub-goal ended: "reached", or "failed" with the failure in words."""
    if not info["failure"]:
        return str(info["outcome"])
    reason = info["failure"][0]
    return f"failed, {reason.replace('_', ' ')}{info['outcome'].removeprefix(reason)}"


def counts_in_words(counts: Mapping[str, int]) -> str:
    """Return the items with positive counts in words.

    >>> counts_in_words({"stick": 2, "dirt": 0})
    '2 stick'
    """
    return ", ".join(f"{n} {name}" for name, n in counts.items() if n > 0) or NOTHING


def _can_begin(way: Source, held: Mapping[str, int]) -> bool:
    """Return whether all that a way takes is held: its tool, its ingredients, and the items that it keeps."""
    own = (name for name in (way.tool, *way.holds) if name is not None)
    return all(held.get(name, 0) > 0 for name in own) and all(
        any(held.get(name, 0) > 0 for name in need.choices) for need in way.needs
    )
