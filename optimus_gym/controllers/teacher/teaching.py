"""Guidance for a player: the first action of a script that is made again in every tick.

No part of a script lives longer than a tick, so that the teacher never relies on its own actions having been
done: the action is right for any state that another's actions have led to. Between ticks the teacher keeps
only what a player would know: the blocks that have been in view, what could not be reached, and where it has
looked.
"""

from collections.abc import Iterator
from typing import Final

import numpy as np
from numpy.typing import NDArray

from optimus_gym.controllers.body import Cell
from optimus_gym.controllers.keys import walk_to
from optimus_gym.controllers.oracle.collecting import LyingDrop, lying
from optimus_gym.controllers.oracle.digging import choose_tool, dig, take_in_hand
from optimus_gym.controllers.oracle.goals import (
    DIG_BLOCK,
    PICK_DOWN,
    PICK_SIDE,
    PICK_UP,
    TOUCH_DROP,
)
from optimus_gym.controllers.oracle.killing import prey_of
from optimus_gym.controllers.oracle.meals import NO_ANIMAL, hunt, nearest_animal
from optimus_gym.controllers.oracle.miner import ON_FOOT
from optimus_gym.controllers.oracle.path_search import NO_WAY
from optimus_gym.controllers.oracle.source_blocks import diggable, source_blocks, wanted_blocks
from optimus_gym.controllers.oracle.surviving import (
    MUCH_AIR,
    breathe,
    is_choking,
    survive,
)
from optimus_gym.controllers.script import Action, Steps
from optimus_gym.controllers.teacher.next_step import aimed_cell, eased, steadied, step_on
from optimus_gym.controllers.teacher.pupil import Pupil
from optimus_gym.controllers.teacher.searching import Exploration
from optimus_gym.core.actions import ATTACK
from optimus_gym.core.types import SubGoal
from optimus_gym.core.witness import is_in_view
from optimus_gym.game.creatures import creature_kinds

_BUDGET: Final = 6_000
"""Maximum number of cells that a path search looks at."""
_SHUNNED_TICKS: Final = 200
"""Ticks for which a block without a way to it is left alone."""
_NEAR_DROPS: Final = 9.0
"""Greatest distance in blocks at which the player fetches a drop."""
_LOOKS: Final = 10
"""Ticks between two looks for creatures."""
_REMEMBERED: Final = 100
"""Ticks for which the player remembers that it saw a wanted creature."""
_PREY_NEAR: Final = 32.0
"""Greatest distance in blocks of a creature that the player runs after."""


