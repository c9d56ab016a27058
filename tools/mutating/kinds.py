"""The kinds of files that are changed: valid samples, changes and uses of each kind.

A further kind is a class with the three methods of `Kind` and a line in `KINDS`.
"""

import json
from collections.abc import Mapping, Sequence
from importlib.resources import files
from pathlib import Path
from types import MappingProxyType

from optimus_gym.core.errors import OptimusError
from optimus_gym.game.suite_file import loads_suite as load_suite
from optimus_gym.game.tasks import SUITES, tasks
from optimus_gym.knowledge.graph_file import dumps
from optimus_gym.knowledge.graph_folder import GRAPH_FILE, read_knowledge
from optimus_gym.knowledge.knowledge_graph import KnowledgeGraph, full_graph
from tools.mutating.caches import Caches
from tools.mutating.changes import Draws, change_bytes, change_json
from tools.mutating.evaluations import Evaluations
from tools.mutating.kind import Kind
from tools.mutating.memories import Databanks, Databases
from tools.mutating.models import MineClips, Options, Priors, Sb3Models, Weights
from tools.mutating.snapshots import Snapshots


def change_text(data: bytes, draws: Draws) -> bytes:
    """Return a changed JSON file; bytes and values are changed equally often."""
    if draws.random() < 0.5:
        return change_bytes(data, draws)
    return change_json(json.loads(data), draws)


class Graphs:
    """Knowledge graphs in a memory folder."""

    PLANNED = ("stick", "stone_pickaxe")

    def samples(self) -> Sequence[bytes]:
        """Return the full graph, and a graph of a few ways."""
        whole = full_graph()
        few = KnowledgeGraph(
            source for source in whole.sources if source.product in ("oak_planks", "stick", "bread")
        )
        return [dumps(few).encode(), dumps(whole).encode()]

    def change(self, data: bytes, draws: Draws) -> bytes:
        """Return a changed file of a graph."""
        return change_text(data, draws)

    def use(self, path: Path) -> None:
        """Read a memory's graph, write it again, and plan with it."""
        graph = read_knowledge(path.rename(path.with_name(GRAPH_FILE)).parent)
        path.with_name(GRAPH_FILE).write_text(dumps(graph), encoding="utf-8")
        assert read_knowledge(path.parent).sources == graph.sources, "a graph reads as another"
        for item in self.PLANNED:
            try:
                graph.requirements(item)
            except OptimusError:
                continue


class Suites:
    """Suites of tasks."""

    def samples(self) -> Sequence[bytes]:
        """Return the package's suites."""
        folder = files("optimus_gym.game.data.suites")
        return [folder.joinpath(f"{name}.json").read_bytes() for name in SUITES]

    def change(self, data: bytes, draws: Draws) -> bytes:
        """Return a changed file of a suite."""
        return change_text(data, draws)

    def use(self, path: Path) -> None:
        """Read a suite and check its tasks."""
        for task in load_suite(path.read_bytes(), "mutated", tasks).values():
            assert task.kinds, "a task without an item"
            _ = task.goal


KINDS: Mapping[str, type[Kind]] = MappingProxyType(
    {
        "snapshot": Snapshots,
        "graph": Graphs,
        "suite": Suites,
        "cache": Caches,
        "evaluation": Evaluations,
        "memory": Databases,
        "sqlite": Databanks,
        "vpt-options": Options,
        "vpt-weights": Weights,
        "steve-1-prior": Priors,
        "mineclip": MineClips,
        "sb3": Sb3Models,
    }
)
"""The kinds by name."""
