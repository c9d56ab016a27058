"""A second interpreter of plans: tries a plan on an inventory, by the game's tables alone.

The player finds everything, at the mean yield, takes its stations along when it walks off, and stops at the
goal. The player uses up the most plentiful of several kinds. Fights, shafts and moves are left out.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from math import ceil
from typing import Final, NamedTuple

from benchmarks.reference.tables import BURNT, FUELS, HARVEST, STATIONS, TOOLS, WAYS, Way, rows

PIECE: Final = 200
"""Ticks of fire that a piece takes in any oven."""


class Step(NamedTuple):
    """A step of a plan, or a goal: a verb, the items that count, and how many pieces."""

    verb: str
    kinds: tuple[str, ...]
    count: int = 1


class Player:
    """A player who carries out steps."""

    def __init__(self, held: Mapping[str, int], near: Sequence[str] = ()) -> None:
        self.held = Counter(held)
        self.hand = ""
        self.near: dict[str, int] = dict.fromkeys(near, 0)
        """The ticks that the fire of each station in reach still burns."""
        self.damage: dict[str, int] = {}
        """The damage of the piece in use, by tool."""

    def reaches(self, goal: Step, plan: Sequence[Step]) -> bool:
        """Carry out a plan; return whether all steps up to the goal work, and the goal is reached."""
        for step in plan:
            if self.has(goal):
                return True
            if not self.do(step):
                return False
            if goal.verb == step.verb in ("equip", "place") and {*goal.kinds} & {*step.kinds}:
                return True
        return self.has(goal)

    def has(self, goal: Step) -> bool:
        """Return whether a goal's pieces are held; a thing to equip or place must be more than held."""
        enough = sum(self.held[kind] for kind in goal.kinds) >= goal.count
        return enough and goal.verb not in ("equip", "place")

    def do(self, step: Step) -> bool:
        """Carry out a step; return whether it works."""
        if step.verb in ("equip", "place"):
            name = next((kind for kind in step.kinds if self.held[kind]), "")
            if step.verb == "equip":
                self.hand = name
            else:
                self.held[name] -= 1
                self.near |= {name: 0} if name in STATIONS else {}
            return name != ""
        if step.verb == "mine" and step.count == 1 and self.near.keys() & {*step.kinds}:
            return self.leave() or any(self.held[kind] for kind in step.kinds)
        ways = [way for kind in step.kinds for way in WAYS.get((step.verb, kind), ())]
        ways = [way for way in ways if not any({*step.kinds} & {*kinds} for kinds, _ in way.needs)]
        if step.verb not in ("craft", "smelt"):
            return any(self.gather(way, step.count) for way in ways)
        made = 0.0
        while made < step.count:
            way = next((way for way in ways if self.make(way)), None)
            made += way.yields if way else 0
            if way is None:
                return False
        return True

    def make(self, way: Way) -> bool:
        """Craft or smelt a batch, if possible."""
        before = self.held.copy()
        ready = way.station is None or way.station in self.near
        if ready and self.use_up(way, 1) and (way.verb == "craft" or self.burn(way)):
            for kinds, count in way.needs:
                left = {row["item"]: row["left"] for row in rows("remainders")}.get(kinds[0])
                self.held[left or ""] += count if left and way.verb == "craft" else 0
            self.held[way.product] += int(way.yields)
            return True
        self.held = before
        return False

    def use_up(self, way: Way, batches: int) -> bool:
        """Take the ingredients, those with the fewest choices first, of the most plentiful kinds."""
        for kinds, count in sorted(way.needs, key=lambda need: len(need[0])):
            left = count * batches
            for kind in sorted(kinds, key=lambda kind: -self.held[kind]):
                taken = min(left, self.held[kind])
                self.held[kind] -= taken
                left -= taken
            if left:
                return False
        return True

    def burn(self, way: Way) -> bool:
        """Keep an oven alight for a piece; charcoal is burnt for charcoal only if nothing else is there."""
        oven = way.station or ""
        while self.near[oven] < PIECE:
            held = sorted(
                (name for name in BURNT if self.held[name]), key=lambda n: n == way.product
            )
            if not held:
                return False
            self.held[held[0]] -= 1
            self.near[oven] += FUELS[held[0]]
        self.near[oven] -= PIECE
        return True

    def gather(self, way: Way, count: int) -> bool:
        """Walk off and gather pieces by a way, if possible."""
        if (way.tool and not self.able(*way.tool)) or not all(self.held[one] for one in way.holds):
            return False
        batches = ceil(count / way.yields)
        before = self.held.copy()
        if not self.use_up(way, batches):
            self.held = before
            return False
        self.leave()
        for _ in range(batches if way.tool else 0):
            tools = self.able(*way.tool or ("", 0))
            if not tools:
                return False
            name = self.hand if self.hand in tools else tools[0]
            self.damage[name] = self.damage.get(name, 0) + max(TOOLS[name]["wear_break"], 1)
            if self.damage[name] >= TOOLS[name]["durability"]:
                self.held[name] -= 1
                del self.damage[name]
        self.held[way.product] += max(count, int(batches * way.yields))
        return True

    def able(self, kind: str, tier: int) -> list[str]:
        """Return the held tools that serve, the weakest first."""
        fit = [one for one, row in TOOLS.items() if row["kind"] == kind and row["tier"] >= tier]
        return sorted(
            (one for one in fit if self.held[one]), key=lambda one: int(TOOLS[one]["tier"])
        )

    def leave(self) -> bool:
        """Take along the stations in reach that the held tools recover; their fire is lost."""
        for name in self.near:
            self.held[name] += HARVEST.get(name) is None or bool(self.able(*HARVEST[name]))
        self.near = {}
        return False
