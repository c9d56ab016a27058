"""The words of the package as frozen types: sub-goal, plan, failure, event, sight, setup."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, get_args

Verb = Literal[
    "mine", "craft", "smelt", "equip", "place", "kill", "shear", "milk", "fill", "grow", "find",
    "recover",
]  # fmt: skip
VERBS: tuple[Verb, ...] = get_args(Verb)
"""What a sub-goal may ask for; the order is that of the one-hot in the `subgoal` observation."""

ONCE: tuple[Verb, ...] = ("equip", "place", "recover")
"""Verbs of sub-goals that are done once, whatever their count."""

RECOVER: Verb = "recover"
"""The verb of sub-goals that get the player out of a predicament (`core.predicaments`), its item."""

FUNCTIONAL_VERBS: frozenset[str] = frozenset({"craft", "smelt", "equip", "place"})
"""Verbs that the environment's helper carries out unless the controller declares them."""

Reason = Literal[
    "missing_item",
    "missing_tool",
    "missing_station",
    "not_found",
    "stuck",
    "died",
    "timeout",
    "no_skill",
    "judged",
    "world_failed",
]
"""Why a sub-goal was not reached; "judged": the agent's own verdict."""

Status = Literal["running", "success", "died", "budget", "gave_up", "world_failed", "abandoned"]
STATUSES: tuple[Status, ...] = get_args(Status)
"""How an episode stands; `info["status_code"]` is the index. Terminated are "success" and "died" (where
the protocol ends an episode there), truncated "budget" (ticks spent), "gave_up" (the agent did) and
"world_failed" (the world broke down); "abandoned" is one that a reset cut off."""


@dataclass(frozen=True, slots=True)
class SubGoal:
    """One step of a plan: a verb, an item and how many of it."""

    verb: Verb
    item: str
    """The item's name; of kinds that are as good as another, the one to name in text. Of "find" it may be
    any thing, of "recover" it is a predicament."""
    count: int = 1
    """How many more must be held, or 1 (equip, place)."""
    accepts: tuple[str, ...] = ()
    """Items that count as `item` (all logs for a log); empty means the item alone."""
    tool: str | None = None
    """The weakest tool that must be in hand, or None."""
    station: str | None = None
    """The block that must be in reach ("crafting_table", "furnace"), or None."""
    text: str = ""
    """The prompt for a text-conditioned controller, such as "mine 3 iron ore"."""
    place: str | None = None
    """Where to go for it, in words ("y 0 to 15", "savanna"), or None where it hardly matters."""
    creature: str | None = None
    """The creature that it is done to, or None."""

    @property
    def kinds(self) -> tuple[str, ...]:
        """Return the items that count for this sub-goal, never empty."""
        return self.accepts or (self.item,)

    def __str__(self) -> str:
        return f"{self.verb} {self.count} {self.item}"


@dataclass(frozen=True, slots=True)
class Failure:
    """Why a sub-goal ended without being reached."""

    reason: Reason
    item: str | None = None
    """What is missing or was not found: an item, tool or station."""
    count: int = 0
    """How many of it."""
    detail: str = ""
    """For people and language models."""

    def __str__(self) -> str:
        what = f": {self.count} {self.item}" if self.item else ""
        return f"{self.reason}{what}" + (f" ({self.detail})" if self.detail else "")


EVENT_KINDS = (
    "picked_up", "mined", "crafted", "smelted", "used", "eaten", "broken", "found", "lost", "hurt",
    "died", "dealt", "killed",
)  # fmt: skip
"""Kinds of events: "used" is placed, eaten or turned to something, "broken" worn out, "found" declared,
"hurt" damage taken, "dealt" damage given. The order is that of `info["event_counts"]`."""


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened in one tick of a world."""

    kind: str
    """One of `EVENT_KINDS`."""
    subject: str
    """An item, a block (mined), a thing (found), a source of damage (hurt, died; see
    `optimus_gym.game.hurts.hurts`) or a creature (dealt, killed)."""
    count: int
    """How many; of "hurt" and "dealt" half-hearts, rounded up."""


SightKind = Literal["block", "creature", "item"]


@dataclass(frozen=True, slots=True)
class Sight:
    """What a frame shows of one kind of block, creature or item."""

    kind: SightKind
    """"item": lying about or, an arrow, in flight or stuck; a block in the air is a "block"."""
    name: str
    pixels: int
    """At how many pixels it is seen, at least 1.

    A block counts wherever it gives a pixel any of its colour: water, ice and stained glass that one looks
    through, and what lies behind them, count both. Nothing but the body itself counts where a creature, an
    item or a block in the air is drawn.
    """
    distance: float
    """Blocks from the eye to the nearest point that is seen at the middle of one of the pixels."""


VIEW_DISTANCES = (16, 256)
"""The narrowest and the widest view that a world can be asked for, blocks."""
MOST_ROWS = 65_536
"""Worlds that an environment can have; one takes megabytes."""
MOST_THREADS = 1024
"""Threads that can see to an environment's worlds; more than any machine's processors."""


@dataclass(frozen=True, slots=True)
class Setup:
    """How an episode begins."""

    seed: int
    biome: str | None = None
    """The biome to begin in; None lets the seed decide."""
    position: tuple[float, float, float] | None = None
    """x, y, z of the feet; None takes the spawn."""
    inventory: Mapping[str, int] = field(default_factory=dict)
    """Items held at the start."""
    time: int = 0
    """Ticks since dawn, 0 to 23,999."""
    weather: str = "clear"
    """"clear", "rain" or "thunder"; it lasts as long as the game draws."""
    assists: tuple[str, ...] = ()
    """What makes the game easier, by name (`optimus_gym.game.protocols.assists`)."""
    creatures: bool = False
    """Whether animals and monsters come."""
    difficulty: str | None = None
    """"peaceful", "easy", "normal" or "hard": how hard creatures hit and hunger presses, and whether
    monsters come. None leaves out hunger and what comes with it: nothing is eaten, burns on, pricks,
    earns experience but creatures, or is lost at death; creatures are as on normal."""
