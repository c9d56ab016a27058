"""Fuel that each smelting step of a plan burns: whole pieces for each stay at a furnace, coal first."""

from collections.abc import Sequence
from math import ceil

from optimus_gym.game.smelting import SMELTING_TICKS, fuels
from optimus_gym.game.tags import tag
from optimus_gym.knowledge.cheapest import COALS, PLANKS
from optimus_gym.knowledge.partial import Partial
from optimus_gym.knowledge.search_options import BURN_COAL, BURN_PLANKS

Burnt = dict[int, tuple[int, int]]
"""For each smelting step, by its option's key: the pieces of coal and of planks that the step burns."""


def heat_of(kind: str) -> int:
    """Return the ticks for which a piece of a fuel burns; all items of the tag `kind` burn equally long."""
    return fuels()[tag(kind)[0]]


def burnt(plan: Partial, order: Sequence[int]) -> tuple[Burnt, int]:
    """Return the fuel that each smelting step of a plan burns, and how many planks the plan lacks.

    Args:
        plan: the plan, whose fuel is handed out to the steps.
        order: the keys of the plan's options, in the order of doing.
    """
    coal = plan.made[BURN_COAL].batches if BURN_COAL in plan.made else 0
    planks = plan.made[BURN_PLANKS].batches if BURN_PLANKS in plan.made else 0
    shares: Burnt = {}
    for stay in _stays(plan, order):
        ticks = sum(SMELTING_TICKS * plan.made[key].batches for key in stay)
        lit = min(coal, ceil(ticks / heat_of(COALS)))
        coal -= lit
        fire = spent_coal = spent_planks = 0
        for key in stay:
            fire += SMELTING_TICKS * plan.made[key].batches
            coals = min(lit, ceil(fire / heat_of(COALS)))
            wood = max(0, ceil((fire - lit * heat_of(COALS)) / heat_of(PLANKS)))
            shares[key] = coals - spent_coal, wood - spent_planks
            spent_coal, spent_planks = coals, wood
        planks -= spent_planks
    return shares, max(0, -planks)


def _stays(plan: Partial, order: Sequence[int]) -> list[list[int]]:
    """Return the keys of a plan's smelting options, one list for each stay at a station.

    A stay ends when the player leaves to gather; the remaining fire is then lost, because the player takes
    the station along.
    """
    stays: list[list[int]] = []
    burning: dict[str | None, list[int]] = {}
    for key in order:
        source = plan.made[key].option.source
        if source is None:
            continue
        if source.verb == "smelt":
            if source.station not in burning:
                burning[source.station] = []
                stays.append(burning[source.station])
            burning[source.station].append(key)
        elif source.verb != "craft":
            burning = {}
    return stays
