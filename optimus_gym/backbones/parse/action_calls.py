"""Reads named actions in a model's plan (code or a workflow): `mine({"log": 3})`, `apply(sheep, shears)`."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Final

from optimus_gym.backbones.parse.counts import named
from optimus_gym.backbones.parse.deeds import Deed, Told
from optimus_gym.backbones.parse.values import Members, Value, plain_key
from optimus_gym.backbones.parse.wanted import VERBS_MEANT, count_of, creature_of, kinds_meant
from optimus_gym.core.types import SHAFT_ENDS, Verb
from optimus_gym.game.smelting import OVENS
from optimus_gym.game.tags import tag
from optimus_gym.game.tools import able_tools
from optimus_gym.game.ways import Handwork, handworks
from optimus_gym.prompts.words import COLLECTIVES, kinds_of

APPLY: Final = "apply"
ACTION_VERBS: Final[Mapping[str, Verb]] = MappingProxyType(
    {
        **VERBS_MEANT,
        "use": "use",
        **dict.fromkeys(("fight", "attack"), "kill"),
        **dict.fromkeys(("move_to", "moveto", "go_to", "goto", "search", "explore"), "find"),
    }
)
"""Names of actions, each with the sub-goal's verb; APPLY is a further action of MP5."""
AS_ACTS: Final[Mapping[str, Verb]] = MappingProxyType(
    {
        **dict.fromkeys(("fight", "attack"), "fight"),
        **dict.fromkeys(("move_to", "moveto", "go_to", "goto"), "move"),
    }
)
"""Names of actions that mean another verb if each action of a plan is a sub-goal of its own."""
NAMES: Final = (*ACTION_VERBS, APPLY)
MP5: Final = "find, move_to, craft, mine, fight, equip, dig_down, dig_up, apply, use"
HEIGHT_KEYS: Final = ("y_level", "y", "level", "height", "depth")
"""Keys under which an action may give the height to dig down to."""
ITEM_KEYS: Final = ("name", "item", "type", "id", "object")
COUNT_KEYS: Final = ("count", "quantity", "amount", "number", "qty", "num", "how_many", "n")
"""Keys under which an action may give its count."""
APPLIED: Final = ("shear", "milk", "fill")
"""Verbs that the action `apply` can mean."""


@dataclass(frozen=True, slots=True)
class NamedAction:
    """One action of a plan.

    Attributes:
        step: the step of the plan, as messages about problems name it.
        said: the action as it was written, which messages about problems quote.
        name: the action's name.
        wanted: the product or target: {item: count}, [item, count], or an item.
        aids: values that name a tool or a station (MP5: "platform").
        count: the count, if `wanted` has none.
        times: the number of repetitions.
        joins: as `Deed.joins`.
    """

    step: str
    said: str
    name: str
    wanted: Value
    aids: tuple[Value, ...] = ()
    count: Value = 1
    times: int = 1
    joins: bool = False

    def told(self) -> Iterator[Told]:
        """Yield a deed (`Deed`) for each item of the action, or a problem as a text."""
        name = plain_key(self.name)
        if name in ACTION_VERBS and ACTION_VERBS[name] in SHAFT_ENDS:
            yield self._shaft(ACTION_VERBS[name])
            return
        if name not in NAMES:
            known = f"{MP5} or another verb"
            yield f"{self.step}: expected an action, {known}, got {self.name[:60]!r}"
            return
        wants = list(_wants(self.wanted, self.count))
        if not wants:
            yield f'{self.step}: expected what to {name}, such as {{"log": 3}} ({self.said[:60]})'
        aids = tuple(word for aid in self.aids for word in _words(aid))
        for word, count in wants:
            if name == APPLY:
                yield self._applied(word, count, aids)
            else:
                deed = self._deed(ACTION_VERBS[name], word, count, aids)
                act = AS_ACTS.get(name)
                if act is not None and kinds_meant(act, word[:80]):
                    deed = replace(deed, act=act)
                yield deed

    def _deed(self, verb: Verb, word: str, count: Value, aids: tuple[str, ...]) -> Deed:
        if verb == "craft" and any(
            kinds_of(aid[:80])[:1] == (oven.name,) for aid in aids for oven in OVENS
        ):
            verb = "smelt"
        target = creature_of(word[:80]) or "" if verb == "kill" else ""
        return Deed(
            self.step,
            self.said,
            verb,
            word,
            1 if verb == "find" else self._counted(count),
            aids,
            target,
            "way" if verb == "find" else "",
            self.joins,
        )

    def _shaft(self, verb: Verb) -> Deed:
        """Return the deed that digs up, or down to a height."""
        wanted = self.wanted
        if isinstance(wanted, Members):
            wanted = wanted.get(*HEIGHT_KEYS)
        aids = tuple(word for aid in self.aids for word in _words(aid))
        return Deed(self.step, self.said, verb, wanted or "", 1, aids, implied="shaft")

    def _applied(self, word: str, count: Value, aids: tuple[str, ...]) -> Told:
        found = applied(word, aids)
        if found is None:
            with_ = " and ".join(aid[:40] for aid in aids) or "nothing"
            said = f"expected a tool that gets something of {word[:40]!r}, got {with_}"
            return f"{self.step}: {said} ({self.said[:60]})"
        verb, product = found
        return Deed(
            self.step, self.said, verb, product, self._counted(count), aids, word[:80],
            joins=self.joins,
        )  # fmt: skip

    def _counted(self, count: Value) -> Value:
        number = count_of(count)
        return count if number is None else number * self.times


