"""The flat world with hunger: its player eats, burns and dies by the rules of a difficulty."""

import numpy as np

from optimus_gym.game.creatures import difficulty_number
from optimus_gym.worlds.voxel.player.burning import FIREPROOF_FOR
from optimus_gym.worlds.voxel.state.needs import EFFECT_NAMES
from tests.worlds.flat import Flat

UP = {"pitch": -90.0}
"""A view of the open sky, so that the use key eats."""


class Survivor(Flat):
    """A flat world with a difficulty."""

    def __init__(self, difficulty: str = "normal", ground: str = "stone", seed: int = 1) -> None:
        super().__init__(ground, seed)
        self.worlds.rules["survival"] = 1
        self.worlds.rules["difficulty"] = difficulty_number(difficulty)
        self.worlds.skies["rain_wait"] = self.worlds.skies["thunder_wait"] = 10**6
        self.set(**UP)
        self.set_need(fire=-FIREPROOF_FOR)

    def need(self, name: str):
        return self.worlds.needs[0][name].item()

    def set_need(self, **values: float) -> None:
        for name, value in values.items():
            self.worlds.needs[0][name] = value

    def affect(self, effect: str, ticks: int, level: int = 0) -> None:
        self.worlds.effects[0, EFFECT_NAMES.index(effect)] = (ticks, level)

    def effect(self, effect: str) -> tuple[int, int]:
        row = self.worlds.effects[0, EFFECT_NAMES.index(effect)]
        return int(row["ticks"]), int(row["level"])

    def changes(self, name: str, ticks: int, **keys: int) -> list[tuple[int, float]]:
        """Return the ticks, counted from 1, in which a number of the player changed, and by how much."""
        found = []
        for tick in range(1, ticks + 1):
            before = getattr(self, name)
            self.tick(**keys)
            if getattr(self, name) != before:
                found.append((tick, getattr(self, name) - before))
        return found

    def eat(self, name: str) -> None:
        """Eat one of an item."""
        self.give(0, name)
        self.set(hotbar=0)
        for _ in range(80):
            self.tick(use=1)
            if self.worlds.slots[0, 0]["item"] == 0 or self.slot(0)[0] != name:
                return
        raise AssertionError(f"{name} was not eaten")


def steady(changes: list[tuple[int, float]]) -> list[float]:
    """Return the period and the amount of changes that are all alike."""
    periods = set(np.diff([tick for tick, _ in changes]).tolist())
    amounts = {round(abs(amount), 5) for _, amount in changes}
    assert len(changes) >= 3, changes
    assert len(periods) == len(amounts) == 1, changes
    return [periods.pop(), amounts.pop()]
