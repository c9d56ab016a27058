"""What each world lets a player do, told without making one."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from optimus_gym.core.registry import load
from optimus_gym.core.types import VERBS, Verb


@dataclass(frozen=True, slots=True)
class Abilities:
    """What can be done in a world.

    Attributes:
        verbs: sub-goals that make sense in it.
        stations: stations that work in it; None = every one.
        whole_subgoals: whether it carries out sub-goals itself (`core.protocols.SubGoalWorld`): it
            has no body to move and nothing to look at, and no controller is asked.
    """

    verbs: tuple[Verb, ...] = VERBS
    stations: tuple[str, ...] | None = None
    whole_subgoals: bool = False


ABILITIES: Mapping[str, Abilities] = MappingProxyType(
    {
        "voxel": Abilities(
            ("mine", "craft", "smelt", "equip", "place"), ("crafting_table", "furnace")
        ),
        "symbolic": Abilities(whole_subgoals=True),
    }
)
"""By the world's name; the embedded world has neither creatures nor other stations yet."""


def abilities_of(world: str) -> Abilities:
    """Return what a world can do; one from elsewhere says it in its attribute `abilities`.

    A world that says nothing can do everything.

    Raises:
        UnknownName, BadValue: there is no such world.
    """
    if world in ABILITIES:
        return ABILITIES[world]
    found: Abilities = getattr(load("world", world), "abilities", Abilities())
    return found
