"""Looking for what has not been in view: about and onwards above ground, down and onwards below."""

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from optimus_gym.controllers.oracle.goals import STAND_IN
from optimus_gym.controllers.oracle.miner import ON_FOOT
from optimus_gym.controllers.oracle.path_search import NO_WAY
from optimus_gym.controllers.script import Steps
from optimus_gym.controllers.teacher.next_step import is_sinking, sink, step_on
from optimus_gym.controllers.teacher.pupil import Pupil
from optimus_gym.core.actions import PITCH, YAW, camera_bin
from optimus_gym.game.ores import ore_rules

WALK_STRETCH: Final = 40
"""Blocks that the player walks before it looks about again (our choice)."""
_AHEAD: Final = 46
"""Blocks to the point that the player heads for; beyond `WALK_STRETCH`, so that it need not stop there."""
_SECTORS: Final = 12
"""Number of sectors of 30 degrees that a look about takes in."""
_EYES_AT: Final = 5.0
"""Pitch in degrees of a look about."""
_BUDGET: Final = 4_000
"""Maximum number of cells that a path search looks at."""
_WAYS: Final = ((0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1), (1, 0), (1, 1))
"""Level directions by yaw, from south (yaw 0) on, clockwise."""
_GROUNDS: Final = ("stone", "cobblestone", "granite", "diorite", "andesite")
"""Blocks that lie below any ground."""
_SHALLOW: Final = 4
"""Number of blocks that the player digs down in search of stone."""
_BENEATH: Final = 12
"""Blocks below its first place at which the player is surely among stone."""
_ABOVE_BEDROCK: Final = 5
"""Lowest height of a search; bedrock begins below (Minecraft Wiki, "Bedrock")."""
_CLIMBED: Final = 8
"""Blocks above its level from which a player digs down again."""
_SHARE: Final = 0.7
"""The player digs down to this share of an ore's range of heights."""


class Exploration:
    """A player's search: where it has looked about, and which way it goes.

    Args:
        pupil: the player.
        blocks: the wanted blocks; empty for creatures.
    """

    def __init__(self, pupil: Pupil, blocks: Sequence[str]) -> None:
        self._pupil = pupil
        self._depth = depth_of(blocks)
        self._first = int(np.floor(pupil.player["y"]))
        self._anchor: tuple[float, float] | None = None
        self._looked: NDArray[np.bool_] = np.zeros(_SECTORS, np.bool_)
        self._turned = False
        """Whether the look about has ended, with the way ahead in the middle of the view."""
        self._way = -1
        self._swims = False
        """Whether the player has not stood on dry ground since it was in water."""
        self._level: int | None = None
        """Height at which the player goes on below ground; None before it is deep enough."""

    def step(self) -> Steps:
        """Go on with the search; return False if no way leads on."""
        player = self._pupil.player
        self._swims = bool(player["in_water"] or (self._swims and not player["on_ground"]))
        if self._depth is None or self._swims:
            return (yield from self._above())
        return (yield from self._below(self._depth))

    def _above(self) -> Steps:
        pupil, player = self._pupil, self._pupil.player
        x, z, yaw = float(player["x"]), float(player["z"]), float(player["yaw"])
        if (
            self._anchor is None
            or np.hypot(x - self._anchor[0], z - self._anchor[1]) > WALK_STRETCH
        ):
            self._anchor, self._looked[:], self._turned = (x, z), False, False
        ahead = self._way < 0 or abs((yaw - 45.0 * self._way + 180.0) % 360.0 - 180.0) < 22.5
        self._turned |= bool(self._looked.all()) and ahead
        if not self._turned:
            sector = int(yaw % 360 // 30)
            self._looked[[(sector + k) % _SECTORS for k in (-1, 0, 1)]] = True
            action = pupil.fresh()
            action[YAW], action[PITCH] = camera_bin(10.0), camera_bin(_EYES_AT - player["pitch"])
            yield action
            return True
        if self._way < 0:
            self._way = int((yaw + 22.5) % 360 // 45)
        return (yield from self._onwards(int(np.floor(player["y"]))))

    def _below(self, depth: int) -> Steps:
        """Dig down to a height, then onwards at this height."""
        pupil = self._pupil
        if is_sinking(pupil):
            return (yield from sink(pupil, pupil.own_cell()))
        x, y, z = pupil.feet()[0]
        height = y - _SHALLOW if depth == _SHALLOW else min(depth, self._first - _BENEATH)
        height = max(_ABOVE_BEDROCK, height)
        if self._level is not None and y > self._level + _CLIMBED:
            self._level = None
        if self._level is None:
            if y > height and (yield from self._go_to((x, height, z))):
                return True
            self._level = y
            self._way = int((float(pupil.player["yaw"]) + 45.0) % 360 // 90) * 2
        return (yield from self._onwards(self._level))

    def _onwards(self, y: int) -> Steps:
        x, _, z = self._pupil.feet()[0]
        for turn in range(len(_WAYS)):
            dx, dz = _WAYS[(self._way + turn) % len(_WAYS)]
            if (yield from self._go_to((x + _AHEAD * dx, y, z + _AHEAD * dz))):
                self._way = (self._way + turn) % len(_WAYS)
                return True
        return False

    def _go_to(self, cell: tuple[int, int, int]) -> Steps:
        """Follow a path towards a cell; return whether there is one."""
        pupil, (x, y, z) = self._pupil, cell
        goal = np.array([(x + 0.5, float(y), z + 0.5, 0.0)])
        weights = ON_FOOT if self._depth is None else pupil.through_stone()
        if pupil.search(goal, STAND_IN, weights, _BUDGET, shy=False) == NO_WAY:
            return False
        return (yield from step_on(pupil))


def depth_of(blocks: Sequence[str]) -> int | None:
    """Return the height to dig down to for wanted blocks, `_SHALLOW` for stone, None for the surface."""
    if not set(_GROUNDS).isdisjoint(blocks):
        return _SHALLOW
    highs = [
        rule.high
        for rule in ore_rules()
        if rule.block in blocks and rule.biome is None and rule.block.endswith("_ore")
    ]
    return int(_SHARE * max(highs)) if highs else None
