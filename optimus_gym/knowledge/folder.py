"""The knowledge graph in a memory folder, which several processes may share."""

from pathlib import Path

from filelock import FileLock

from optimus_gym.core.errors import BadMemory, BadValue
from optimus_gym.core.files import write_whole
from optimus_gym.knowledge.graph_file import dumps, loads
from optimus_gym.knowledge.knowledge_graph import KnowledgeGraph

FILE = "hdkg.json"
LOCK = "hdkg.lock"


def read_knowledge(folder: Path) -> KnowledgeGraph:
    """Return the graph that a memory folder holds, an empty one if it holds none.

    Raises:
        BadMemory: the file cannot be read, or `graph_file.loads` refuses it; names its path.
    """
    path = folder / FILE
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return KnowledgeGraph.empty()
    except (OSError, UnicodeDecodeError) as error:
        raise BadMemory(f"knowledge: cannot read {str(path)!r}: {error}") from error
    try:
        return loads(text, str(path))
    except BadValue as error:
        raise BadMemory(str(error)) from error


def write_knowledge(folder: Path, graph: KnowledgeGraph) -> KnowledgeGraph:
    """Add what a graph knows to a memory folder, which is made if there is none.

    The file is replaced as a whole while nobody else writes, so that it is never half written and
    nothing is lost that another process has learned.

    Returns:
        what the folder holds now.

    Raises:
        BadMemory: the folder cannot be written, or holds a file that is no knowledge graph; names
            the path.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with FileLock(folder / LOCK):
            merged = read_knowledge(folder).merged(graph)
            write_whole(folder / FILE, dumps(merged).encode())
    except OSError as error:
        raise BadMemory(f"knowledge: cannot write into {str(folder)!r}: {error}") from error
    return merged