def applied(target: str, aids: tuple[str, ...]) -> tuple[Verb, str] | None:
    """Return the verb and the product that using a tool on a target means; None if the meaning is unclear.

    >>> applied("sheep", ("shears",)), applied("lava", ("bucket",)), applied("cow", ("stick",))
    (('shear', 'wool'), ('fill', 'lava_bucket'), None)
    """
    name = creature_of(target[:80]) or plain_key(target[:80])
    held = {kind for aid in aids for kind in kinds_of(aid[:80])}
    ways = [
        way
        for way in handworks()
        if way.verb in APPLIED and name in (way.creature, way.block) and held & _used(way)
    ]
    if len({way.verb for way in ways}) != 1:
        return None
    products = {way.product for way in ways}
    if len(products) == 1:
        return ways[0].verb, ways[0].product
    whole = (word for word, kind in COLLECTIVES.items() if products <= set(tag(kind)))
    return next(((ways[0].verb, word) for word in whole), None)


def _used(way: Handwork) -> set[str]:
    """Return the tools and ingredients that a way of getting an item uses."""
    able = able_tools(way.tool) if way.tool is not None else ()
    return {*able, *(kind for kinds, _ in way.needs for kind in kinds)}


def _wants(wanted: Value, count: Value) -> Iterator[tuple[str, Value]]:
    """Yield the items of an action, with their counts."""
    if isinstance(wanted, Members):
        item, number = wanted.get(*ITEM_KEYS), wanted.get(*COUNT_KEYS)
        if isinstance(item, str) and number is not None:
            yield item, number
            return
        yield from ((key, value) for key, value in wanted.pairs if key)
    elif isinstance(wanted, list):
        if len(wanted) == 2 and isinstance(wanted[0], str) and not isinstance(wanted[1], str):
            yield wanted[0], wanted[1]
        else:
            for part in wanted:
                if isinstance(part, str | Members):
                    yield from _wants(part, 1)
    elif isinstance(wanted, str) and wanted.strip():
        word, said = named(wanted)
        yield word, said if said != 1 and count in (None, 1) else count


def _words(aid: Value) -> Iterator[str]:
    """Yield the words for a tool or a station that a value holds."""
    if isinstance(aid, str):
        yield aid
    elif isinstance(aid, Members):
        yield from (key for key, _ in aid.pairs if key)
    elif isinstance(aid, list):
        yield from (part for part in aid if isinstance(part, str))
