"""Status effects, which some foods give.

References: Minecraft Wiki, "Effect" (a stronger or longer effect replaces another), "Absorption",
"Resistance".
"""

import numpy as np

from optimus_gym.worlds.voxel.compiling.kernels import kernel
from optimus_gym.worlds.voxel.state.needs import ABSORPTION, EFFECT_NAMES, RESISTANCE
from optimus_gym.worlds.voxel.state.worlds import Worlds

EFFECTS = len(EFFECT_NAMES)
_ABSORBED = 4.0
"""Half-hearts that absorption adds for each level."""
_RESISTED = 0.2
"""Share of a hurt that resistance stops for each level."""


@kernel
def effect_level(worlds: Worlds, i: int, effect: int) -> int:
    """Return the level of an effect, 0 = the effect does not act."""
    row = worlds.effects[i, effect]
    return int(row.level) + 1 if row.ticks > 0 else 0


@kernel
def end_effect(worlds: Worlds, i: int, effect: int) -> None:
    """End an effect that may be acting."""
    if effect == ABSORPTION:
        _absorb_more(worlds, i, -_ABSORBED * effect_level(worlds, i, effect))
    worlds.effects[i, effect].ticks, worlds.effects[i, effect].level = 0, 0


@kernel
def give_effect(worlds: Worlds, i: int, effect: int, ticks: int, level: int) -> None:
    """Let an effect act for some ticks, unless the same effect already acts more strongly or longer.

    `level` is the level less one: 0 = level I.
    """
    row = worlds.effects[i, effect]
    if row.ticks > 0 and (row.level > level or (row.level == level and row.ticks >= ticks)):
        return
    end_effect(worlds, i, effect)
    row.ticks, row.level = ticks, level
    if effect == ABSORPTION:
        _absorb_more(worlds, i, _ABSORBED * (level + 1))


@kernel
def end_night_vision(worlds: Worlds, i: int) -> None:
    """End night vision that a command gave; night vision of the assist alone stays."""
    rules = worlds.rules[i]
    if rules.bright_for > 0:
        rules.bright_for = 0
        worlds.assists[i].night_vision = 0


@kernel
def tick_night_vision(worlds: Worlds, i: int) -> None:
    """Count a tick of night vision that a command gave; end it after the last tick."""
    rules = worlds.rules[i]
    if rules.bright_for == 1:
        end_night_vision(worlds, i)
    elif rules.bright_for > 1:
        rules.bright_for -= 1


@kernel
def _absorb_more(worlds: Worlds, i: int, amount: float) -> None:
    needs = worlds.needs[i]
    needs.absorption = np.float32(max(needs.absorption + amount, 0.0))


@kernel
def softened(worlds: Worlds, i: int, amount: float) -> float:
    """Return the damage (half-hearts) that resistance and absorption let through; use absorption up."""
    amount *= max(1.0 - _RESISTED * effect_level(worlds, i, RESISTANCE), 0.0)
    needs = worlds.needs[i]
    absorbed = min(float(needs.absorption), amount)
    needs.absorption = np.float32(needs.absorption - absorbed)
    return amount - absorbed
