"""Curves of shares of episodes over ticks: success, and items that were ever held."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

import numpy as np
from numpy.typing import NDArray

from optimus_gym.game.tags import tag
from optimus_gym.run.results.parting import parted
from optimus_gym.run.results.row import EpisodeRow

MILESTONES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "any log": tuple(tag("logs")),
        "crafting table": ("crafting_table",),
        "wooden pickaxe": ("wooden_pickaxe",),
        "stone pickaxe": ("stone_pickaxe",),
        "furnace": ("furnace",),
        "iron ingot": ("iron_ingot",),
        "iron pickaxe": ("iron_pickaxe",),
        "gold ingot": ("gold_ingot",),
        "redstone": ("redstone",),
        "diamond": ("diamond",),
    }
)
"""Steps of the technology tree (Optimus-1, Figure 1); holding any one of a step's items reaches the step."""
_POINTS: Final = 200
"""Maximum number of points of a drawn curve; points are left out evenly from a longer curve."""


@dataclass(frozen=True, slots=True)
class Curve:
    """A share of episodes that grows with the ticks: the share becomes `shares[k]` at tick `ticks[k]`.

    Attributes:
        name: the group or milestone.
        ticks: ticks at which the share grows, ascending (float64[n]).
        shares: share of the episodes from each of `ticks` on, 0 to 1, ascending (float64[n]).
    """

    name: str
    ticks: NDArray[np.float64]
    shares: NDArray[np.float64]


def curve(name: str, ticks: Iterable[int], episodes: int) -> Curve:
    """Return a curve that rises by 1 / `episodes` at each of `ticks`, thinned to at most `_POINTS` points.

    >>> made = curve("success", [30, 10], 4)
    >>> made.ticks.tolist(), made.shares.tolist()
    ([10.0, 30.0], [0.25, 0.5])
    """
    ordered = np.sort(np.fromiter(ticks, np.float64))
    places = np.arange(len(ordered))
    if len(places) > _POINTS:
        places = np.unique(np.linspace(0, len(ordered) - 1, _POINTS).round().astype(np.int64))
    return Curve(name, ordered[places], (places + 1) / episodes)


def success_curves(rows: Sequence[EpisodeRow]) -> tuple[Curve, ...]:
    """Return a curve for each group: the share of episodes that have reached their task."""
    return tuple(
        curve(group, (row.ticks for row in own if row.success), len(own))
        for group, own in _parted(rows).items()
    )


def _parted(rows: Iterable[EpisodeRow]) -> dict[str, list[EpisodeRow]]:
    """Return the episodes of each group, except those with the status "crashed (time)"."""
    return parted((row.group, row) for row in rows if row.is_counted)


def milestone_curves(rows: Sequence[EpisodeRow]) -> dict[str, tuple[Curve, ...]]:
    """Return by group a curve for each milestone: the share of episodes that have reached the milestone.

    A milestone that no episode of a group has reached gets no curve.
    """
    found = {}
    for group, own in _parted(rows).items():
        curves = (curve(name, _reached(own, items), len(own)) for name, items in MILESTONES.items())
        found[group] = tuple(one for one in curves if len(one.ticks))
    return found


def _reached(rows: Iterable[EpisodeRow], items: Sequence[str]) -> list[int]:
    """Return the first tick at which each episode held one of some items; skip episodes that never did."""
    firsts = ([row.milestones[item] for item in items if item in row.milestones] for row in rows)
    return [min(ticks) for ticks in firsts if ticks]
