"""The ways to get items that lead to a goal, for requests of agents that plan without a knowledge graph.

A language model knows recipes by heart; the rules know only the text of a request. An agent that plans
without the graph's requirements (Optimus-1's mechanism) therefore may list the ways themselves: one way for
each item, in alphabetical order, without the amounts that the goal takes and without an order of doing.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

from optimus_gym.game.smelting import SMELTING_TICKS, fuels
from optimus_gym.game.sources import Source
from optimus_gym.knowledge.knowledge_graph import KnowledgeGraph
from optimus_gym.knowledge.requirements import Step, Use
from optimus_gym.minds.open_needs import needed_for
from optimus_gym.minds.planning import Ask
from optimus_gym.prompts.words import word_for

DEFAULT_FUEL: Final = "coal"
"""The fuel of a way to smelt if the graph's plan burns a fire that another step has lit."""
WayRow = dict[str, Any]


def ways_for(ask: Ask, graph: KnowledgeGraph) -> tuple[WayRow, ...]:
    """Return one way for each item that the cheapest plan from empty hands takes, sorted by item.

    The rows have the form of the fact `known_ways` (`prompts.way_lines`). If empty hands cannot reach the
    goal, the rows are the ways of the cheapest plan from the held items; without any plan, there are no rows.

    Args:
        ask: the row's situation, with the goal.
        graph: the knowledge graph.
    """
    bare = replace(ask.situation, inventory={}, stations=())
    found = needed_for(Ask(bare), graph).steps or needed_for(Ask(ask.situation), graph).steps
    steps = found.steps if found is not None else ()
    rows = {word_for(step.item, step.kinds): _row(step, graph) for step in steps}
    return tuple(rows[word] for word in sorted(rows))


def _row(step: Step, graph: KnowledgeGraph) -> WayRow:
    source = _source(step, graph)
    uses: dict[str, int] = {}
    burnt: list[Use] = []
    for use in step.uses:
        count = _batch_use(use, source)
        if count:
            uses[word_for(use.item, use.kinds)] = count
        else:
            burnt.append(use)
    return {
        "verb": step.verb,
        "item": word_for(step.item, step.kinds),
        "count": 1 if source is None or source.gathered else int(source.yields),
        "uses": uses,
        "station": step.station,
        "tool": step.tool,
        "fuel": _fuel(burnt) if step.verb == "smelt" else None,
        "holds": step.holds,
        "creature": step.creature,
    }


def _source(step: Step, graph: KnowledgeGraph) -> Source | None:
    """Return the way that a step takes: the same verb, tool and station, and ingredients that it uses."""
    fits = (
        source
        for source in graph.sources_of(step.item)
        if (source.verb, source.tool, source.station) == (step.verb, step.tool, step.station)
        and all(
            any(set(need.choices) & set(use.kinds) for use in step.uses) for need in source.needs
        )
    )
    return next(fits, None)


def _batch_use(use: Use, source: Source | None) -> int:
    """Return how many of the used pieces one batch of a way takes as an ingredient."""
    needs = source.needs if source is not None else ()
    return sum(need.count for need in needs if set(need.choices) & set(use.kinds))


def _fuel(burnt: Sequence[Use]) -> tuple[str, float]:
    """Return the fuel that a step burns, and the pieces that one piece of the fuel smelts."""
    use = next(iter(burnt), Use(DEFAULT_FUEL, (DEFAULT_FUEL,), 1))
    return word_for(use.item, use.kinds), fuels()[use.item] / SMELTING_TICKS
