"""Switches for the parts of JARVIS-1: one frozen value, which describes an ablation completely."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from types import MappingProxyType
from typing import Final

from optimus_gym.core.errors import BadValue, shown
from optimus_gym.minds.switching import chosen_switches


@dataclass(frozen=True, slots=True)
class JarvisSwitches:
    """Active parts of JARVIS-1.

    Attributes:
        sight: whether requests hold the sentences that describe the screen (JARVIS-1, section 3.2).
        symbols: whether requests hold inventory, stations in reach and biome (section 3.2).
        recipes: whether requests hold the game's ways to get items, in place of what a large model knows;
            the paper's requests hold none (appendix C.2, listing 1).
        checks: whether a plan is simulated step by step on the inventory before it is used (section 3.2).
        explains: whether the backbone explains a failure before it makes a new plan (section 3.2).
        replanning: whether new plans are made after failures; if False, the first plan is the only plan.

    Raises:
        BadValue: a switch is neither True nor False.
    """

    sight: bool = True
    symbols: bool = True
    recipes: bool = True
    checks: bool = True
    explains: bool = True
    replanning: bool = True

    def __post_init__(self) -> None:
        for name, value in asdict(self).items():
            if not isinstance(value, bool):
                raise BadValue(f"switches: {name}: expected True or False, got {shown(value)}")


JARVIS_PRESETS: Final[Mapping[str, JarvisSwitches]] = MappingProxyType(
    {
        "full": JarvisSwitches(),
        "blind": JarvisSwitches(sight=False, symbols=False),
        "no-check": JarvisSwitches(checks=False),
        "no-explain": JarvisSwitches(explains=False),
    }
)
"""Presets of JARVIS-1's switches, by name."""


def jarvis_switches(wanted: object) -> JarvisSwitches:
    """Return the switches that an argument names: a preset, a mapping of switches, or `JarvisSwitches`.

    Raises:
        UnknownName: the argument names an unknown preset or an unknown switch.
        BadValue: the argument is of another type, or a switch has an impossible value.

    >>> jarvis_switches("no-check").checks, jarvis_switches({"sight": False}).sight
    (False, False)
    """
    return chosen_switches(wanted, JarvisSwitches, JARVIS_PRESETS)
