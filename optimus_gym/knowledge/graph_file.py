"""The knowledge graph as text: versioned JSON, checked completely when it is loaded."""

import json
from collections.abc import Callable, Collection, Mapping
from types import MappingProxyType
from typing import Any, cast

from optimus_gym.core.checks import check_count, check_name, is_number
from optimus_gym.core.errors import BadValue, UnknownName, shown
from optimus_gym.core.plain import read_json
from optimus_gym.core.types import Verb
from optimus_gym.game.blocks import blocks
from optimus_gym.game.items import items
from optimus_gym.game.rows import refuse
from optimus_gym.game.sources import GATHERING, GETTING_VERBS, STATIONS, Need, Source
from optimus_gym.game.tools import tools
from optimus_gym.game.ways import Place, biome_names, creature_names
from optimus_gym.knowledge.knowledge_graph import KnowledgeGraph
from optimus_gym.knowledge.learning import MOST_SOURCE_TICKS, MOST_USED

GRAPH_FORMAT = "optimus-gym knowledge graph"
GRAPH_VERSION = 1
SOURCE_FIELDS = ("verb", "product", "yields", "ticks")
"""Fields that each source (way to get an item) must have in the JSON text."""
LEAST_YIELD = 1e-9
"""Least mean number of pieces that a batch of a source gives; rare drops give small fractions of a piece."""
HIGHEST_BLOCK = 255
"""The height (y) of the world's highest block; Minecraft Wiki, "Altitude" (1.16)."""
KNOWN_NAMES: Mapping[str, Callable[[], Collection[str]]] = MappingProxyType(
    {
        "tool": tools,
        "station": lambda: STATIONS,
        "block": blocks,
        "creature": creature_names,
    }
)
"""Fields of a source that hold a name, each with a function that returns the known names."""


def dumps(graph: KnowledgeGraph) -> str:
    """Return a graph as JSON: the nodes as a list of names; the sources, which refer to nodes by number."""
    number = {name: k for k, name in enumerate(graph.nodes)}
    rows = [_row(source, number) for source in graph.sources]
    table = {
        "format": GRAPH_FORMAT,
        "version": GRAPH_VERSION,
        "nodes": list(graph.nodes),
        "sources": rows,
    }
    return json.dumps(table, separators=(",", ":"))


def loads_graph(text: str, where: str = "graph") -> KnowledgeGraph:
    """Return the graph that a JSON text holds.

    Args:
        text: the text that `dumps` has written.
        where: a name for the text, for error messages.

    Raises:
        BadValue: the text is cut off or no JSON, has another format or version, names items that
            the game or the list of nodes does not have, or a field makes no sense; the error names
            all faults of the text.
    """
    table = read_json(text, where)
    if not isinstance(table, dict) or table.get("format") != GRAPH_FORMAT:
        raise BadValue(
            f"expected an object of format {GRAPH_FORMAT!r}, got something else ({where})"
        )
    if table.get("version") != GRAPH_VERSION:
        raise BadValue(
            f"expected version {GRAPH_VERSION}, got {shown(table.get('version'))} ({where})"
        )
    nodes, rows = table.get("nodes"), table.get("sources")
    if not isinstance(nodes, list) or not isinstance(rows, list):
        raise BadValue(f"expected the fields nodes and sources with a list each ({where})")
    faults = [
        f"node {k}: expected an item of the game, got {shown(name)}"
        for k, name in enumerate(nodes)
        if not isinstance(name, str) or name not in items()
    ]
    refuse(faults, where)
    sources = []
    for k, row in enumerate(rows):
        try:
            sources.append(_source(row, nodes))
        except (BadValue, UnknownName) as error:
            faults.append(f"source {k}: {error}")
    refuse(faults, where)
    return KnowledgeGraph(sources)


