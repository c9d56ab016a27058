"""The skills of all tasks: sub-goals that a caller may choose instead of the plan's next sub-goal."""

import json
from collections.abc import Collection, Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Final, NamedTuple

import numpy as np
from gymnasium import spaces

from optimus_gym.core.types import ONCE, SubGoal
from optimus_gym.game.smelting import fuel_preference
from optimus_gym.game.sources import STATIONS, Source
from optimus_gym.game.tools import able_tools, cheapest_tool
from optimus_gym.knowledge.knowledge_graph import KnowledgeGraph
from optimus_gym.minds.completion import sources_for


@cache
def skills() -> tuple[SubGoal, ...]:
    """Return the skills in the order of their action numbers; later versions only append skills.

    Source: `data/skills.json`: sub-goals in plans of the full knowledge graph for the tasks of all suites.
    """
    text = files("optimus_gym.minds.data").joinpath("skills.json").read_text("utf-8")
    return tuple(
        SubGoal(
            row["verb"],
            row["item"],
            1,
            tuple(row.get("accepts", ())),
            row.get("tool"),
            row.get("station"),
            row["text"],
        )
        for row in json.loads(text)["skills"]
    )


def skill_names() -> tuple[str, ...]:
    """Return the names of the sub-goal view's actions; action 0 follows the agent's plan.

    >>> skill_names()[:2]
    ('follow the plan', 'mine oak_log')
    """
    return ("follow the plan", *(f"{skill.verb} {skill.item}" for skill in skills()))


POSSIBLE: Final = "possible"
"""The observation's key that marks which sub-goals of a set could begin now."""


def with_possible(space: spaces.Dict, count: int) -> spaces.Dict:
    """Return an observation space with the key `POSSIBLE` for a set of `count` sub-goals."""
    return spaces.Dict({**space.spaces, POSSIBLE: spaces.Box(0, 1, (count,), np.float32)})


class SkillNeeds(NamedTuple):
    """An item that must be held, or a station that must be in reach, before a skill can begin."""

    kinds: frozenset[str]
    pieces: int = 1


Beginning = tuple[SkillNeeds, ...]
"""All items and stations that one way of doing a skill needs at its beginning."""


class Feasibility:
    """Finds the skills that could begin with the items held and the stations in reach.

    Args:
        table: the skills.
        graph: the ways to get items that the world allows (`Abilities.graph`); a skill without a way is never
            feasible.
    """

    def __init__(self, table: Sequence[SubGoal], graph: KnowledgeGraph) -> None:
        self._takers: dict[SkillNeeds, int] = {}
        """For each need, a bit set of the ways to do skills that have the need (bit k stands for way k)."""
        self._ways: list[int] = []
        """For each skill, the ways of doing the skill, as a bit set (bit k stands for way k)."""
        ways = 0
        for skill in table:
            beginnings = _beginnings(skill, graph)
            self._ways.append((1 << len(beginnings)) - 1 << ways)
            for way, beginning in enumerate(beginnings, ways):
                for demand in beginning:
                    self._takers[demand] = self._takers.get(demand, 0) | 1 << way
            ways += len(beginnings)

    def mask(self, held: Mapping[str, int], stations: Collection[str]) -> list[bool]:
        """Return for each skill whether the items that it needs are held and its station is in reach.

        The answer ignores how far away the blocks and creatures are that a skill must find.

        Args:
            held: pieces held, by item.
            stations: stations in reach.
        """
        here = {name for name, count in held.items() if count > 0}
        here.update(map(_placed, stations))
        barred = 0
        for (kinds, pieces), ways in self._takers.items():
            if kinds.isdisjoint(here) or (
                pieces > 1 and sum(held.get(name, 0) for name in kinds) < pieces
            ):
                barred |= ways
        return [bool(ways & ~barred) for ways in self._ways]


@cache
def feasibility(graph: KnowledgeGraph) -> Feasibility:
    """Return the `Feasibility` of all skills under a graph that never changes; the result is cached."""
    return Feasibility(skills(), graph)


def _placed(station: str) -> str:
    """Return the name of a station in reach: "furnace in reach"; "furnace" alone means a held furnace."""
    return f"{station} in reach"


def _beginnings(skill: SubGoal, graph: KnowledgeGraph) -> list[Beginning]:
    """Return, for each way of doing a skill, the items and stations that the way needs."""
    if skill.verb in ONCE:
        return [(SkillNeeds(frozenset(skill.kinds)),)]
    if skill.verb == "mine" and skill.item in STATIONS:
        return [(SkillNeeds(frozenset({_placed(skill.item)})), *_tool(cheapest_tool(skill.item)))]
    ways = [_taken_by(source) for source in sources_for(skill, graph)]
    fire = (SkillNeeds(frozenset(fuel_preference())),) if skill.verb == "smelt" else ()
    return list(dict.fromkeys((*fire, *way) for way in ways))


def _taken_by(source: Source) -> Beginning:
    station = () if source.station is None else (SkillNeeds(frozenset({_placed(source.station)})),)
    holds = (SkillNeeds(frozenset({name})) for name in source.holds)
    parts = (SkillNeeds(frozenset(part.choices), part.count) for part in source.needs)
    return (*station, *_tool(source.tool), *holds, *parts)


def _tool(needed: str | None) -> Beginning:
    return () if needed is None else (SkillNeeds(frozenset(able_tools(needed))),)
