"""Adds to parsed sub-goals what the knowledge graph knows: kinds that serve, tool, station, text."""

from collections.abc import Sequence
from dataclasses import replace

from optimus_gym.core.types import SubGoal
from optimus_gym.memory.knowledge_graph import KnowledgeGraph
from optimus_gym.memory.requirements import Requirements, Step
from optimus_gym.memory.sources import Source
from optimus_gym.prompts.words import in_words, word_for


def complete(
    subgoals: Sequence[SubGoal], graph: KnowledgeGraph, needed: Requirements | None
) -> tuple[SubGoal, ...]:
    """Return the sub-goals with kinds, tool, station and text filled in.

    A sub-goal that gets what a step of `needed` gets takes over that step's kinds, so that
    birch planks are as good as oak ones where the goal allows any; others stand for themselves.
    """
    return tuple(_complete(subgoal, graph, needed) for subgoal in subgoals)


def sources_for(subgoal: SubGoal, graph: KnowledgeGraph) -> tuple[Source, ...]:
    """Return the known ways to do what a mine, craft or smelt sub-goal asks."""
    return tuple(
        source
        for kind in subgoal.kinds
        for source in graph.sources_of(kind)
        if source.verb == subgoal.verb
    )


def prompt(verb: str, item: str, kinds: tuple[str, ...], count: int) -> str:
    """Return the sub-goal's text for a controller, such as "mine 3 iron ore"."""
    word = in_words(word_for(item, kinds))
    return f"{verb} {word}" if verb in ("equip", "place") else f"{verb} {count} {word}"


def _complete(subgoal: SubGoal, graph: KnowledgeGraph, needed: Requirements | None) -> SubGoal:
    step = _step(subgoal, needed)
    if step is not None:
        kinds, item = step.kinds, step.item
        tool, station = step.tool, step.station
    else:
        kinds, item = subgoal.kinds, subgoal.item
        found = sources_for(subgoal, graph)
        tool = found[0].tool if found else None
        station = found[0].station if found else None
    return replace(
        subgoal,
        item=item,
        accepts=kinds if len(kinds) > 1 else (),
        tool=tool,
        station=station,
        text=prompt(subgoal.verb, item, kinds, subgoal.count),
    )


def _step(subgoal: SubGoal, needed: Requirements | None) -> Step | None:
    """Return the step of `needed` that the sub-goal carries out, or None."""
    if needed is None:
        return None
    for step in needed.steps:
        if step.verb == subgoal.verb and subgoal.item in step.kinds:
            return step
    return None
