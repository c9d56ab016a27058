"""Tries a plan on the inventory before it runs, and names the first step that cannot work."""

from collections.abc import Sequence

from optimus_gym.core.types import PlannerView, SubGoal
from optimus_gym.game.recipes import Recipe, recipes_for
from optimus_gym.game.smelting import SMELTING_TICKS, fuel_preference, fuels, smelting_for
from optimus_gym.memory.knowledge_graph import KnowledgeGraph
from optimus_gym.memory.sources import FURNACE, TABLE, at_least
from optimus_gym.planner.completion import sources_for

STATIONS = (TABLE, FURNACE)


class Trial:
    """The inventory as a plan goes on, at every ingredient's exact amount.

    Args:
        view: what is held and in reach at the start.
        graph: says what can be mined, with which tool.
    """

    def __init__(self, view: PlannerView, graph: KnowledgeGraph) -> None:
        self.graph = graph
        self.held = {name: count for name, count in view.inventory.items() if count > 0}
        self.near = set(view.stations)
        self.fire: float = 0.0
        """Ticks that the furnace in reach burns on."""

    def count(self, kinds: Sequence[str]) -> int:
        """Return how many of some kinds are held."""
        return sum(self.held.get(name, 0) for name in kinds)

    def run(self, subgoals: Sequence[SubGoal]) -> str | None:
        """Carry out all sub-goals; return in words why the first impossible one is, or None."""
        for number, subgoal in enumerate(subgoals, start=1):
            fault = self.do(subgoal)
            if fault is not None:
                return f"step {number} ({subgoal}) cannot work: {fault}"
        return None

    def do(self, subgoal: SubGoal) -> str | None:
        """Carry out one sub-goal; return in words why it cannot be, or None."""
        if subgoal.verb == "mine":
            return self._mine(subgoal)
        if subgoal.verb == "craft":
            return self._craft(subgoal)
        if subgoal.verb == "smelt":
            return self._smelt(subgoal)
        held = [name for name in subgoal.kinds if self.held.get(name, 0)]
        if not held:
            return f"no {subgoal.item} is held"
        if subgoal.verb == "place":
            self._take(held[:1], 1)
            self.near.update(name for name in held[:1] if name in STATIONS)
        return None

    def _mine(self, subgoal: SubGoal) -> str | None:
        if subgoal.item in self.near and subgoal.count == 1:
            if subgoal.item == FURNACE and not self.count(at_least("wooden_pickaxe")):
                return "needs at least a wooden_pickaxe, none is held"
            self._take_along()
            return None
        sources = sources_for(subgoal, self.graph)
        if not sources:
            return f"no known block gives {subgoal.item}"
        if all(source.tool and not self.count(at_least(source.tool)) for source in sources):
            return f"needs at least a {sources[0].tool}, none is held"
        self._take_along()
        self._give(subgoal.item, subgoal.count)
        return None

    def _take_along(self) -> None:
        """Pocket the stations in reach, as the agent does whenever it mines; their fire is lost."""
        for station in sorted(self.near):
            self._give(station, 1)
        self.near.clear()
        self.fire = 0.0

    def _craft(self, subgoal: SubGoal) -> str | None:
        recipes = [recipe for kind in subgoal.kinds for recipe in recipes_for(kind)]
        if not recipes:
            return f"no recipe makes {subgoal.item}"
        made = 0
        while made < subgoal.count:
            faults = []
            for recipe in recipes:
                fault = self._lacks(recipe)
                if fault is None:
                    made += self._batch(recipe)
                    break
                faults.append(fault)
            else:
                return faults[0]
        return None

    def _lacks(self, recipe: Recipe) -> str | None:
        """Return in words what keeps one batch from being crafted, or None."""
        if recipe.table and TABLE not in self.near:
            return f"no {TABLE} is in reach"
        for part in recipe.ingredients:
            if self.count(part.choices) < part.count:
                missing = part.count - self.count(part.choices)
                return f"{missing} more {part.choices[0]} would be needed"
        return None

    def _batch(self, recipe: Recipe) -> int:
        for part in recipe.ingredients:
            self._take(part.choices, part.count)
        for name, count in recipe.remainders:
            self._give(name, count)
        self._give(recipe.product, recipe.count)
        return recipe.count

    def _smelt(self, subgoal: SubGoal) -> str | None:
        if FURNACE not in self.near:
            return f"no {FURNACE} is in reach"
        rows = [row for kind in subgoal.kinds for row in smelting_for(kind)]
        if not rows:
            return f"nothing smelts to {subgoal.item}"
        for _ in range(subgoal.count):
            row = next((row for row in rows if self.count(row.choices)), None)
            if row is None:
                return f"1 more {rows[0].choices[0]} would be needed"
            self._take(row.choices, 1)
            if not self._burn():
                return "more fuel would be needed"
            self._give(row.product, 1)
        return None

    def _burn(self) -> bool:
        """Keep the furnace alight for one piece; tell whether there was fuel enough."""
        while self.fire < SMELTING_TICKS:
            fuel = next((name for name in fuel_preference() if self.held.get(name, 0)), None)
            if fuel is None:
                return False
            self._take((fuel,), 1)
            self.fire += fuels()[fuel]
        self.fire -= SMELTING_TICKS
        return True

    def _give(self, name: str, count: int) -> None:
        self.held[name] = self.held.get(name, 0) + count

    def _take(self, kinds: Sequence[str], count: int) -> None:
        """Use up pieces, of the kind of which most is held first."""
        for name in sorted(kinds, key=lambda name: -self.held.get(name, 0)):
            taken = min(count, self.held.get(name, 0))
            if taken:
                self.held[name] -= taken
                count -= taken


def fault_of(
    subgoals: Sequence[SubGoal], goal: SubGoal, view: PlannerView, graph: KnowledgeGraph
) -> str | None:
    """Return in words why a plan does not lead to the goal, or None.

    A mined item comes in its first kind, and tools last: what only the world can tell is left to
    the replanning.
    """
    trial = Trial(view, graph)
    fault = trial.run(subgoals)
    if fault is not None:
        return fault
    placed = goal.verb == "place" and bool(trial.near.intersection(goal.kinds))
    if not placed and goal.verb != "place" and trial.count(goal.kinds) < goal.count:
        held = trial.count(goal.kinds)
        return f"at its end {held} of {goal.count} {goal.item} would be held"
    return None
