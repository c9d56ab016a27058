"""The actions ("deeds") of a plan's text, in the text's own words, and the sub-goals made from them.

In the sub-goals made from a text, the fields `tool` and `station` are empty. A tool that a deed names becomes
an "equip" before the deed, unless the tool is in hand: the plan has equipped the tool and placed nothing
since, as placing empties the hand. A station that a deed names becomes a "place" before the deed, unless the
station is in reach. A station is in reach if the plan has placed it, or if it was in reach at the start;
after a deed that gathers, no station is in reach, as the agent takes its stations along. A tool in hand
before the plan begins does not count as in hand.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, Literal, NamedTuple

from optimus_gym.backbones.parse.nearness import near_names
from optimus_gym.backbones.parse.values import Members, Value, plain_key
from optimus_gym.backbones.parse.wanted import count_of, kinds_meant, subgoal_of
from optimus_gym.core.types import FUNCTIONAL_VERBS, ONCE, SubGoal, Verb
from optimus_gym.game.sources import STATIONS
from optimus_gym.game.tools import tools
from optimus_gym.prompts.words import kinds_of


class Found(NamedTuple):
    """Sub-goals and problems of a text.

    Attributes:
        subgoals: the sub-goals, in their order.
        problems: faults of the text, in words.
        steps: for each sub-goal its step in the text, by the text's own number.
    """

    subgoals: tuple[SubGoal, ...]
    problems: tuple[str, ...]
    steps: tuple[str, ...] = ()


MOST_PLAN_STEPS: Final = 200
NO_ITEM_WORDS: Final = frozenset(
    {
        *("", "none", "null", "nothing", "no", "n/a", "na", "inventory", "player"),
        *("hand", "hands", "bare_hand", "bare_hands", "fist", "fists"),
    }
)
"""Words that models write in place of a tool or a station if none is needed."""


@dataclass(frozen=True, slots=True)
class Deed:
    """One action of a plan.

    Attributes:
        name: the step of the plan, as messages about problems name it.
        said: the deed as it was written, which messages about problems quote.
        verb: the verb.
        word: the item, as it was written.
        count: the count, as it was written.
        aids: words for the deed's tool and station.
        target: the target, if it is not the item: a creature, a fluid.
        implied: "way" for going to a thing, which is part of getting that thing; "shaft" for digging up or
            down, which is part of mining; else "".
        act: the verb in place of `verb` if each action is a sub-goal of its own ("fight" for "kill", "move"
            for "find"), or None.
        joins: whether the deed and an equal deed after it become one deed with the sum of their counts.
    """

    name: str
    said: str
    verb: Verb
    word: Value
    count: Value = 1
    aids: tuple[str, ...] = ()
    target: str = ""
    implied: Literal["", "way", "shaft"] = ""
    joins: bool = False
    act: Verb | None = None

    @property
    def gathers(self) -> bool:
        """Return whether the player must walk off to carry out the deed, for instance to mine or kill."""
        return self.verb not in FUNCTIONAL_VERBS

    def about(self) -> set[str]:
        """Return all names for the deed's object: the items that its word may mean, the target, the word."""
        if isinstance(self.word, Members | list):
            return set()
        word = str(self.word)[:80]
        names = {
            plain_key(word),
            plain_key(self.target),
            *kinds_of(word),
            *kinds_meant("mine", word),
        }
        return names - {""}


Told = Deed | str
"""A deed of a plan's text, or a problem of the text, in words."""


def subgoals_of(told: Iterable[Told], near: Collection[str] = (), acts: bool = False) -> Found:
    """Return the sub-goals of the first `MOST_PLAN_STEPS` actions ("deeds"), and all problems.

    Args:
        told: the actions (`Deed`) and the problems that the parser found in a plan's text.
        near: stations in reach before the plan begins.
        acts: whether each action is a sub-goal of its own, as MP5's performer carries actions out: walks,
            shafts and fights too, which else belong to the getting of an item.
    """
    course = _Course(near=set(near))
    kept: list[Told] = []
    for number, deed in enumerate(told):
        if number == MOST_PLAN_STEPS:
            course.problems.append(f"expected at most {MOST_PLAN_STEPS} steps, got more")
            break
        kept.append(deed)
    for deed in _merged(_as_acts(kept) if acts else _without_implied(kept)):
        if isinstance(deed, str):
            course.problems.append(deed)
        else:
            course.add(deed)
    if len(course.subgoals) > MOST_PLAN_STEPS:
        said = f"expected at most {MOST_PLAN_STEPS} sub-goals, got {len(course.subgoals)}"
        course.problems.append(said)
    made, problems = course.subgoals[:MOST_PLAN_STEPS], course.problems
    return Found(tuple(made), tuple(problems), tuple(course.steps[:MOST_PLAN_STEPS]))


