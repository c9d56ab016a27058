"""Abilities: the part of the game that a world, a protocol and the executors allow."""

import json
from collections.abc import Collection
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from optimus_gym.game.creatures import creature_kinds
from optimus_gym.game.protocols import protocol as protocol_named
from optimus_gym.game.rows import Row, checked
from optimus_gym.game.sources import GETTING_VERBS, STATIONS
from optimus_gym.knowledge.knowledge_graph import KnowledgeGraph, full_graph

_PEACEFUL = "peaceful"
"""Name of the difficulty, and of the assist, under which no monsters spawn."""


@dataclass(frozen=True, slots=True)
class Abilities:
    """The part of the game that an environment allows; made by `abilities_of`.

    Attributes:
        world: the world's name.
        protocol: the protocol's name.
        verbs: the verbs that an executor can carry out; None = all.
    """

    world: str
    protocol: str = "vanilla"
    verbs: frozenset[str] | None = None

    @property
    def graph(self) -> KnowledgeGraph:
        """Return a fixed graph of all allowed ways to get items; equal abilities share one graph."""
        limits = self._limits
        return full_graph() if limits is None else _graph(limits)

    def of(self, knowledge: KnowledgeGraph) -> KnowledgeGraph:
        """Return a fixed graph of those ways of `knowledge` that the abilities allow, in the same order."""
        if knowledge is full_graph():
            return self.graph
        limits = self._limits
        able = knowledge if limits is None else limits.within(knowledge)
        return KnowledgeGraph(able.sources, fixed=True)

    @property
    def _limits(self) -> "_Limits | None":
        return _limits(self.world, self.protocol, self.verbs)


@dataclass(frozen=True, slots=True)
class _Limits:
    """Limits of the ways in a knowledge graph: the arguments of `KnowledgeGraph.within`."""

    verbs: tuple[str, ...]
    stations: tuple[str, ...] = STATIONS
    blocks: tuple[str, ...] | None = None
    creatures: tuple[str, ...] | None = None
    without: tuple[str, ...] = ()

    def within(self, graph: KnowledgeGraph) -> KnowledgeGraph:
        return graph.within(self.verbs, self.stations, self.blocks, self.creatures, self.without)


def abilities_of(
    world: str, protocol: str = "vanilla", verbs: Collection[str] | None = None
) -> Abilities:
    """Return the abilities of a world under a protocol: all that the game has, or less.

    Args:
        world: the world's name. A world that `data/abilities.json` does not name can do everything,
            whatever the protocol.
        protocol: the protocol's name; the protocol decides which creatures spawn.
        verbs: the verbs that an executor can carry out; None = all.

    Raises:
        UnknownName: there is no such protocol.
    """
    return Abilities(
        world, protocol_named(protocol).name, None if verbs is None else frozenset(verbs)
    )


@cache
def _limits(world: str, protocol: str, verbs: frozenset[str] | None) -> _Limits | None:
    """Return the limits that a world, a protocol and verbs set to a graph; None if they allow everything."""
    rules = protocol_named(protocol)
    for row in _abilities():
        if row["world"] == world:
            peaceful = _PEACEFUL in (rules.difficulty, *rules.assists)
            return _Limits(
                verbs=_able(row["verbs"], verbs),
                stations=tuple(row["stations"]),
                blocks=(*row["land"], *row["made"]),
                creatures=_come(row["creatures"], peaceful) if rules.creatures else (),
                without=tuple(row["without"]),
            )
    return None if verbs is None else _Limits(_able(GETTING_VERBS, verbs))


def _able(known: Collection[str], verbs: frozenset[str] | None) -> tuple[str, ...]:
    return tuple(verb for verb in known if verbs is None or verb in verbs)


def _come(creatures: Collection[str], peaceful: bool) -> tuple[str, ...]:
    """Return those creatures of a world that spawn: all, or if `peaceful` all but the monsters."""
    kinds = creature_kinds()
    return tuple(name for name in creatures if not peaceful or kinds[name].kind != "monster")


@cache
def _graph(limits: _Limits) -> KnowledgeGraph:
    """Return the fixed graph of all ways to get items in the game that some limits allow."""
    return KnowledgeGraph(limits.within(full_graph()).sources, fixed=True)


@cache
def _abilities() -> tuple[Row, ...]:
    """Return the rows of `data/abilities.json`, one for each world that cannot do everything.

    Fields of a row are the `verbs` and `stations` that work in the world, the blocks of its `land`, the
    blocks `made` in it by growing and hardening, the `creatures` that spawn, and the items that cannot be
    gathered (`without`).
    """
    path = files("optimus_gym.knowledge.data").joinpath("abilities.json")
    return checked(json.loads(path.read_text(encoding="utf-8")), path.name)
