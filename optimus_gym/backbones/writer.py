"""Write a plan line by line, and add the steps that place stations, equip tools and pocket stations."""

from collections.abc import Mapping, Sequence
from typing import Any

from optimus_gym.backbones.bare import step
from optimus_gym.game.tools import able_tools, cheapest_tool, uses_of


class Writer:
    """Tracks the items that the agent will hold, have in hand and have in reach during the plan.

    Held tools are assumed to be new.

    Args:
        facts: the facts of a request for a plan (`prompts.lines`): items held, in hand and in reach.

    Attributes:
        steps: the steps so far.
    """

    def __init__(self, facts: Mapping[str, Any]) -> None:
        self.steps: list[dict[str, Any]] = []
        self.held = {name: count for name, count in facts["inventory"].items() if count > 0}
        self.hand: str | None = facts["equipped"]
        self.near: set[str] = set(facts["stations"])
        self.worn: dict[str, int] = {}
        """Number of past uses of tools, by name."""

    def add(self, line: Mapping[str, Any], later: Sequence[Mapping[str, Any]]) -> None:
        """Write one line of the knowledge graph, preceded by the steps that make it possible.

        Args:
            line: the line.
            later: the lines after this line, for which tools must last.
        """
        by_hand = line["verb"] in ("craft", "smelt")
        if not by_hand:
            self._take_in_hand(line["tool"], line["count"], later)
            self._take_along()
        for name, count in line["uses"].items():
            if name in self.near and self.held.get(name, 0) < count:
                self._take_up(name)
            self._add(name, -count)
        if by_hand and line["station"] is not None:
            self._place(line["station"])
        self.write(line["verb"], line["item"], line["count"])
        self._add(line["item"], line["count"])

    def write(self, verb: str, item: str, count: int) -> None:
        """Write one sub-goal."""
        self.steps.append(step(verb, item, count))

    def _add(self, item: str, count: int) -> None:
        self.held[item] = max(self.held.get(item, 0) + count, 0)

    def _take_in_hand(
        self, needed: str | None, uses: int, later: Sequence[Mapping[str, Any]] = ()
    ) -> None:
        if needed is None:
            return
        chosen = self._tool_for(needed, uses, later)
        if chosen != self.hand:
            self.write("equip", chosen, 1)
            self.hand = chosen
        self.worn[chosen] = self.worn.get(chosen, 0) + uses

    def _tool_for(self, needed: str, uses: int, later: Sequence[Mapping[str, Any]]) -> str:
        """Return the strongest held tool that can replace `needed` and lasts for the later lines.

        The plan counts all uses on `needed`, the weakest tool; a stronger tool must have uses to spare.
        """
        for name in reversed(able_tools(needed)):
            reserved = sum(line["count"] for line in later if line["tool"] == name)
            left = self.held.get(name, 0) * uses_of(name) - self.worn.get(name, 0)
            if self.held.get(name, 0) and left >= uses + reserved:
                return name
        held = (name for name in able_tools(needed) if self.held.get(name, 0))
        return next(held, needed)

    def _place(self, station: str) -> None:
        if station not in self.near:
            self.write("place", station, 1)
            self._add(station, -1)
            self.near.add(station)
            self.hand = None

    def _take_up(self, station: str) -> None:
        """Mine a placed station that a later step uses up."""
        self._take_in_hand(cheapest_tool(station), 1)
        self.write("mine", station, 1)
        self._take_along()

    def _take_along(self) -> None:
        """Pocket the stations in reach, as the agent does when it mines."""
        for station in sorted(self.near):
            self._add(station, 1)
        self.near.clear()