@dataclass(slots=True)
class _Course:
    """The sub-goals made so far from a text, with the tool in hand and the stations in reach after them."""

    subgoals: list[SubGoal] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    steps: list[str] = field(default_factory=list)
    hand: str | None = None
    near: set[str] = field(default_factory=set)

    def add(self, deed: Deed) -> None:
        """Add a deed's sub-goal, preceded by sub-goals for its station and tool."""
        made = subgoal_of(deed.verb, deed.word, deed.count, deed.said)
        if isinstance(made, str):
            self.problems.append(f"{deed.name}: {made}")
            return
        names = [self._aid(deed, word) for word in deed.aids]
        for name in names:
            if name in STATIONS and name not in self.near:
                self._help("place", name, deed)
        for name in names:
            if name in tools() and name != self.hand:
                self._help("equip", name, deed)
        self._do(made, deed)

    def _aid(self, deed: Deed, word: str) -> str:
        """Return the item that a word for a tool or a station means, "" if it means no single item."""
        if plain_key(word) in NO_ITEM_WORDS:
            return ""
        kinds = kinds_of(word[:80])
        if not kinds:
            said = f"expected a tool or a station of the game, got {word[:80]!r}{near_names(word[:80])}"
            self.problems.append(f"{deed.name}: {said} ({deed.said[:60]})")
        return kinds[0] if len(kinds) == 1 else ""

    def _help(self, verb: Verb, name: str, deed: Deed) -> None:
        made = subgoal_of(verb, name, 1, name)
        if isinstance(made, SubGoal):
            self._do(made, deed)

    def _do(self, subgoal: SubGoal, deed: Deed) -> None:
        self.subgoals.append(subgoal)
        self.steps.append(deed.name)
        if subgoal.verb == "place":
            self.hand = None
            self.near.add(subgoal.item)
        elif subgoal.verb == "equip" and subgoal.item in tools():
            self.hand = subgoal.item
        elif subgoal.verb not in FUNCTIONAL_VERBS:
            self.near.clear()


def _without_implied(told: Sequence[Told]) -> list[Told]:
    """Skip walks to the next deed's item; skip digging a shaft if mining follows, else report a problem."""
    kept: list[Told] = []
    following: Deed | None = None
    mines = False
    for deed in reversed(told):
        if isinstance(deed, str):
            kept.append(deed)
            continue
        if deed.implied == "shaft" and (mines or not (deed.verb == "dig_up" or deed.word)):
            if not mines:
                kept.append(f"{deed.name}: expected mining after digging ({deed.said[:60]})")
            continue
        leads = following is not None and following.gathers and deed.implied == "way"
        if leads and following is not None and deed.about() & following.about():
            continue
        kept.append(deed)
        if deed.verb not in ("equip", "place"):
            following = deed
        mines = mines or deed.verb == "mine"
    return kept[::-1]


def _as_acts(told: Iterable[Told]) -> list[Told]:
    """Return the actions with the verbs that they have as sub-goals of their own."""
    return [
        replace(deed, verb=deed.act) if isinstance(deed, Deed) and deed.act is not None else deed
        for deed in told
    ]


def _merged(told: Iterable[Told]) -> list[Told]:
    """Merge equal deeds that follow each other, if `Deed.joins` allows it and their counts can be read."""
    kept: list[Told] = []
    for deed in told:
        last = kept[-1] if kept else None
        one = _joined(last, deed) if isinstance(last, Deed) and isinstance(deed, Deed) else None
        if one is not None:
            kept[-1] = one
        else:
            kept.append(deed)
    return kept


def _joined(one: Deed, other: Deed) -> Deed | None:
    """Return two deeds merged into one, None if they differ or a count cannot be read."""
    unlike = replace(one, name="", said="", count=1) != replace(other, name="", said="", count=1)
    counts = count_of(one.count), count_of(other.count)
    if not one.joins or unlike or counts[0] is None or counts[1] is None:
        return None
    once = one.verb in ONCE or one.verb in ("find", "dig_down")
    return replace(one, count=1 if once else counts[0] + counts[1])