def _row(source: Source, number: dict[str, int]) -> dict[str, Any]:
    row: dict[str, Any] = {
        "verb": source.verb,
        "product": number[source.product],
        "yields": source.yields,
        "ticks": source.ticks,
        "first": source.first,
        "needs": [[[number[n] for n in need.choices], need.count] for need in source.needs],
        "holds": [number[name] for name in source.holds],
        **{name: getattr(source, name) for name in KNOWN_NAMES},
    }
    if source.place is not None:
        place = source.place
        row["place"] = [list(place.biomes), place.low, place.high]
    return {
        key: value
        for key, value in row.items()
        if value not in (None, [], 0.0) or key in SOURCE_FIELDS
    }


def _source(row: Any, nodes: list[str]) -> Source:
    """Return one source.

    Raises:
        BadValue: the row is no source; the error says what is wrong with the row.
        UnknownName: a field of the row has an unknown name.
    """
    if not isinstance(row, dict):
        raise BadValue(f"expected an object, got {shown(row)}")
    missing = [name for name in SOURCE_FIELDS if name not in row]
    if missing:
        raise BadValue(
            f"expected the fields {', '.join(SOURCE_FIELDS)}, got no {', '.join(missing)}"
        )
    for name, known in KNOWN_NAMES.items():
        if row.get(name) is not None:
            check_name(name, row[name], known())
    for name in ("tool", "station"):
        if row.get(name) is not None and row[name] not in nodes:
            raise BadValue(f"{name}: expected a node of the graph, got {row[name]!r}")
    return Source(
        verb=cast(Verb, check_name("verb", row["verb"], GETTING_VERBS)),
        product=_node(row["product"], nodes),
        yields=_yields(row),
        needs=tuple(_need(need, nodes) for need in _list(row.get("needs", []), "needs")),
        tool=row.get("tool"),
        station=row.get("station"),
        block=row.get("block"),
        ticks=_number(row["ticks"], "ticks"),
        first=_number(row.get("first", 0.0), "first"),
        holds=tuple(_node(n, nodes) for n in _list(row.get("holds", []), "holds")),
        creature=row.get("creature"),
        place=_place(row.get("place")),
    )


def _node(number: Any, nodes: list[str]) -> str:
    return nodes[check_count("node", number, 0, len(nodes) - 1)]


def _list(value: Any, name: str, length: int | None = None) -> list[Any]:
    if not isinstance(value, list) or length not in (None, len(value)):
        wanted = "a list" if length is None else f"a list of {length}"
        raise BadValue(f"{name}: expected {wanted}, got {shown(value)}")
    return value


def _need(value: Any, nodes: list[str]) -> Need:
    choices, count = _list(value, "needs", 2)
    kinds = tuple(_node(n, nodes) for n in _list(choices, "needs"))
    if not kinds:
        raise BadValue("needs: expected at least one item for each ingredient, got none")
    return Need(kinds, check_count("needs", count, 1, MOST_USED))


def _yields(row: dict[str, Any]) -> float:
    """Return the mean number of pieces of a source's batch; only gathering may give fractions of a piece."""
    yields = _number(row["yields"], "yields", LEAST_YIELD, MOST_USED)
    if row["verb"] not in GATHERING and yields != int(yields):
        raise BadValue(f"yields: expected an integer for the verb {row['verb']!r}, got {yields!r}")
    return yields


def _number(value: Any, name: str, least: float = 0.0, most: float = MOST_SOURCE_TICKS) -> float:
    if not is_number(value) or not least <= value <= most:
        raise BadValue(f"{name}: expected a number of {least:g} to {most:g}, got {shown(value)}")
    return cast(float, value)


def _place(value: Any) -> Place | None:
    if value is None:
        return None
    biomes, low, high = _list(value, "place", 3)
    for biome in _list(biomes, "biomes"):
        check_name("biome", biome, biome_names())
    for height in (low, high):
        if height is not None:
            check_count("place", height, 0, HIGHEST_BLOCK)
    return Place(tuple(biomes), low, high)
