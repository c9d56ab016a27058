"""One table of skills for all tasks: sub-goals that an agent may choose instead of the plan's next."""

import json
from collections.abc import Sequence
from functools import cache
from importlib.resources import files

from optimus_gym.core.types import ONCE, PlannerView, SubGoal
from optimus_gym.game.smelting import fuels
from optimus_gym.game.tools import able_tools, cheapest_tool
from optimus_gym.memory.knowledge_graph import KnowledgeGraph
from optimus_gym.memory.sources import STATIONS, Source
from optimus_gym.planner.completion import sources_for


@cache
def skills() -> tuple[SubGoal, ...]:
    """Return the skills in the order of their action numbers, which only ever grows at its end.

    Source: `data/skills.json`: the sub-goals of the full graph's plans for the tasks of all suites.
    """
    text = files("optimus_gym.envs.data").joinpath("skills.json").read_text("utf-8")
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


class Feasibility:
    """Tells which skills could be begun in a world.

    Args:
        table: the skills.
        graph: what the world can do; a skill that it knows no way for is never feasible.
    """

    def __init__(self, table: Sequence[SubGoal], graph: KnowledgeGraph) -> None:
        self._ways = [(skill, sources_for(skill, graph)) for skill in table]

    def mask(self, view: PlannerView) -> list[bool]:
        """Tell of each skill whether what it needs is held or in reach (its source may be far)."""
        return [_feasible(skill, sources, view) for skill, sources in self._ways]


def _feasible(skill: SubGoal, sources: Sequence[Source], view: PlannerView) -> bool:
    if skill.verb in ONCE:
        return any(view.inventory.get(name, 0) for name in skill.kinds)
    if skill.verb == "mine" and skill.item in STATIONS:
        return skill.item in view.stations and _has_tool(cheapest_tool(skill.item), view)
    if skill.verb == "smelt" and not any(name in fuels() for name in view.inventory):
        return False
    return any(_can_begin(source, view) for source in sources)


def _can_begin(source: Source, view: PlannerView) -> bool:
    held = view.inventory
    return (
        (source.station is None or source.station in view.stations or source.station in held)
        and _has_tool(source.tool, view)
        and all(name in held for name in source.holds)
        and all(
            sum(held.get(name, 0) for name in part.choices) >= part.count for part in source.needs
        )
    )


def _has_tool(needed: str | None, view: PlannerView) -> bool:
    return needed is None or any(name in view.inventory for name in able_tools(needed))