class Guidance:
    """A sub-goal of one player, and what the player knows.

    Args:
        pupil: the player.
        subgoal: a mine or kill sub-goal.
    """

    def __init__(self, pupil: Pupil, subgoal: SubGoal) -> None:
        self._pupil, self._subgoal = pupil, subgoal
        sources = () if subgoal.verb == "kill" else source_blocks(subgoal.kinds)
        self._exploring = Exploration(pupil, [source.block for source in sources])
        self._shunned: dict[Cell, int] = {}
        """Blocks without a way to them; each is left alone until a tick."""
        self._prey = prey_of(subgoal) if subgoal.verb == "kill" else None
        self._breathes = False
        self._looks_again = self._saw = -_REMEMBERED
        pupil.forget()

    def action(self) -> Action:
        """Return the right action for the present state (int32[15])."""
        pupil = self._pupil
        pupil.keep_land()
        work = self._kill if self._subgoal.verb == "kill" else self._mine
        for steps in (self._breathe(), survive(pupil), *work()):
            for action in steps:
                return eased(steadied(pupil, action))
        return pupil.fresh()

    def _breathe(self) -> Steps:
        """Come up for air until the lungs are nearly full."""
        pupil, player = self._pupil, self._pupil.player
        full = not player["head_in_water"] and player["air"] >= MUCH_AIR
        self._breathes = is_choking(pupil) or (self._breathes and not full)
        if not self._breathes:
            return False
        return (yield from breathe(pupil))

    def _mine(self) -> Iterator[Steps]:
        """Yield what to do, the best first; parts that cannot be done yield no action."""
        pupil, kinds = self._pupil, self._subgoal.kinds
        wanted = wanted_blocks(diggable(kinds, pupil.tools()))
        pupil.look_out(wanted)
        yield self._fetch()
        yield self._go_on_digging(wanted)
        for _ in range(2):
            found = pupil.find(wanted, self._shunned_now())
            if len(found):
                yield self._dig(found)
        yield self._exploring.step()

    def _kill(self) -> Iterator[Steps]:
        """Yield what to do, the best first."""
        pupil, now = self._pupil, self._pupil.tick()
        assert self._prey is not None
        yield self._fetch()
        near = int(nearest_animal(pupil.worlds, pupil.row, self._prey, _PREY_NEAR, _PREY_NEAR))
        if near != NO_ANIMAL:
            kind = int(pupil.worlds.creatures[pupil.row, near]["kind"])
            if now >= self._looks_again:
                self._looks_again = now + _LOOKS
                if is_in_view(pupil.world, pupil.row, (_creature(kind),)):
                    self._saw = now
            if now < self._saw + _REMEMBERED:
                yield hunt(pupil, kind, self._subgoal.kinds)
        yield self._exploring.step()

    def _fetch(self) -> Steps:
        """Walk to a wanted drop near by."""
        pupil = self._pupil
        drops = [
            drop for drop in lying(pupil, self._subgoal.kinds, set()) if self._is_worth_a_walk(drop)
        ]
        if not drops:
            return False
        goals = np.array([(drop.x, drop.y, drop.z, 0.0) for drop in drops])
        found = pupil.search(goals, TOUCH_DROP, ON_FOOT, _BUDGET, shy=False)
        if found != NO_WAY and (yield from step_on(pupil)):
            return True
        near = drops[max(0, int(pupil.answer[0]))]
        action = pupil.fresh()
        walk_to(pupil.worlds, pupil.row, near.x, near.z, True, False, action)
        yield action
        return True

    def _go_on_digging(self, wanted: NDArray[np.float64]) -> Steps:
        """Dig the wanted block that the crosshair is on."""
        pupil, cell = self._pupil, aimed_cell(self._pupil)
        if cell is None or not wanted[pupil.block(*cell)]:
            return False
        yield from take_in_hand(pupil, choose_tool(pupil, pupil.block(*cell), wanted=True))
        action = pupil.fresh()
        action[ATTACK] = 1
        yield action
        return True

    def _is_worth_a_walk(self, drop: LyingDrop) -> bool:
        """Return whether a drop is near, but not so near that the player picks it up where it stands."""
        player = self._pupil.player
        dx, dy, dz = drop.x - player["x"], drop.y - player["y"], drop.z - player["z"]
        aside = max(abs(dx), abs(dz))
        at_hand = aside <= PICK_SIDE and -PICK_DOWN <= dy <= PICK_UP
        return bool(max(aside, abs(dy)) <= _NEAR_DROPS and not at_hand)

    def _dig(self, found: NDArray[np.int32]) -> Steps:
        """Go to a block in the list and dig it."""
        pupil = self._pupil
        goals = np.zeros((len(found), 4))
        goals[:, :3] = found + 0.5
        if pupil.search(goals, DIG_BLOCK, ON_FOOT, _BUDGET, shy=False) == NO_WAY:
            for cell in found[: max(1, len(found) // 2)].tolist():
                self._shun((cell[0], cell[1], cell[2]))
            return False
        goal = int(pupil.answer[0])
        if (yield from step_on(pupil)) or goal < 0:
            return True
        x, y, z = (int(v) for v in found[goal])
        yield from dig(pupil, (x, y, z), wanted=True)
        self._shun((x, y, z))
        return False

    def _shun(self, cell: Cell) -> None:
        self._shunned[cell] = self._pupil.tick() + _SHUNNED_TICKS

    def _shunned_now(self) -> NDArray[np.int32]:
        now = self._pupil.tick()
        self._shunned = {cell: until for cell, until in self._shunned.items() if until > now}
        return np.array(list(self._shunned), np.int32).reshape(-1, 3)


def _creature(kind: int) -> str:
    """Return the name of a kind of creatures by its number."""
    return tuple(creature_kinds())[kind]
