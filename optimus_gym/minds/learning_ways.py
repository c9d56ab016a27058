"""Learning of ways to get items: what episodes show goes into the knowledge graph (HDKG) of a folder."""

from collections.abc import Sequence

from optimus_gym.core.deliberation import Record
from optimus_gym.core.interfaces import AgentSetting
from optimus_gym.knowledge.graph_folder import write_knowledge
from optimus_gym.knowledge.knowledge_graph import KnowledgeGraph
from optimus_gym.knowledge.outcomes import learn_from


def learn_ways(
    setting: AgentSetting, known: KnowledgeGraph, records: Sequence[Record]
) -> KnowledgeGraph | None:
    """Write the ways that worked in episodes to where the agent learns.

    If the agent learns into another folder than its memory (`AgentSetting.learn_into`), the ways of each
    task's episodes go into a graph of their own, whatever the agent knows.

    Args:
        setting: the environment's properties.
        known: the ways that the agent knows.
        records: the episodes.

    Returns:
        the memory's new knowledge graph; None if the agent's own knowledge stays as it is.

    Raises:
        BadMemory: a folder cannot be written.
    """
    if not setting.learn:
        return None
    if setting.learn_into is not None:
        for record in records:
            shown = KnowledgeGraph.empty()
            if learn_from(shown, [record.outcomes]):
                write_knowledge(setting.learn_into / record.task.id, shown)
        return None
    grown = KnowledgeGraph(known.sources)
    if setting.memory is None or not learn_from(grown, [record.outcomes for record in records]):
        return None
    return write_knowledge(setting.memory, grown)
