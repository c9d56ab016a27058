"""Held food: harmless food to eat first, and harmful food only in need."""

from optimus_gym.controllers.hands import Hands
from optimus_gym.game.foods import Food, foods

HEALS_FROM = 18.0
"""Food level from which wounds heal (Minecraft Wiki, "Hunger")."""


def provisions(hands: Hands) -> list[Food]:
    """Return the held foods that a player eats from the hand, harmless ones first, then by food points."""
    held = [foods()[name] for name in hands.counts() if name in foods()]
    fit = [food for food in held if food.ticks > 0 and food.points > 0]
    return sorted(fit, key=lambda food: (is_bad(food), -food.points))


def is_bad(food: Food) -> bool:
    """Return whether a food may do harm."""
    return any(effect.effect in ("hunger", "poison") for effect in food.effects)
