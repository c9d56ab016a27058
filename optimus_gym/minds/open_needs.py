"""Steps that the graph still requires for a goal; items that the player sought in vain are avoided."""

from typing import Final, NamedTuple

from optimus_gym.core.situation import Situation
from optimus_gym.core.types import FUNCTIONAL_VERBS
from optimus_gym.knowledge.cheapest import Unobtainable
from optimus_gym.knowledge.knowledge_graph import KnowledgeGraph
from optimus_gym.knowledge.pockets import TooMuch
from optimus_gym.knowledge.requirements import Requirements
from optimus_gym.minds.planning import Ask, Setback

_PATIENCE: Final = 2.0
"""Longest time of a plan that avoids an item sought in vain, as a multiple of the time of a plan that seeks
the item again: our choice."""
NOT_HELD: Final = ("equip", "place", "find")
"""Verbs of goals for which holding the item is not enough."""


class Needed(NamedTuple):
    """The knowledge graph's answer to how a goal can be reached.

    Attributes:
        steps: the steps that are still needed; None if no step is needed, or no way is known.
        unknown: why no way is known, in words; else "".
        too_much: why the goal can never be held, in words; else "".
    """

    steps: Requirements | None = None
    unknown: str = ""
    too_much: str = ""


def is_reached(situation: Situation) -> bool:
    """Return whether the player holds all pieces of a goal that is reached by holding them."""
    goal = situation.goal
    return goal.verb not in NOT_HELD and _held(situation) >= goal.count


def needed_for(ask: Ask, graph: KnowledgeGraph) -> Needed:
    """Return what a graph still requires for a row's goal, for the cheapest item that the goal accepts.

    The steps avoid an item that was sought in vain if they take at most `_PATIENCE` times as long as the
    steps that seek the item again.
    """
    situation, goal = ask.situation, ask.situation.goal
    if goal.verb == "find" or _held(situation) >= goal.count:
        return Needed()  # to wear or place a held item needs no other item
    found: list[Requirements] = []
    failed: Unobtainable | TooMuch | None = None
    for kind in goal.kinds:
        left, inventory = _left(situation, kind)
        try:
            found.append(graph.requirements(kind, left, inventory, stations=situation.stations))
        except (Unobtainable, TooMuch) as error:
            failed = failed or error
    if not found:
        assert failed is not None, "a goal has at least one kind"
        return (
            Needed(too_much=str(failed))
            if isinstance(failed, TooMuch)
            else Needed(unknown=str(failed))
        )
    best = min(found, key=lambda needed: needed.ticks)
    avoid = _hopeless(ask.setback)
    return Needed(_another_way(situation, graph, avoid, best) if avoid else best)


def _another_way(
    situation: Situation, graph: KnowledgeGraph, avoid: tuple[str, ...], again: Requirements
) -> Requirements:
    """Return requirements that do not gather the items `avoid`, if they are quick enough, else `again`."""
    best = again
    for kind in situation.goal.kinds:
        most = best.ticks if best is not again else _PATIENCE * again.ticks
        left, inventory = _left(situation, kind)
        other = graph.detour(
            kind, left, inventory, stations=situation.stations, avoid=avoid, most=most
        )
        best = other or best
    return best


def _hopeless(setback: Setback | None) -> tuple[str, ...]:
    """Return the items that the player sought in vain and should not look for again."""
    if setback is None or setback.failed.verb in FUNCTIONAL_VERBS:
        return ()
    hopeless = setback.why.reason in ("not_found", "stuck", "timeout")
    return setback.failed.kinds if hopeless else ()


def _held(situation: Situation) -> int:
    return sum(situation.inventory.get(name, 0) for name in situation.goal.kinds)


def _left(situation: Situation, kind: str) -> tuple[int, dict[str, int]]:
    """Return how many pieces of `kind` must be held for the goal, and the held pieces that may be used up.

    Pieces of other items that the goal accepts count for the goal and must not be used up.
    """
    goal = situation.goal
    others = set(goal.kinds) - {kind}
    held = sum(situation.inventory.get(name, 0) for name in others)
    return goal.count - held, {n: c for n, c in situation.inventory.items() if n not in others}
