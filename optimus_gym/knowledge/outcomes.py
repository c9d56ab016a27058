"""The knowledge graph learns new ways to get items from the outcomes of sub-goals."""

from collections import Counter
from collections.abc import Iterable, Mapping

from optimus_gym.core.deliberation import Outcome
from optimus_gym.core.errors import BadValue, UnknownName
from optimus_gym.game.foods import foods
from optimus_gym.game.smelting import fuels
from optimus_gym.game.sources import GETTING_VERBS
from optimus_gym.knowledge.knowledge_graph import KnowledgeGraph
from optimus_gym.knowledge.learning import SeenWay, as_source, covers

BATCHED = ("craft", "smelt")
MADE_OF = ("craft", "smelt", "milk", "fill")
"""Verbs that always make their item of other items."""
USING_UP = (*MADE_OF, "grow")
"""Verbs that use up ingredients of their item; pieces that other verbs use up are no ingredients."""


def learn_from(graph: KnowledgeGraph, episodes: Iterable[Iterable[Outcome]]) -> bool:
    """Add the new ways that the outcomes of episodes have shown; return whether there were new ways.

    The graph skips outcomes that make no sense as a way (crafted or smelted pieces of two items, a count of
    ingredients that is no multiple of the number of batches) and ways that a known way covers. A sub-goal
    that mined only pieces that the player had placed earlier in the episode shows no way to get an item.

    Args:
        graph: the graph that learns.
        episodes: the outcomes of each episode, in their order.

    Raises:
        BadValue: the graph is fixed.
    """
    new = False
    for outcomes in episodes:
        placed: Counter[str] = Counter()
        for outcome in outcomes:
            seen = seen_in(outcome, placed)
            if seen is not None and _is_new(graph, seen):
                new |= graph.learn(seen)
            _note_placed(placed, outcome)
    return new


def seen_in(outcome: Outcome, placed: Mapping[str, int]) -> SeenWay | None:
    """Return the success that an outcome clearly shows, or None.

    The success has the tool and station that were used, and the sub-goal's creature. `times` of the success
    counts batches for crafting and smelting, and pieces for gathering. If several items were gathered, the
    success's item is the most frequent one. A mined item counts only if more pieces came than the player had
    placed before.

    Args:
        outcome: how a sub-goal ended.
        placed: pieces by item that the player placed before and did not take back.
    """
    subgoal = outcome.subgoal
    own = placed if subgoal.verb == "mine" else {}
    counts = {name: outcome.gained.get(name, 0) for name in subgoal.kinds}
    got = {name: count for name, count in counts.items() if count > own.get(name, 0)}
    if not _is_shown(outcome) or subgoal.verb not in GETTING_VERBS or not got:
        return None
    item, count = max(got.items(), key=lambda kind: kind[1])
    times = max(outcome.batches, 1) if subgoal.verb in BATCHED else count
    parts = _parts(outcome, times)
    if subgoal.verb in MADE_OF and (len(got) > 1 or not parts):
        return None
    return SeenWay(
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


def _note_placed(placed: Counter[str], outcome: Outcome) -> None:
    """Update `placed`, the pieces that the player placed and did not take back, with an outcome.

    A piece that the outcome used up counts as placed, unless the piece is food or an ingredient of the
    sub-goal's item. A station that is no longer held after its use counts as placed, too.
    """
    makes = outcome.subgoal.verb in USING_UP
    for name, count in outcome.consumed.items():
        if name not in foods() and (not makes or name == outcome.station):
            placed[name] += count
    for name, count in outcome.gained.items():
        if not makes or name not in outcome.subgoal.kinds:
            placed[name] -= min(count, placed[name])


def _is_shown(outcome: Outcome) -> bool:
    """Return whether a sub-goal was reached, or called complete by the agent with all pieces gained."""
    if outcome.end == "complete":
        got = sum(outcome.gained.get(name, 0) for name in outcome.subgoal.kinds)
        return not outcome.contradicted and got >= outcome.subgoal.count
    return outcome.end == "reached"


def _parts(outcome: Outcome, times: int) -> Mapping[str, int]:
    """Return the pieces used up for a sub-goal's item; for smelting the one smelted kind without the fuel."""
    verb = outcome.subgoal.verb
    if verb not in USING_UP:
        return {}
    used = {name: count for name, count in outcome.consumed.items() if count > 0}
    if verb != "smelt":
        return used
    fits = {name: count for name, count in used.items() if count == times}
    smelted = {name: count for name, count in fits.items() if name not in fuels()} or fits
    return smelted if len(smelted) == 1 else {}


def _is_new(graph: KnowledgeGraph, seen: SeenWay) -> bool:
    try:
        source = as_source(seen)
    except (BadValue, UnknownName):
        return False
    return not any(covers(known, source) for known in graph.sources_of(source.product))
