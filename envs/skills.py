"""One table of skills for all tasks: sub-goals that an agent may choose instead of the plan's next."""

import json
from functools import cache
from importlib.resources import files

from optimus_gym.core.types import PlannerView, SubGoal
from optimus_gym.game.items import item
from optimus_gym.game.recipes import recipes_for
from optimus_gym.game.smelting import fuels, smelting_for
from optimus_gym.game.tools import tools


@cache
def skills() -> tuple[SubGoal, ...]:
    """Return the skills in the order of their action numbers, which only ever grows at its end.

    Source: `data/skills.json`: the sub-goals of the plans of all 67 tasks of Optimus-1, Table 5.
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


def feasible(skill: SubGoal, view: PlannerView) -> bool:
    """Tell whether what the skill needs is held or in reach (a mine skill's source may be far)."""
    held = view.inventory
    if skill.station is not None and skill.station not in (*view.stations, *held):
        return False
    if skill.verb in ("equip", "place"):
        return any(held.get(name, 0) for name in skill.kinds)
    if skill.verb == "mine":
        return skill.tool is None or _has_tool(skill.tool, held)
    if skill.verb == "smelt":
        return any(
            any(held.get(name, 0) for name in smelting.choices)
            for smelting in smelting_for(skill.item)
        ) and any(held.get(name, 0) for name in fuels())
    return any(
        all(
            sum(held.get(name, 0) for name in part.choices) >= part.count
            for part in recipe.ingredients
        )
        for recipe in recipes_for(item(skill.item).name)
    )


def _has_tool(needed: str, held: object) -> bool:
    wanted = tools()[needed]
    return any(
        tool.kind == wanted.kind and tool.tier >= wanted.tier
        for name in held  # type: ignore[attr-defined]
        if (tool := tools().get(name)) is not None
    )
