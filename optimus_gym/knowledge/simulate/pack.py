"""A simulated player's things: items held and worn, stations in reach and their fire, but no slots."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from optimus_gym.game.equipment import EQUIPMENT_PLACES, equipment_place
from optimus_gym.game.smelting import SMELTING_TICKS, fuel_preference, fuels
from optimus_gym.game.tools import able_tools, cheapest_tool, uses_of

IN_HAND = EQUIPMENT_PLACES[0]


@dataclass(slots=True)
class Pack:
    """One simulated player's things; there are no slots, so there is always room.

    Attributes:
        held: pieces by item, worn items included.
        near: stations in reach.
        fire: ticks that the fire of a station in reach still burns.
        worn: item worn or in hand, by place (`game.equipment.EQUIPMENT_PLACES`).
        uses: uses that are left of the piece in use, by tool; a tool that is not in the mapping is new.
    """

    held: dict[str, int] = field(default_factory=dict)
    near: set[str] = field(default_factory=set)
    fire: dict[str, float] = field(default_factory=dict)
    worn: dict[str, str] = field(default_factory=dict)
    uses: dict[str, int] = field(default_factory=dict)

    @classmethod
    def of(
        cls, held: Mapping[str, int], near: Sequence[str] = (), hand: str | None = None
    ) -> "Pack":
        """Return a player's things from the inventory, the stations in reach and the item in hand."""
        worn = {IN_HAND: hand} if hand is not None else {}
        return cls({name: n for name, n in held.items() if n > 0}, set(near), worn=worn)

    def copy(self) -> "Pack":
        """Return a copy of the things that can change separately."""
        return Pack(
            dict(self.held), set(self.near), dict(self.fire), dict(self.worn), dict(self.uses)
        )

    def count(self, kinds: Sequence[str]) -> int:
        """Return how many pieces of some kinds are held in all."""
        return sum(self.held.get(name, 0) for name in kinds)

    def give(self, name: str, count: int) -> None:
        """Add pieces of an item to the things held."""
        self.held[name] = self.held.get(name, 0) + count

    def take(self, kinds: Sequence[str], count: int) -> None:
        """Remove pieces of some kinds from the things held, the most plentiful kind first."""
        for name in sorted(kinds, key=lambda name: -self.held.get(name, 0)):
            taken = min(count, self.held.get(name, 0))
            if taken:
                count -= taken
                self._remove(name, taken)

    def _remove(self, name: str, count: int) -> None:
        self.held[name] -= count
        if not self.held[name]:
            del self.held[name]
            self.uses.pop(name, None)
            self.worn = {place: worn for place, worn in self.worn.items() if worn != name}

    def equip(self, name: str) -> None:
        """Take a held thing into the hand, or wear it."""
        self.worn[EQUIPMENT_PLACES[equipment_place(name)]] = name

    def use_tool(self, weakest: str, uses: int) -> int:
        """Use held tools, `weakest` or better ones, to break blocks, shear or till; tools wear out.

        The tool in hand is used first if it serves, then the weakest tool that serves.

        Args:
            weakest: the weakest tool that serves.
            uses: how many uses are wanted.

        Returns:
            how many uses were possible before the last tool broke.
        """
        done = 0
        while done < uses:
            name = self.tool_for(weakest)
            if name is None:
                return done
            self.equip(name)
            left = self.uses.get(name, uses_of(name))
            now = min(left, uses - done)
            done += now
            self.uses[name] = left - now
            if not self.uses[name]:
                del self.uses[name]
                self._remove(name, 1)
        return done

    def tool_for(self, weakest: str) -> str | None:
        """Return the held tool that the player would use where `weakest` is needed, or None."""
        able = [name for name in able_tools(weakest) if self.held.get(name, 0)]
        hand = self.worn.get(IN_HAND)
        return hand if hand in able else next(iter(able), None)

    def take_along(self) -> None:
        """Pocket the stations in reach, as a player does before walking off; their fire is lost.

        A station stays behind if the player lacks the pickaxe that recovers it.
        """
        for station in sorted(self.near):
            needed = cheapest_tool(station)
            if needed is None or self.tool_for(needed) is not None:
                self.give(station, 1)
        self.near.clear()
        self.fire.clear()

    def burn(self, station: str, product: str) -> bool:
        """Keep a station alight for a piece of a product; return whether there was enough fuel.

        Charcoal is burnt to make charcoal only if there is no other fuel. A blast furnace and a smoker burn
        fuel twice as fast and smelt twice as fast, so a piece of fuel smelts as many pieces in every station
        (Minecraft Wiki, "Blast Furnace", "Smoker").
        """
        while self.fire.get(station, 0.0) < SMELTING_TICKS:
            burning = [name for name in fuel_preference() if self.held.get(name, 0)]
            fuel = min(burning, key=lambda name: name == product, default=None)
            if fuel is None:
                return False
            self.take((fuel,), 1)
            self.fire[station] = self.fire.get(station, 0.0) + fuels()[fuel]
        self.fire[station] -= SMELTING_TICKS
        return True
