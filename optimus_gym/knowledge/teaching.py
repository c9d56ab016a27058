"""The part of a knowledge graph that leads to one item: what a learner can be taught."""

from optimus_gym.game.sources import Source
from optimus_gym.knowledge.knowledge_graph import KnowledgeGraph
from optimus_gym.knowledge.requirements import Step


def way_to(item: str, graph: KnowledgeGraph) -> KnowledgeGraph:
    """Return the ways of a graph that its plan for an item takes, in all kinds that serve.

    Raises:
        Unobtainable: the graph has no way to the item.
        UnknownName: the game has no such item.

    >>> from optimus_gym.knowledge.knowledge_graph import full_graph
    >>> sorted({way.verb for way in way_to("stick", full_graph()).sources})
    ['craft', 'mine']
    """
    steps = graph.requirements(item).steps
    return KnowledgeGraph(
        source for source in graph.sources if any(_serves(source, step) for step in steps)
    )


def _serves(source: Source, step: Step) -> bool:
    """Return whether a step can take a way."""
    return (
        source.verb == step.verb
        and source.product in step.kinds
        and (source.tool, source.station, source.creature)
        == (step.tool, step.station, step.creature)
    )
