"""Basic frozen types of the package: sub-goal, failure, event, sight, setup."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Literal, get_args

Verb = Literal[
    "mine", "craft", "smelt", "equip", "place", "kill", "shear", "milk", "fill", "grow", "find",
    "recover", "fight", "move", "dig_up", "dig_down", "use",
]  # fmt: skip
VERBS: tuple[Verb, ...] = get_args(Verb)
"""Verbs of sub-goals, in the order of the one-hot in the `subgoal` observation."""

ONCE: tuple[Verb, ...] = ("equip", "place", "recover", "move", "dig_up", "use")
"""Verbs of sub-goals that are reached by one success, whatever their count."""

ACT_VERBS: tuple[Verb, ...] = ("fight", "move", "dig_up", "dig_down", "use")
"""Verbs of sub-goals that get no item: acts of MP5's performer (MP5, Table 10), for agents that plan acts."""

SHAFT_ENDS: Mapping[str, str] = MappingProxyType({"dig_up": "sky", "dig_down": "height"})
"""The item of each sub-goal that digs a shaft, by its verb. "sky": the player sees the sky. "height": the
player's feet are at the height y that the sub-goal's count names."""
HIGHEST_SHAFT = 255
"""The greatest height y, in blocks, that a sub-goal may name: the game's highest block."""

RECOVER: Verb = "recover"
"""The verb of sub-goals that get the player out of a predicament; the sub-goal's item is a
predicament's name (`core.predicaments`)."""

TICKS_A_SECOND = 20
"""Ticks of a second of game time (Minecraft Wiki, "Tick")."""

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
"""Reasons why a sub-goal was not reached; "judged" means that the agent itself asked for another plan."""

Status = Literal[
    "running", "success", "died", "budget", "gave_up", "world_failed", "abandoned", "mistaken", "missed"
]  # fmt: skip
STATUSES: tuple[Status, ...] = get_args(Status)
"""The statuses of an episode; `info["status_code"]` is a status's index in this tuple. "success" and "died"
(if the protocol ends an episode at death) are terminated; "budget" (ticks spent), "gave_up" (by the agent)
and "world_failed" (the world broke down) are truncated; "abandoned" means that a reset or a close cut the
episode off. "mistaken" and "missed" are the failures of a thing to find and declare (MP5, section 4.1), both
terminated. "mistaken": the agent called the thing found although the view lacks the thing, or a condition of
the task. "missed": the agent saw all that the task asks for and went on."""


@dataclass(frozen=True, slots=True)
class SubGoal:
    """One step of a plan: a verb, an item and how many of it."""

    verb: Verb
    item: str
    """The item's name; if several items count, the one that texts name. The item of a "find" or "move"
    sub-goal is the name of any block, creature or item, the item of a "fight" sub-goal the name of a
    creature, the item of a "recover" sub-goal the name of a predicament. `SHAFT_ENDS` has the items of
    sub-goals that dig a shaft."""
    count: int = 1
    """Pieces that the inventory must gain; creatures that the player must kill (fight); the height y to reach
    (dig_down); else 1."""
    accepts: tuple[str, ...] = ()
    """Items that count as `item` (all logs for a log); empty means the item alone."""
    tool: str | None = None
    """The weakest tool that must be in hand, or None."""
    station: str | None = None
    """The block that must be in reach ("crafting_table", "furnace"), or None."""
    text: str = ""
    """The prompt for a text-conditioned controller, such as "mine 3 iron ore"."""
    place: str | None = None
    """The place to go to, in words ("y 0 to 15", "savanna"), or None if the place hardly matters."""
    creature: str | None = None
    """The creature that the verb acts on, or None."""

    @property
    def kinds(self) -> tuple[str, ...]:
        """Return the items that count as the sub-goal's item (at least one)."""
        return self.accepts or (self.item,)

    def __str__(self) -> str:
        return f"{self.verb} {self.count} {self.item}"


@dataclass(frozen=True, slots=True)
class Failure:
    """Why a sub-goal ended without being reached."""

    reason: Reason
    item: str | None = None
    """The item, tool or station that is missing or was not found."""
    count: int = 0
    """Missing pieces."""
    detail: str = ""
    """The failure's details in words, for people and language models."""

    def __str__(self) -> str:
        what = f": {self.count} {self.item}" if self.item else ""
        return f"{self.reason}{what}" + (f" ({self.detail})" if self.detail else "")


EVENT_KINDS = (
    "picked_up", "mined", "crafted", "smelted", "used", "eaten", "broken", "found", "lost", "hurt",
    "died", "dealt", "killed",
)  # fmt: skip
"""Kinds of events, in the order of `info["event_counts"]`. "used": an item was placed, eaten or turned into
another; "broken": an item wore out; "found": the agent declared a thing as found; "hurt": the player took
damage; "dealt": the player gave damage."""


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened in one tick of a world."""

    kind: str
    """One of `EVENT_KINDS`."""
    subject: str
    """An item, a block (mined), a thing (found), a source of damage (hurt, died; see
    `optimus_gym.game.hurts.hurts`) or a creature (dealt, killed)."""
    count: int
    """Number of pieces; for "hurt" and "dealt", the damage in half-hearts, rounded up."""


SightKind = Literal["block", "creature", "item"]


@dataclass(frozen=True, slots=True)
class Sight:
    """The pixels of one kind of block, creature or item in a frame."""

    kind: SightKind
    """"item": an item on the ground, or an arrow in flight or stuck; a falling block is a "block"."""
    name: str
    pixels: int
    """Pixels that show the kind, at least 1.

    A block counts at each pixel that has any of its colour: at a pixel that looks through water, ice or
    stained glass, the see-through block and the block behind both count. At a pixel of a creature, an item or
    a falling block, nothing else counts.
    """
    distance: float
    """Distance in blocks from the player's eye to the nearest visible point of such a block, creature or
    item, measured at the pixels' centres."""


VIEW_DISTANCES = (16, 256)
"""The shortest and the longest view distance of a world, blocks."""
MOST_ROWS = 65_536
"""Maximum number of worlds of an environment; one world takes megabytes."""
MOST_THREADS = 1024
"""Maximum number of threads for an environment's worlds; more than any machine's processors."""


@dataclass(frozen=True, slots=True)
class Setup:
    """The start of an episode: seed, position, inventory, time, weather, and rules of the world."""

    seed: int
    biome: str | None = None
    """The biome to begin in; None lets the seed decide."""
    position: tuple[float, float, float] | None = None
    """x, y, z of the player's feet, blocks; None: the world's spawn point."""
    inventory: Mapping[str, int] = field(default_factory=dict)
    """Number of pieces held at the start, by item."""
    time: int = 0
    """Time of day in the game's ticks, 0 (6 in the morning) to 23,999."""
    weather: str = "clear"
    """"clear", "rain" or "thunder"; the weather's duration is random, as in the game."""
    assists: tuple[str, ...] = ()
    """Names of assists, which make the game easier (`optimus_gym.game.protocols.assists`)."""
    creatures: bool = False
    """Whether animals and monsters spawn."""
    difficulty: str | None = None
    """"peaceful", "easy", "normal" or "hard": the strength of creatures' blows and of hunger, and whether
    monsters spawn. None leaves out hunger and other survival rules: the player cannot eat, is not hurt by
    fire, cacti or berry bushes, loses nothing at death and earns experience from creatures alone; creatures
    are as on "normal"."""
    screens: bool = False
    """Whether the player crafts, smelts and moves items on the game's screens, by mouse (power "screens")."""
    messages: bool = False
    """Whether pictures show toasts, chat lines and the name of a newly held item (power "messages")."""
