"""One memory takes over what others hold: experience, and ways to get items."""

from collections.abc import Sequence
from pathlib import Path

from optimus_gym.game.sources import Source
from optimus_gym.knowledge.graph_folder import GRAPH_FILE, read_knowledge, write_knowledge
from optimus_gym.knowledge.knowledge_graph import KnowledgeGraph
from optimus_gym.knowledge.learning import covers
from optimus_gym.memory.database import MEMORY_FILE
from optimus_gym.memory.merging import merge
from optimus_gym.memory.store import ExperienceStore
from optimus_gym.vision.aligner import Aligner


def take_over(memory: Path, brought: Sequence[Path], aligner: Aligner) -> None:
    """Add what some memories hold to a memory, in their order; what it holds already is not added again.

    Args:
        memory: the folder of the memory that grows.
        brought: folders of memories; a folder that does not exist brought nothing.
        aligner: the aligner of the memory's vectors.

    Raises:
        BadMemory: a memory is damaged.
        OSError: the memory cannot be written.
    """
    grown = KnowledgeGraph(read_knowledge(memory).sources)
    for folder in brought:
        if (folder / MEMORY_FILE).is_file():
            with ExperienceStore(folder, None, writes=False) as other:
                merge(memory, other, aligner)
        if (folder / GRAPH_FILE).is_file():
            shown = read_knowledge(folder).sources
            known = [way for way in shown if _is_covered(way, grown)]
            grown = grown.merged(KnowledgeGraph(way for way in shown if way not in known))
    write_knowledge(memory, grown)


def _is_covered(way: Source, graph: KnowledgeGraph) -> bool:
    return any(covers(known, way) for known in graph.sources_of(way.product))


def known_share(knowledge: KnowledgeGraph, able: KnowledgeGraph) -> float:
    """Return the share of an environment's ways to get items that `knowledge` has an example of, 0 to 1."""
    seen = [
        way
        for way in able.sources
        if any(covers(way, known) for known in knowledge.sources_of(way.product))
    ]
    return len(seen) / len(able.sources)
