"""DEPS's selector: of the sub-goals that can be done now, the nearest comes first.

In the authors' public code a network predicts how many steps are left to a goal (its horizon), but no code
selects by it: the selector's three methods raise `NotImplementedError`, and the loop takes the first goal.
Here the horizon comes from the knowledge graph's expected ticks, and the proximity from height and
surroundings; the smallest sum wins.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from optimus_gym.core.situation import Situation
from optimus_gym.core.types import SubGoal
from optimus_gym.game.biomes import BIOMES
from optimus_gym.game.sources import Source
from optimus_gym.knowledge.knowledge_graph import KnowledgeGraph
from optimus_gym.knowledge.simulate.pack import Pack
from optimus_gym.minds.completion import sources_for
from optimus_gym.minds.eyes import Eyes
from optimus_gym.minds.mind import Mind
from optimus_gym.minds.self_check import Judging, faults_in

TUNNEL_TICKS: Final = 15.0
"""Ticks for one block of height, as in `game/data/sources/finds.json`: tunnelling 15 ticks a block."""
ANOTHER_BIOME: Final = 600.0
"""Ticks to a biome that is not here: our estimate, half a minute of walking at 4.3 m/s."""
SURFACE_HEIGHT: Final = 63
"""Height of the surface, blocks: the sea level (Minecraft Wiki, "Altitude")."""
PREPARING: Final = ("equip", "place")
"""Verbs of sub-goals that prepare the next one."""
PlanBlock = tuple[SubGoal, ...]
"""An action of a plan, preceded by the sub-goals that prepare it."""


class HorizonSelector:
    """Chooses the next sub-goal among those of the plan that can be done now.

    Args:
        graph: the expected ticks and the place of each way to get an item.
        judging: the rules that say which sub-goals can be done.
        eyes: read the surroundings off the screen if the protocol hides the biome.
        horizon: whether the expected ticks of a sub-goal count.
        proximity: whether the way to the place of a sub-goal counts.
    """

    def __init__(
        self, graph: KnowledgeGraph, judging: Judging, eyes: Eyes, horizon: bool, proximity: bool
    ) -> None:
        self._graph = graph
        self._judging = judging
        self._eyes = eyes
        self._horizon = horizon
        self._proximity = proximity

    def select(self, minds: Sequence[Mind], situations: Sequence[Situation]) -> None:
        """Put the selected sub-goal of each row's plan next; the others keep their order."""
        if not self._horizon and not self._proximity:
            return
        choices = [self._choices(mind, here) for mind, here in zip(minds, situations, strict=True)]
        open_rows = [k for k, ready in enumerate(choices) if len(ready) > 1]
        biomes = self._biomes([situations[k] for k in open_rows])
        for k, biome in zip(open_rows, biomes, strict=True):
            mind, here = minds[k], situations[k]
            blocks = blocks_of(mind.plan.subgoals[mind.position :])
            best = min(
                choices[k], key=lambda place: (self._ticks(blocks[place], here, biome), place)
            )
            mind.plan = replace(
                mind.plan,
                subgoals=(*mind.plan.subgoals[: mind.position], *_first(blocks, best)),
            )

    def _choices(self, mind: Mind, here: Situation) -> list[int]:
        """Return the places of the blocks that can be done now and whose doing now spoils no other block.

        A prepared action is not put off.
        """
        plan, position = mind.plan.subgoals, mind.position
        if (
            mind.reason
            or position >= len(plan)
            or (position and plan[position - 1].verb in PREPARING)
        ):
            return []
        blocks = blocks_of(plan[position:])
        ready = [k for k, block in enumerate(blocks) if not self._faults(block, here)]
        if len(ready) < 2:
            return ready
        least = self._faults(plan[position:], here)
        return [k for k in ready if self._faults(_first(blocks, k), here) <= least]

    def _faults(self, subgoals: PlanBlock, here: Situation) -> int:
        """Return how many sub-goals cannot work, one after another, with what the player has."""
        pack = Pack.of(here.inventory, here.stations, here.equipped)
        return len(faults_in(subgoals, pack, self._judging))

    def _biomes(self, situations: Sequence[Situation]) -> list[str | None]:
        """Return each row's biome: the protocol's word, else the screen's if the aligner is certain of it."""
        hidden = [one for one in situations if one.biome is None] if self._proximity else []
        seen = dict(zip([one.row for one in hidden], self._eyes.look(hidden), strict=True))
        words = {row: one.words.get("environment", "") for row, one in seen.items()}
        shown = {row: word for row, word in words.items() if word in BIOMES}
        return [one.biome or shown.get(one.row) for one in situations]

    def _ticks(self, block: PlanBlock, here: Situation, biome: str | None) -> float:
        """Return the estimated ticks of a block, by horizon and proximity as far as they are on."""
        action = block[-1]
        ways = sources_for(action, self._graph)
        times = (
            self._horizon * (way.first + way.runs(action.count) * way.ticks)
            + self._proximity * way_to(way, here.height, biome)
            for way in ways
        )
        return min(times, default=0.0)


def blocks_of(subgoals: Sequence[SubGoal]) -> list[PlanBlock]:
    """Return a plan as blocks: each ends with an action, or with the plan's end."""
    blocks: list[PlanBlock] = []
    begun: list[SubGoal] = []
    for subgoal in subgoals:
        begun.append(subgoal)
        if subgoal.verb not in PREPARING:
            blocks.append(tuple(begun))
            begun = []
    return [*blocks, tuple(begun)] if begun else blocks


def way_to(way: Source, height: float, biome: str | None) -> float:
    """Return the estimated ticks from a height and a biome to the place of a way; crafting has no place.

    >>> from optimus_gym.game.ways import Place
    >>> way_to(Source("mine", "coal", 1, place=Place((), 0, 60)), 64.0, "plains")
    60.0
    """
    place = way.place
    if place is None or not way.gathered:
        return 0.0
    low = SURFACE_HEIGHT if place.biomes and place.low is None else place.low
    above = max(height - place.high, 0.0) if place.high is not None else 0.0
    below = max(low - height, 0.0) if low is not None else 0.0
    away = (
        ANOTHER_BIOME if place.biomes and biome is not None and biome not in place.biomes else 0.0
    )
    return TUNNEL_TICKS * (above + below) + away


def _first(blocks: Sequence[PlanBlock], place: int) -> PlanBlock:
    """Return the sub-goals with one block in front of the others."""
    order = (blocks[place], *blocks[:place], *blocks[place + 1 :])
    return tuple(subgoal for block in order for subgoal in block)
