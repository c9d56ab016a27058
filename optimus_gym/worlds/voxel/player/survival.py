"""A living player's tick in a world with survival rules: damage by touch, effects, hunger.

References: Minecraft Wiki, "Effect", "Poison", "Regeneration", "Hunger (effect)".
"""

from optimus_gym.worlds.voxel.bodies.exhaustion import tire
from optimus_gym.worlds.voxel.compiling.kernels import kernel
from optimus_gym.worlds.voxel.player.burning import tick_touch
from optimus_gym.worlds.voxel.player.death import find_lost
from optimus_gym.worlds.voxel.player.effects import EFFECTS, end_effect
from optimus_gym.worlds.voxel.player.hunger import tick_hunger
from optimus_gym.worlds.voxel.player.vitals import BY_POISON, heal, hurt
from optimus_gym.worlds.voxel.state.needs import HUNGER, POISON, REGENERATION
from optimus_gym.worlds.voxel.state.worlds import Worlds

_POISON_EVERY = 25
"""Ticks between two half-hearts of poison at level I; each further level halves the pause."""
_REGENERATION_EVERY = 50
"""Ticks between two half-hearts of regeneration at level I; each further level halves the pause."""
_POISON_SPARES = 1.0
_HUNGER_TIRES = 0.005
"""Exhaustion that the hunger effect adds in a tick, for each level of the effect."""


@kernel
def tick_survival(worlds: Worlds, i: int) -> None:
    """Advance a living player's body by one tick, in a world with survival rules."""
    needs = worlds.needs[i]
    if needs.safe > 0:
        needs.safe -= 1
    find_lost(worlds, i)
    tick_touch(worlds, i)
    for effect in range(EFFECTS):
        if worlds.effects[i, effect].ticks > 0:
            _act(worlds, i, effect)
    if worlds.players[i].alive:
        tick_hunger(worlds, i)


@kernel
def _act(worlds: Worlds, i: int, effect: int) -> None:
    """Let an effect act for a tick; end the effect after its last tick."""
    row = worlds.effects[i, effect]
    if effect == HUNGER:
        tire(worlds, i, _HUNGER_TIRES * (row.level + 1))
    elif effect == POISON and _comes(row.ticks, _POISON_EVERY, row.level):
        if worlds.players[i].health > _POISON_SPARES:
            hurt(worlds, i, BY_POISON, 1.0)
    elif effect == REGENERATION and _comes(row.ticks, _REGENERATION_EVERY, row.level):
        heal(worlds, i, 1.0)
    if row.ticks == 1:
        end_effect(worlds, i, effect)
    else:
        row.ticks -= 1


@kernel
def _comes(ticks: int, every: int, level: int) -> bool:
    """Return whether a periodic effect (poison, regeneration) with `ticks` ticks left acts in this tick."""
    return ticks % max(every >> level, 1) == 0
