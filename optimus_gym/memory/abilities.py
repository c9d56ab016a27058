"""What a world can do of the game, and what a protocol leaves of that."""

import json
from collections.abc import Collection
from functools import cache
from importlib.resources import files

from optimus_gym.game.creatures import creature_kinds
from optimus_gym.game.protocols import protocol as protocol_named
from optimus_gym.game.rows import Row, checked
from optimus_gym.memory.knowledge_graph import KnowledgeGraph, full_graph

PEACEFUL = "peaceful"
"""The difficulty, and the assist, under which no monster comes."""


def graph_of(
    world: str, protocol: str = "vanilla", verbs: Collection[str] | None = None
) -> KnowledgeGraph:
    """Return the graph of what can be done in a world under a protocol: all that the game has, or less.

    The graph is a fixed one, made once for like questions.

    Args:
        world: the world's name. One that `data/abilities.json` does not name can do everything,
            whatever the protocol.
        protocol: its name; it decides which creatures come.
        verbs: those that somebody there can carry out; None = all.

    Raises:
        UnknownName: there is no such protocol.
    """
    rules = protocol_named(protocol)
    for row in _abilities():
        if row["world"] == world:
            peaceful = PEACEFUL in (rules.difficulty, *rules.assists)
            come = _come(row["creatures"], peaceful) if rules.creatures else ()
            able = tuple(name for name in row["verbs"] if verbs is None or name in verbs)
            return _graph(world, come, able)
    return full_graph()


def _come(creatures: Collection[str], peaceful: bool) -> tuple[str, ...]:
    """Return which of a world's creatures come: monsters only where it is not peaceful."""
    kinds = creature_kinds()
    return tuple(name for name in creatures if not peaceful or kinds[name].kind != "monster")


@cache
def _graph(world: str, creatures: tuple[str, ...], verbs: tuple[str, ...]) -> KnowledgeGraph:
    """Return the fixed graph of what such verbs can do in a world in which such creatures come."""
    (row,) = (row for row in _abilities() if row["world"] == world)
    blocks = (*row["land"], *row["made"])
    known = full_graph().within(verbs, row["stations"], blocks, creatures, row["without"])
    return KnowledgeGraph(known.sources, fixed=True)


@cache
def _abilities() -> tuple[Row, ...]:
    """Return the rows of the worlds that cannot do everything.

    `verbs` and `stations` that work in them, blocks of the `land` and blocks `made` there by growing and
    hardening, `creatures` that come, and items that are not had by hand (`without`).
    """
    path = files("optimus_gym.memory.data").joinpath("abilities.json")
    return checked(json.loads(path.read_text(encoding="utf-8")), path.name)
