"""The knowledge graph in a memory folder, which several processes may share."""

from pathlib import Path

from filelock import FileLock

from optimus_gym.core.errors import BadMemory, BadValue
from optimus_gym.core.files import write_whole
from optimus_gym.knowledge.graph_file import dumps, loads_graph
from optimus_gym.knowledge.knowledge_graph import KnowledgeGraph

GRAPH_FILE = "hdkg.json"
GRAPH_LOCK = "hdkg.lock"


def read_knowledge(folder: Path) -> KnowledgeGraph:
    """Return the graph of a memory folder, or an empty graph if the folder has none.

    Raises:
        BadMemory: the file cannot be read, or `graph_file.loads_graph` refuses it; the error names the path.
    """
    path = folder / GRAPH_FILE
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return KnowledgeGraph.empty()
    except (OSError, UnicodeDecodeError) as error:
        raise BadMemory(f"knowledge: cannot read {str(path)!r}: {error}") from error
    try:
        return loads_graph(text, str(path))
    except BadValue as error:
        raise BadMemory(str(error)) from error


def write_knowledge(folder: Path, graph: KnowledgeGraph) -> KnowledgeGraph:
    """Add the ways of a graph to a memory folder; make the folder if it is missing.

    The graph's file is replaced as a whole, under a lock, so that the file is never half written. Ways that
    other processes have added stay in the file.

    Returns:
        the graph that the folder holds now.

    Raises:
        BadMemory: the folder cannot be written, or holds a file that is no knowledge graph; the
            error names the path.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with FileLock(folder / GRAPH_LOCK):
            merged = read_knowledge(folder).merged(graph)
            write_whole(folder / GRAPH_FILE, dumps(merged).encode())
    except OSError as error:
        raise BadMemory(f"knowledge: cannot write into {str(folder)!r}: {error}") from error
    return merged
