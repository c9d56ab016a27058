"""What the knowledge graph learns from how sub-goals ended."""

from collections.abc import Iterable, Mapping

from optimus_gym.core.deliberation import Outcome
from optimus_gym.core.errors import BadValue, UnknownName
from optimus_gym.game.smelting import fuels
from optimus_gym.game.sources import MEANS
from optimus_gym.knowledge.knowledge_graph import KnowledgeGraph
from optimus_gym.knowledge.learning import Seen, covers, source_of

BATCHED = ("craft", "smelt")
MADE_OF = ("craft", "smelt", "milk", "fill")
"""Verbs that make their item of others, always."""
USING_UP = (*MADE_OF, "grow")
"""Verbs that use up parts of their item; what others use up by the way is no part of it."""


def learn_from(graph: KnowledgeGraph, outcomes: Iterable[Outcome]) -> bool:
    """Add the new ways that outcomes have shown; tell whether there were any.

    What makes no sense as a way (pieces of two kinds, parts that no batch divides) is left out, and
    so is what a known way says already.

    Raises:
        BadValue: the graph is a fixed one.
    """
    new = False
    for outcome in outcomes:
        seen = seen_in(outcome)
        if seen is not None and _is_new(graph, seen):
            new |= graph.learn(seen)
    return new


def seen_in(outcome: Outcome) -> Seen | None:
    """Return the success that an outcome shows, or None if it shows none, or not clearly.

    Tool and station are those that were used, the creature is its sub-goal's. Crafted and smelted things
    count by their batches, others by the piece. The most frequent one
    of several gathered kinds counts.
    """
    subgoal = outcome.subgoal
    counts = {name: outcome.gained.get(name, 0) for name in subgoal.kinds}
    got = {name: count for name, count in counts.items() if count > 0}
    if not _is_shown(outcome) or subgoal.verb not in MEANS or not got:
        return None
    item, count = max(got.items(), key=lambda kind: kind[1])
    times = max(outcome.batches, 1) if subgoal.verb in BATCHED else count
    parts = _parts(outcome, times)
    if subgoal.verb in MADE_OF and (len(got) > 1 or not parts):
        return None
    return Seen(
        subgoal.verb,
        item,
        count,
        parts,
        times,
        outcome.tool,
        outcome.station,
        creature=subgoal.creature,
        ticks=outcome.ticks * count / sum(got.values()),
    )


def _is_shown(outcome: Outcome) -> bool:
    """Return whether the world showed that a sub-goal was reached, or did not contradict the agent."""
    if outcome.end == "complete":
        got = sum(outcome.gained.get(name, 0) for name in outcome.subgoal.kinds)
        return not outcome.contradicted and got >= outcome.subgoal.count
    return outcome.end == "reached"


def _parts(outcome: Outcome, times: int) -> Mapping[str, int]:
    """Return what was used up for the item: of what is smelted the one thing and not the fuel."""
    verb = outcome.subgoal.verb
    if verb not in USING_UP:
        return {}
    used = {name: count for name, count in outcome.consumed.items() if count > 0}
    if verb != "smelt":
        return used
    fits = {name: count for name, count in used.items() if count == times}
    smelted = {name: count for name, count in fits.items() if name not in fuels()} or fits
    return smelted if len(smelted) == 1 else {}


def _is_new(graph: KnowledgeGraph, seen: Seen) -> bool:
    try:
        source = source_of(seen)
    except (BadValue, UnknownName):
        return False
    return not any(covers(known, source) for known in graph.sources_of(source.product))
