"""Advancements that a player of the package's worlds can make, and how the game announces them."""

from dataclasses import dataclass
from functools import cache
from types import MappingProxyType
from typing import Final

from optimus_gym.core.checks import check_name
from optimus_gym.game.creatures import creature_kinds
from optimus_gym.game.items import item
from optimus_gym.game.rows import rows


@dataclass(frozen=True, slots=True)
class AdvancementFrame:
    """How the game announces the advancements with one form of frame; Minecraft Wiki, "Advancement".

    Attributes:
        heading: the first line of the toast.
        tone: red, green and blue of the heading.
        deed: the words of the chat line between the player's name and the title.
    """

    heading: str
    tone: tuple[int, int, int]
    deed: str


ADVANCEMENT_FRAMES: Final = MappingProxyType(
    {
        "task": AdvancementFrame("Advancement Made!", (255, 255, 0), "has made the advancement"),
        "goal": AdvancementFrame("Goal Reached!", (255, 255, 0), "has reached the goal"),
        "challenge": AdvancementFrame(
            "Challenge Complete!", (255, 136, 255), "has completed the challenge"
        ),
    }
)


@dataclass(frozen=True, slots=True)
class Advancement:
    """One advancement; any one of its deeds makes it.

    Attributes:
        name: the game's name.
        title: its name as players read it.
        icon: the item in its toast.
        frame: a name of `ADVANCEMENT_FRAMES`.
        held: items; one of them in the inventory.
        used: items; the use of one of them.
        killed: creatures; the death of one of them by the player.
        sleeps: whether lying down in a bed makes it.
    """

    name: str
    title: str
    icon: str
    frame: str
    held: tuple[str, ...]
    used: tuple[str, ...]
    killed: tuple[str, ...]
    sleeps: bool


@cache
def advancements() -> tuple[Advancement, ...]:
    """Return the advancements; worlds number them in this order.

    The table leaves the roots of the game's tabs out, because the game announces no root. Source:
    `data/advancements.json`; Minecraft Wiki, "Advancement" (Java Edition 1.16).

    Raises:
        UnknownName: a row names an item, a creature or a frame that does not exist.
    """
    return tuple(
        Advancement(
            name=row["advancement"],
            title=row["title"],
            icon=item(row["icon"]).name,
            frame=check_name("frame of an advancement", row["frame"], ADVANCEMENT_FRAMES),
            held=tuple(item(name).name for name in row.get("held", ())),
            used=tuple(item(name).name for name in row.get("used", ())),
            killed=tuple(
                check_name("creature", name, creature_kinds()) for name in row.get("killed", ())
            ),
            sleeps=row.get("sleeps", False),
        )
        for row in rows("advancements")
    )
