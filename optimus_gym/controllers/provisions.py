"""What is held to eat: which food first, and which only in need."""

from optimus_gym.controllers.hands import Hands
from optimus_gym.game.foods import Food, foods

HEALS_FROM = 18.0
"""Food from which wounds close (Minecraft Wiki, "Hunger")."""


def provisions(hands: Hands) -> list[Food]:
    """Return the foods held that are eaten in the hand, the harmless and the most filling first."""
    held = [foods()[name] for name in hands.counts() if name in foods()]
    fit = [food for food in held if food.ticks > 0 and food.points > 0]
    return sorted(fit, key=lambda food: (is_bad(food), -food.points))


def is_bad(food: Food) -> bool:
    """Tell whether a food may do harm."""
    return any(effect.effect in ("hunger", "poison") for effect in food.effects)
