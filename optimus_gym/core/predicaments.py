"""Predicaments of a player by name, and when they are over; a "recover" sub-goal gets the player out of one.

`in_water` and `drop_down` are the predicaments of Optimus-1 (appendix E.4, listing 2), whose reflector also
looks out for bad health and hunger. `danger` is from Optimus-1's Figure 13. `stuck` and `night` are this
package's own.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

PREDICAMENTS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "in_water": "it is in the water and must get back to land",
        "drop_down": "it is in a cave, or has fallen into a pit, and must climb out under the open sky",
        "hurt": "its health is low and it must get well",
        "hungry": "it is hungry and must eat",
        "stuck": "it does not get on where it is and must go elsewhere",
        "night": "it is dark outside and it must wait in safety for the day",
        "danger": "a monster that sees it is after it and it must get away, or strike it down",
    }
)
LOW_HEALTH: Final = 8
"""Health in half-hearts; a player with this health or less counts as hurt (our choice)."""
A_BLOW: Final = 3
"""Loss of health in half-hearts that counts as an attack: a zombie's blow (Minecraft Wiki, "Zombie")."""
LITTLE_FOOD: Final = 6
"""Food in half-shanks; a player with this food or less cannot sprint (Minecraft Wiki, "Hunger")."""
WELL: Final = 14.0
"""Health in half-hearts at which a hurt player is well again (our choice)."""
FED: Final = 10.0
"""Food in half-shanks at which a player is no longer hungry (our choice)."""
ELSEWHERE: Final = 8.0
"""Distance in blocks, in any direction, that a stuck player must move to count as free (our choice)."""
SEEN_BY_WORLD: Final = ("in_water", "drop_down", "night", "danger")
"""Predicaments that a world with the power "predicaments" reports; the player's vitals and positions
show the others (hurt, hungry, stuck)."""
