"""Measure how long the knowledge graph takes to be built, and to plan each item from nothing.

    python benchmarks/knowledge_graph.py [--slowest 5]

The output is the seconds to build the full graph and its tables, the graph's size as JSON, the median and the
longest time of `requirements` over all obtainable items, the slowest items, and the number of plans that are
proved to be the fastest.
"""

import argparse
import time
from statistics import median

from optimus_gym.game.items import items
from optimus_gym.knowledge.cheapest import cheapest_sources
from optimus_gym.knowledge.graph_file import dumps
from optimus_gym.knowledge.knowledge_graph import KnowledgeGraph


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--slowest", type=int, default=5, metavar="N")
    slowest = parser.parse_args().slowest
    start = time.perf_counter()
    graph = KnowledgeGraph.full()
    graph.requirements("stick")
    made = time.perf_counter() - start
    size = len(dumps(graph).encode())
    names = list(cheapest_sources(graph.sources).price)
    taken: dict[str, float] = {}
    proved = 0
    for name in names:
        start = time.perf_counter()
        proved += graph.requirements(name).optimal
        taken[name] = 1000 * (time.perf_counter() - start)
    print(f"made in {made:.2f} s; {len(graph.sources)} sources, {size / 1e6:.2f} MB as JSON")
    print(f"{len(names)} of {len(items())} items can be had; {proved} plans are proved the fastest")
    print(
        f"requirements: median {median(taken.values()):.2f} ms, worst {max(taken.values()):.1f} ms"
    )
    for name in sorted(taken, key=taken.__getitem__, reverse=True)[:slowest]:
        print(f"  {name}: {taken[name]:.1f} ms")


if __name__ == "__main__":
    main()
