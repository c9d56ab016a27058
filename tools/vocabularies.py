"""Write envs/data/vocabularies.json: the items that plans for each suite's tasks need, in any world.

The index of a name is an index of a policy's inputs and outputs, so new names are only added at the end: the
file's earlier names keep their indices.
"""

import json
from pathlib import Path

from optimus_gym.core.task import Task
from optimus_gym.game.items import items
from optimus_gym.game.tasks import SUITES, tasks
from optimus_gym.knowledge.abilities import abilities_of
from optimus_gym.knowledge.cheapest import Unobtainable
from optimus_gym.knowledge.knowledge_graph import KnowledgeGraph, full_graph

PAGE = Path(__file__).resolve().parents[1] / "envs" / "data" / "vocabularies.json"
SOURCE = (
    "python tools/vocabularies.py: items on the cheapest ways to each task of the suite, in the graph "
    "of all that the game has and in that of the embedded world"
)


def vocabularies(former: dict[str, list[str]]) -> dict[str, list[str]]:
    """Return the names of items for each suite; names in `former`, the present file, keep their indices."""
    graphs = (full_graph(), abilities_of("voxel").graph)
    made = {}
    for suite in SUITES:
        names = dict.fromkeys(former.get(suite, ()))
        for task in tasks(suite).values():
            for graph in graphs:
                names |= dict.fromkeys(_on_the_way(task, graph))
        made[suite] = list(names)
    return made


def _on_the_way(task: Task, graph: KnowledgeGraph) -> list[str]:
    names: list[str] = []
    for kind in () if task.is_sought else task.kinds:
        try:
            names += graph.vocabulary(kind)
            break
        except Unobtainable:
            continue
    names += [name for tool in task.tools for name in graph.vocabulary(tool)]
    return [*names, *(name for name in task.kinds if name in items())]


def main() -> None:
    """Write the file."""
    former = json.loads(PAGE.read_text("utf-8"))["suites"] if PAGE.exists() else {}
    table = {"source": SOURCE, "suites": vocabularies(former)}
    PAGE.write_text(json.dumps(table, indent=1) + "\n", encoding="utf-8")
    for suite, names in table["suites"].items():
        print(f"{suite}: {len(names)} items")


if __name__ == "__main__":
    main()
