"""Fills in the sub-goals read from a model's plan: accepted items, tool, station, place and text."""

from collections.abc import Sequence
from dataclasses import replace

from optimus_gym.core.types import ONCE, SubGoal
from optimus_gym.game.items import items
from optimus_gym.game.sources import Source
from optimus_gym.game.ways import Place
from optimus_gym.knowledge.knowledge_graph import KnowledgeGraph
from optimus_gym.knowledge.requirements import Requirements, Step
from optimus_gym.prompts.words import in_words, word_for

FEW_BIOMES = 3
"""Maximum number of biomes that the description of a place names; a place with more biomes is described
without biomes."""
_SEA_LEVEL = 63
"""Height of the sea, blocks (Minecraft Wiki, "Altitude")."""


def complete(
    subgoals: Sequence[SubGoal],
    graph: KnowledgeGraph,
    needed: Requirements | None,
    goal: SubGoal,
    acts: bool = False,
) -> tuple[SubGoal, ...]:
    """Return the sub-goals with accepted items (`kinds`), tool, station, place and text filled in.

    A sub-goal that gets the item of a step of `needed` takes over the step's accepted items (`kinds`), so
    that birch planks are as good as oak planks if the goal allows any. A sub-goal that matches no step of
    `needed` keeps its own item and accepted items.

    "find 3 logs" means to mine logs, unless a search is an act of its own (`acts`).
    """
    meant = subgoals if acts else [_as_meant(s, graph, goal) for s in subgoals]
    return tuple(_complete(s, graph, needed) for s in meant)


def sources_for(subgoal: SubGoal, graph: KnowledgeGraph) -> tuple[Source, ...]:
    """Return the known ways to carry out a sub-goal; empty for equip and place."""
    return tuple(
        source
        for kind in subgoal.kinds
        if kind in items()
        for source in graph.sources_of(kind)
        if source.verb == subgoal.verb
    )


def prompt(
    verb: str, item: str, kinds: tuple[str, ...], count: int, creature: str | None = None
) -> str:
    """Return the text that tells a controller what a sub-goal wants.

    >>> prompt("mine", "iron_ore", ("iron_ore",), 3), prompt("kill", "leather", (), 2, "cow")
    ('mine 3 iron ore', 'kill cow for 2 leather')
    """
    word = in_words(word_for(item, kinds))
    if verb in ONCE:
        return f"{verb} {word}"
    if creature is not None:
        return f"{verb} {in_words(creature)} for {count} {word}"
    return f"{verb} {count} {word}"


def place_in_words(place: Place | None) -> str | None:
    """Return a place in words, or None for a place that is nearly everywhere.

    >>> place_in_words(Place((), 0, 15)), place_in_words(Place(("savanna", "desert")))
    ('y 0 to 15', 'savanna or desert')
    """
    if place is None:
        return None
    words = []
    if 0 < len(place.biomes) <= FEW_BIOMES:
        words.append(" or ".join(in_words(name) for name in place.biomes))
    if place.high is not None and place.high < _SEA_LEVEL:
        words.append(f"y {place.low or 0} to {place.high}")
    return ", ".join(words) or None


def _as_meant(subgoal: SubGoal, graph: KnowledgeGraph, goal: SubGoal) -> SubGoal:
    """Return "find 3 logs" as "mine 3 logs" if logs can only be mined, else the sub-goal unchanged."""
    if subgoal.verb != "find" or goal.verb == "find" or sources_for(subgoal, graph):
        return subgoal
    mined = replace(subgoal, verb="mine")
    return mined if sources_for(mined, graph) else subgoal


def _complete(subgoal: SubGoal, graph: KnowledgeGraph, needed: Requirements | None) -> SubGoal:
    step = _step(subgoal, needed)
    kinds, item = subgoal.kinds, subgoal.item
    known: Step | Source | None = step
    if step is not None:
        kinds, item = step.kinds, step.item
    else:
        known = next(iter(sources_for(subgoal, graph)), None)
    creature = known.creature if known else None
    return replace(
        subgoal,
        item=item,
        accepts=kinds if len(kinds) > 1 else (),
        tool=known.tool if known else None,
        station=known.station if known else None,
        text=prompt(subgoal.verb, item, kinds, subgoal.count, creature),
        place=place_in_words(known.place) if known else None,
        creature=creature,
    )


def _step(subgoal: SubGoal, needed: Requirements | None) -> Step | None:
    """Return the step of `needed` that a sub-goal carries out, or None.

    Among steps that fit, a step with the same accepted items (acacia planks, not any planks) is preferred,
    then a step with the same item, then a step with the same count (a plan may make one item in two steps,
    some pieces at the stonecutter and the rest at the crafting table).
    """
    steps = needed.steps if needed is not None else ()
    able = [step for step in steps if step.verb == subgoal.verb and subgoal.item in step.kinds]
    return min(
        able,
        key=lambda step: (
            set(step.kinds) != set(subgoal.kinds),
            step.item != subgoal.item,
            step.count != subgoal.count,
        ),
        default=None,
    )
